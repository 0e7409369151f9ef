import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { beginAuthorisation } from "../authorisation/begin-authorisation.ts";
import { listConnectionRows } from "../connection.store.ts";
import { requireRight } from "../require-connection.ts";
import type { ConnectionView } from "../views.ts";
import { checkedAccountName, isSameName } from "./reach-account.ts";
import { setAutoAdd } from "./set-auto-add.ts";

/** Either the connected account, or the URL of the platform's consent page. */
export type NamedConnection = { account: ConnectionView; url: null } | { account: null; url: string };

/**
 * Connects an account by name (spec P-316). Only the platform can decide who may read it, so the first call returns the
 * URL of the consent page, and the account appears after consent. For an account that is already connected it sets what
 * happens to new items.
 *
 * @throws AppError `err.request.invalid`, `err.role.forbidden`
 */
export async function connectByName(
  s: AccessServices & Uses<"ids" | "connectorConfig" | "queue" | "live" | "settings">,
  member: Member,
  input: { platform: string; name: string; isAutoAdd: boolean; region?: Region; redirectUri: string },
): Promise<NamedConnection> {
  const name = checkedAccountName(s, input.platform, input.name);
  const { platform, isAutoAdd } = input;
  await requireRight(s, member, platform, "manage");
  const rows = await listConnectionRows(s.control, member.organisationId, platform);
  const connected = rows.find((row) => isSameName(row.name, name));
  if (connected) {
    const account = await setAutoAdd(s, member, { platform, connectionId: connected.id, isAutoAdd });
    return { account, url: null };
  }
  const { region, redirectUri } = input;
  const order = { platform, redirectUri, accountName: name, isAutoAdd, ...(region && { region }) };
  return { account: null, url: (await beginAuthorisation(s, member, order)).url };
}

import { AppError } from "#core/kernel/app-error.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { beginAuthorisation } from "../authorise.ts";
import type { ConnectionView } from "../views.ts";
import { checkedAccountName, isSameName } from "./reach-account.ts";
import { findAccountRow } from "./require-account.ts";
import { setAutoAdd } from "./set-auto-add.ts";

/** Either the connected account, or the URL of the platform's consent page. */
export type NamedConnection = { account: ConnectionView; url: null } | { account: null; url: string };

/**
 * Connects an account by name (spec P-316). Only the platform can decide who may read it, so the first call returns the
 * URL of the consent page, and the account appears after consent. For an account that is already connected it sets what
 * happens to new items.
 *
 * @throws AppError `err.connection.exists`, `err.request.invalid`, `err.role.forbidden`
 */
export async function connectByName(
  s: CoreServices,
  member: Member,
  input: { platform: string; name: string; isAutoAdd: boolean; region?: Region; redirectUri: string },
): Promise<NamedConnection> {
  const name = checkedAccountName(input.name);
  const { platform, isAutoAdd } = input;
  const connection = await findAccountRow(s, member, platform, "manage");
  if (!connection) {
    const { region, redirectUri } = input;
    const order = { platform, redirectUri, accountName: name, isAutoAdd, ...(region && { region }) };
    return { account: null, url: (await beginAuthorisation(s, member, order)).url };
  }
  if (!isSameName(connection.name, name)) throw new AppError("err.connection.exists");
  const account = await setAutoAdd(s, member, { platform, isAutoAdd });
  return { account, url: null };
}

import type { Grant } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { MailServices, SessionServices, Uses } from "#core/services.ts";
import { savedRegion } from "../accounts/choose-region.ts";
import type { ConnectionView } from "../views.ts";
import { connectGrant } from "./connect-grant.ts";
import { requireStanding } from "./require-standing.ts";

/**
 * Connects the site at which our app is installed, or adds the app's access to the connection that the organisation has
 * already. That one keeps its name and what its other credentials know of the account.
 *
 * @param order `occasion` makes the entry of the audit trail the only one of this act.
 * @throws AppError `err.role.forbidden`, `err.plan.required`
 */
export async function connectInstallation(
  s: SessionServices & MailServices & Uses<"memory" | "ledger" | "live">,
  member: Member,
  order: { platform: string; authMethod: string; occasion: string; grant: Grant },
): Promise<ConnectionView> {
  const { platform, authMethod, occasion, grant } = order;
  const rows = await requireStanding(s, member, platform);
  const same = rows.find(({ externalId }) => externalId === grant.account.externalId);
  const known = same && {
    account: { ...grant.account, name: same.name },
    details: { ...(grant.details as object), ...(same.details as object) } as Json,
  };
  const begun = {
    stateHash: occasion,
    platform,
    authMethod,
    region: rows[0]?.region ?? (await savedRegion(s, member, platform)) ?? REGIONS[0],
    ...{ replacesId: null, renewsId: null, accountName: null, isAutoAdd: null },
  };
  return connectGrant(s, member, begun, { ...grant, ...known });
}

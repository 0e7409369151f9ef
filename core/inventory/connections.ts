import { canUse, type Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { listConnectionRows } from "./connection.store.ts";
import { toConnectionView } from "./to-views.ts";
import type { ConnectionView } from "./views.ts";

/** The connections of a platform that the member may use. */
export async function listConnections(
  s: CoreServices,
  member: Member,
  input: { platform: string },
): Promise<ConnectionView[]> {
  if (!canUse(member, input.platform)) return [];
  return (await listConnectionRows(s.control, member.organisationId, input.platform)).map(toConnectionView);
}

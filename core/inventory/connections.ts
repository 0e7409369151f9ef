import { canUse, type Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { listAllConnectionRows, listConnectionRows } from "./connection.store.ts";
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

/** Every connection that the member may use; what the shell lists. */
export async function listAllConnections(s: CoreServices, member: Member): Promise<ConnectionView[]> {
  const rows = await listAllConnectionRows(s.control, member.organisationId);
  return rows.filter((row) => canUse(member, row.platform)).map(toConnectionView);
}

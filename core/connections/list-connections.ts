import { canUse, type Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { type ConnectionRow, listAllConnectionRows, listConnectionRows } from "./connection.store.ts";
import { toConnectionView } from "./to-views.ts";
import type { ConnectionView } from "./views.ts";

/** Lists the connections of a platform that the member may use. */
export async function listConnections(
  s: Uses<"memory" | "control" | "connectors">,
  member: Member,
  input: { platform: string },
): Promise<ConnectionView[]> {
  if (!canUse(member, input.platform)) return [];
  return (await connectionRowsOf(s, member.organisationId, input.platform)).map((row) =>
    toConnectionView(s, row),
  );
}

/** Lists the organisation's connections of a platform, oldest first. Read once per read-only request. */
export async function connectionRowsOf(
  s: Uses<"memory" | "control">,
  organisationId: string,
  platform: string,
): Promise<ConnectionRow[]> {
  if (!s.memory) return listConnectionRows(s.control, organisationId, platform);
  return (await allConnectionRows(s, organisationId)).filter((row) => row.platform === platform);
}

/** The key of an organisation's connections in a request's memory. */
export const connectionsKey = (organisationId: string) => `connections:${organisationId}`;

function allConnectionRows(s: Uses<"memory" | "control">, organisationId: string): Promise<ConnectionRow[]> {
  const read = () => listAllConnectionRows(s.control, organisationId);
  return s.memory ? s.memory(connectionsKey(organisationId), read) : read();
}

/** Lists the connections of every platform that the member may use, in one query. */
export async function listAllConnections(
  s: Uses<"memory" | "control" | "connectors">,
  member: Member,
): Promise<ConnectionView[]> {
  const rows = await allConnectionRows(s, member.organisationId);
  return rows.filter(({ platform }) => canUse(member, platform)).map((row) => toConnectionView(s, row));
}

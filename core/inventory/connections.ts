import { canUse, type Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { listAllConnectionRows, listConnectionRows } from "./connection.store.ts";
import { countItemsByPlatform } from "./items.store.ts";
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

/** The connections of every platform that the member may use, in one query. */
export async function listAllConnections(
  s: Pick<CoreServices, "control">,
  member: Member,
): Promise<ConnectionView[]> {
  const rows = await listAllConnectionRows(s.control, member.organisationId);
  return rows.filter(({ platform }) => canUse(member, platform)).map(toConnectionView);
}

/** How many items of each platform the organisation protects; one query for each region that holds some. */
export async function countProtectedItems(
  s: Pick<CoreServices, "ledger">,
  member: Member,
  connections: readonly Pick<ConnectionView, "region">[],
): Promise<ReadonlyMap<string, number>> {
  const regions = [...new Set(connections.map(({ region }) => region))];
  const counts = await Promise.all(
    regions.map((region) => countItemsByPlatform(s.ledger(region), member.organisationId)),
  );
  const sums = new Map<string, number>();
  for (const { platform, count } of counts.flat()) sums.set(platform, (sums.get(platform) ?? 0) + count);
  return sums;
}

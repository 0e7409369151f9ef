import { listPlans } from "#core/billing/index.ts";
import { listAllConnections } from "#core/connections/index.ts";
import type { ConnectionView } from "#core/connections/views.ts";
import { canManage, type Member } from "#core/organisations/index.ts";
import type { AccessServices } from "#core/services.ts";
import { FOUND_ITEMS, SEARCHED_WORDS } from "./limits.ts";
import { type SearchRow, searchItemRows } from "./search-items.store.ts";
import type { FoundItem } from "./views.ts";

/**
 * Finds protected items by name on all platforms that the member may use, with what the member may do with each. A name
 * must contain every word; names that begin with the first word come first. One round trip to each region.
 */
export async function searchItems(
  s: AccessServices,
  member: Member,
  { text }: { text: string },
): Promise<{ items: FoundItem[]; hasMore: boolean }> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, SEARCHED_WORDS);
  if (words.length === 0) return { items: [], hasMore: false };
  const { organisationId } = member;
  const [connections, plans] = await Promise.all([
    listAllConnections(s, member),
    listPlans(s, organisationId),
  ]);
  const regions = [...new Set(connections.map(({ region }) => region))];
  const parts = await Promise.all(
    regions.map((region) => {
      const lists = connections
        .filter((connection) => connection.region === region)
        .flatMap(({ id, platform }) =>
          (s.connectors.get(platform)?.descriptor.itemKinds ?? []).map((kind) => ({
            connectionId: id,
            kind: kind.id,
          })),
        );
      return searchItemRows(s.ledger(region, organisationId), {
        organisationId,
        lists,
        words,
        limit: FOUND_ITEMS + 1,
      });
    }),
  );
  const rows = parts.flat().sort(byRank);
  return {
    items: rows.slice(0, FOUND_ITEMS).map((row) => toFoundItem(row, { member, connections, plans })),
    hasMore: rows.length > FOUND_ITEMS,
  };
}

const byRank = (a: SearchRow, b: SearchRow) =>
  a.rank - b.rank || (a.nameFolded < b.nameFolded ? -1 : a.nameFolded > b.nameFolded ? 1 : 0);

function toFoundItem(
  { rank: _rank, nameFolded: _folded, ...row }: SearchRow,
  {
    member,
    connections,
    plans,
  }: {
    member: Member;
    connections: readonly ConnectionView[];
    plans: Awaited<ReturnType<typeof listPlans>>;
  },
): FoundItem {
  const connection = connections.find(({ id }) => id === row.connectionId);
  const plan = plans.get(row.platform);
  // As `mayManage` decides: an admin of a platform needs its plan to be active.
  const mayRestore = canManage(member, row.platform) && (member.role === "owner" || plan?.isActive === true);
  return {
    ...row,
    isConnected: connection?.status === "active",
    canRestore: mayRestore,
    canBackUp: mayRestore && plan?.hasProFeatures === true,
  };
}

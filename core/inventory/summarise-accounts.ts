import type { ConnectionView } from "#core/connections/views.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { countsOfList, itemCountsOf } from "./item-counts.ts";
import { countStaleOf } from "./items.store.ts";
import { STALE_COUNTED } from "./limits.ts";
import type { ItemListView } from "./views.ts";

/** An account, and the kind of item that its summary counts. */
type Account = { connection: Pick<ConnectionView, "id" | "region">; kind: string };

/**
 * The counts of these accounts' lists, by connection. Takes two queries per region, however many accounts there are.
 */
export async function summariseAccounts(
  s: Uses<"memory" | "clock" | "ledger">,
  { organisationId }: Pick<Member, "organisationId">,
  accounts: readonly Account[],
): Promise<ReadonlyMap<string, Omit<ItemListView["counts"], "alarm">>> {
  const regions = [...new Set(accounts.map(({ connection }) => connection.region))];
  const summaries = await Promise.all(
    regions.map(async (region) => {
      const lists = accounts
        .filter(({ connection }) => connection.region === region)
        .map(({ connection, kind }) => ({ connectionId: connection.id, kind, placeId: null }));
      const scope = { organisationId, now: s.clock.now(), limit: STALE_COUNTED };
      const [counters, stale] = await Promise.all([
        itemCountsOf(s, region, organisationId),
        countStaleOf(s.ledger(region, organisationId), lists, scope),
      ]);
      return lists.map((list) => {
        const counts = { ...countsOfList(counters, list), stale: stale.get(list.connectionId) ?? 0 };
        return [list.connectionId, counts] as const;
      });
    }),
  );
  return new Map(summaries.flat());
}

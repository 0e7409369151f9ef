import { type PlanWatch, watchPlans } from "#core/billing/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import type { Shard } from "#core/database/shards.ts";
import { STALE_AFTER_MS } from "#core/inventory/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import type { Look, MailServices, Uses } from "#core/services.ts";
import { alarmOwner } from "./alarm-owner.ts";
import { type ItemList, insertAlarms, listNewlyStale, listsOfItems, type StaleItem } from "./alarms.store.ts";
import { LISTS_AT_ONCE, STALE_AT_ONCE } from "./limits.ts";

/**
 * The hourly search for stale items in a ledger: daily items that have had no good version for 26 hours, or none since
 * they were added. Each incident raises one alarm, which ends with the next good version. Items whose plan has ended
 * raise none.
 */
export async function watchStaleness(
  s: MailServices & Uses<"ledger" | "connectors" | "live">,
  shard: Shard,
): Promise<Look> {
  const now = s.clock.now();
  const plans = watchPlans(s);
  const ledger = s.ledger(shard);
  const stale = await listStaleAndPaid(ledger, plans, now);
  for (const items of byOwner(stale)) {
    const { organisationId, platform } = items[0]!;
    const sentence = ({ lastSnapshotId, silentSince }: StaleItem) => {
      const hours = Math.floor((now - silentSince) / HOUR_MS);
      return lastSnapshotId === null
        ? `No version yet, ${hours} hours after it was added.`
        : `No good version for ${hours} hours.`;
    };
    const raised = await insertAlarms(
      ledger,
      items.map((item) => ({
        id: s.ids.next("alarm"),
        organisationId,
        itemId: item.id,
        kind: "stale" as const,
        snapshotId: item.lastSnapshotId ?? "",
        keptSnapshotId: item.lastSnapshotId,
        message: sentence(item),
        createdAt: now,
      })),
    );
    const alarmed = items.filter(({ id }) => raised.some(({ itemId }) => itemId === id));
    await alarmOwner(s, {
      organisationId,
      platform,
      occasion: `stale:${raised[0]?.id ?? ""}`,
      items: alarmed.map((item) => ({ itemId: item.id, name: item.name, sentences: [sentence(item)] })),
    });
  }
  return { done: stale.length, hasMore: stale.length === STALE_AT_ONCE };
}

/** Goes list by list, and leaves out those whose plan has ended: their items stay stale without an alarm. */
async function listStaleAndPaid(ledger: LedgerDatabase, plans: PlanWatch, now: number): Promise<StaleItem[]> {
  const before = now - STALE_AFTER_MS;
  const stale: StaleItem[] = [];
  for (let after: ItemList | null = null; ; ) {
    const lists = await listsOfItems(ledger, { before, after, limit: LISTS_AT_ONCE });
    const silent = lists.filter(({ isStale }) => isStale === 1);
    await plans.look(silent.map(({ organisationId }) => organisationId));
    const paid = silent.filter(
      ({ organisationId, platform }) => plans.stateOf(organisationId, platform, now).isActive,
    );
    if (paid.length > 0)
      stale.push(...(await listNewlyStale(ledger, paid, { before, limit: STALE_AT_ONCE - stale.length })));
    if (lists.length < LISTS_AT_ONCE || stale.length === STALE_AT_ONCE) return stale;
    after = lists.at(-1)!;
  }
}

function byOwner(items: readonly StaleItem[]): StaleItem[][] {
  const groups = new Map<string, StaleItem[]>();
  for (const item of items) {
    const key = `${item.organisationId} ${item.platform}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

import type { JobMessage } from "#core/jobs/index.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Uses } from "#core/services.ts";
import { deleteItemRows } from "./change-items.store.ts";
import { countHoldings, listItemsOfPlatform } from "./items.store.ts";
import { REMOVE_AT_ONCE } from "./limits.ts";
import { stoppedRunEvents } from "./stopped-runs.ts";

type Scope = { organisationId: string; platform: string };

/** What an organisation has of a platform, in all regions. */
export async function countPlatformHoldings(
  s: Uses<"ledger">,
  scope: Scope,
): Promise<{ items: number; versions: number }> {
  const counts = await Promise.all(
    REGIONS.map((region) => countHoldings(s.ledger(region, scope.organisationId), scope)),
  );
  return counts.reduce((sum, { items, versions }) => ({
    items: sum.items + items,
    versions: sum.versions + versions,
  }));
}

/**
 * Removes one batch of a platform's items with their versions, for a reason of the product's own. An item is either whole
 * or gone: lists omit it at once, and a run of its own deletes the bytes. It may stop at any point and be repeated.
 *
 * @param reason What the runs that this ends say.
 * @returns false when there was none left
 */
export async function removePlatformItems(
  s: Uses<"clock" | "ids" | "ledger" | "queue" | "live">,
  { organisationId, platform }: Scope,
  reason: string,
): Promise<boolean> {
  for (const region of REGIONS) {
    const ledger = s.ledger(region, organisationId);
    const items = await listItemsOfPlatform(ledger, { organisationId, platform }, REMOVE_AT_ONCE);
    if (items.length === 0) continue;
    const deleteRuns = items.map(({ id, connectionId }) => ({
      id: s.ids.next("run"),
      organisationId,
      connectionId,
      itemId: id,
      platform,
      kind: "delete" as const,
      trigger: "system" as const,
      order: null,
      snapshotId: null,
      createdBy: null,
    }));
    const now = s.clock.now();
    const ids = items.map(({ id }) => id);
    const stopped = await deleteItemRows(ledger, organisationId, { ids, deleteRuns, now, reason });
    await s.queue.send(
      deleteRuns.map(
        ({ id }): JobMessage => ({
          job: "delete-item",
          payload: { region, organisationId, runId: id, epoch: 0 },
        }),
      ),
    );
    const gone = Map.groupBy(items, ({ connectionId }) => connectionId);
    await s.live.publish(organisationId, [
      ...[...gone].map(([connectionId, its]) => ({
        method: "items-changed" as const,
        platform,
        connectionId,
        ids: its.map(({ id }) => id),
      })),
      ...stoppedRunEvents(stopped, now),
    ]);
    return true;
  }
  return false;
}

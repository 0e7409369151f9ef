import { OURSELVES, recordAction } from "#core/audit/index.ts";
import { entitlementsOf, limitsItems, listUnfitted, markFitted } from "#core/billing/index.ts";
import { connectionRowsOf } from "#core/connections/index.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import { nextDue } from "#core/schedules/index.ts";
import type { Uses } from "#core/services.ts";
import { updateDaily } from "./change-items.store.ts";
import { countDaily } from "./item-counts.ts";
import { type FittedItem, listNewestDaily, listPausedByPlan } from "./items.store.ts";
import { FIT_AT_ONCE, ITEMS_PER_CALL } from "./limits.ts";

type FitServices = Uses<"clock" | "ids" | "control" | "ledger" | "live">;
type Scope = { organisationId: string; platform: string };
type Placed = FittedItem & { region: Region };

/** Every minute: queues the platforms whose plan includes another number of items than before. */
export async function queueFits(s: Uses<"control" | "queue">): Promise<void> {
  const unfitted = await listUnfitted(s.control, FIT_AT_ONCE);
  if (unfitted.length > 0)
    await s.queue.send(unfitted.map((payload) => ({ job: "fit-plan" as const, payload })));
}

/**
 * Fits what is backed up daily to the quantity of the plan. Beyond it, the items that were protected last pause: nothing
 * is deleted, and their versions can be restored. The owner may choose others by their switches. With a larger quantity
 * those that the plan had paused go on. It may stop at any point and be repeated.
 */
export async function fitPlan(s: FitServices, scope: Scope): Promise<void> {
  const { plan, quantity, itemLimit, periodMs } = await entitlementsOf(
    s,
    scope.organisationId,
    scope.platform,
  );
  if (plan === "none") return;
  if (limitsItems(scope.platform)) {
    const room = itemLimit - (await countDaily(s, scope.organisationId, scope.platform));
    if (room !== 0) await switchItems(s, scope, { isDaily: room > 0, count: Math.abs(room), periodMs });
  }
  await markFitted(s.control, { ...scope, quantity });
}

async function switchItems(
  s: FitServices,
  scope: Scope,
  { isDaily, count, periodMs }: { isDaily: boolean; count: number; periodMs: number },
): Promise<void> {
  const list = isDaily ? listPausedByPlan : listNewestDaily;
  const found = await Promise.all(
    REGIONS.map(async (region) =>
      (await list(s.ledger(region, scope.organisationId), scope, count)).map(
        (item): Placed => ({ ...item, region }),
      ),
    ),
  );
  const order = (a: Placed, b: Placed) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
  const chosen = found
    .flat()
    .sort((a, b) => (isDaily ? order(a, b) : order(b, a)))
    .slice(0, count);
  if (chosen.length === 0) return;
  const connections = await connectionRowsOf(s, scope.organisationId, scope.platform);
  const now = s.clock.now();
  for (const [connectionId, items] of Map.groupBy(chosen, (item) => item.connectionId)) {
    for (let from = 0; from < items.length; from += ITEMS_PER_CALL) {
      const ids = items.slice(from, from + ITEMS_PER_CALL).map(({ id }) => id);
      const changed = await updateDaily(
        s.ledger(items[0]!.region, scope.organisationId),
        scope.organisationId,
        {
          ids,
          isDaily,
          changedAt: now,
          dueAt: (itemId) => nextDue(itemId, now, periodMs),
          periodMs,
          isPaused: connections.find(({ id }) => id === connectionId)?.status !== "active",
          isByPlan: true,
        },
      );
      await s.live.publish(scope.organisationId, [
        { method: "items-changed", platform: scope.platform, connectionId, ids: changed },
      ]);
    }
  }
  await recordAction(s, {
    organisationId: scope.organisationId,
    userId: null,
    userName: OURSELVES,
    platform: scope.platform,
    action: isDaily ? "resume-within-plan" : "pause-beyond-plan",
    subject: `${chosen.length.toLocaleString("en-US")} ${chosen.length === 1 ? "item" : "items"}`,
  });
}

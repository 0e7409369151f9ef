import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlanLine, PlannedKind, RestoreCost, RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";
import { readable } from "#core/browsing/index.ts";
import { quotaLeft, translateFailure } from "#core/connections/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, QuotaLeft, SessionServices, VaultServices } from "#core/services.ts";
import { callsOf, expectedDuration } from "./expected-duration.ts";
import { notTaken, openRestorable, type RestoredVersion } from "./open-restorable.ts";
import { likelyTarget, type TargetWish } from "./restore-target.ts";

/** The cost of a restore at the platform, in figures for people. */
export type PlanCostView = {
  /** API calls. */
  calls: number;
  /** The calls among them that create content, which platforms limit separately. */
  creations: number;
  bytes: number;
  /** Duration if it started now, in ms. */
  durationMs: number;
};

/** What a restore of a version would do. */
export type RestorePlanView = {
  itemId: string;
  snapshotId: string;
  creates: PlannedKind[];
  /** True when some numbers are extrapolated from a sample. */
  isEstimate: boolean;
  changed: PlanLine[];
  impossible: PlanLine[];
  missing: PlanLine[];
  cost: PlanCostView;
  /** The cost if the platform does not offer its faster way. Null = there is only one way. */
  slower: (PlanCostView & { reason: string }) | null;
  /** The platform asked us to wait until then before any call, epoch ms. */
  pausedUntil: number | null;
};

/**
 * Describes what a restore of a version, or of a part of it, would create, what it could not, and what it costs. It
 * uses the version's counts, a bounded number of its records, and the pace of the restore. Requires the right to
 * restore. The only call to the platform reads the name of an existing target, so the plan does not know what the
 * target already has.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.snapshot.not.restorable`,
 *   `err.version.unreadable`
 */
export async function planRestore(
  s: AccessServices & SessionServices & VaultServices,
  member: Member,
  order: RestoredVersion &
    Pick<TargetWish, "into"> & {
      /** Place of a new item; null = the item's own place. */
      placeId: string | null;
      answers: RestoreAnswers;
    },
): Promise<RestorePlanView> {
  const open = await openRestorable(s, member, order);
  const { item, connection, snapshot, connector, part } = open;
  const target = await likelyTarget(s, open, order);
  const account = { accountName: connection.grantName ?? connection.name };
  const wish = { target, part: part?.path ?? null, answers: order.answers };
  const plan = await readable(
    async () => await connector.planRestore(account, await open.view(), wish),
  ).catch((cause: unknown) => {
    // A version that is not checked yet may be one that the platform does not take.
    if (cause instanceof ConnectorError && cause.kind === "unsupported") throw notTaken(cause.message);
    throw translateFailure(cause);
  });
  const left = await quotaLeft(s, connection);
  return planView(plan, left, { itemId: item.id, snapshotId: snapshot.id, now: s.clock.now() });
}

/** A plan with its times, which follow from what is left of the account's quota. */
function planView(
  { creates, isEstimate, changed, impossible, missing, cost, slower }: RestorePlan,
  left: QuotaLeft,
  { itemId, snapshotId, now }: { itemId: string; snapshotId: string; now: number },
): RestorePlanView {
  return {
    itemId,
    snapshotId,
    creates,
    isEstimate,
    changed,
    impossible,
    missing,
    cost: costView(cost, left, now),
    slower: slower && { reason: slower.reason, ...costView(slower.cost, left, now) },
    pausedUntil: left.pausedUntil,
  };
}

function costView(cost: RestoreCost, left: QuotaLeft, now: number): PlanCostView {
  const { creations, bytes } = cost;
  return { calls: callsOf(cost), creations, bytes, durationMs: expectedDuration(cost, left, now) };
}

import type { PlanLine, PlannedKind, RestoreCost, RestorePlan } from "#connectors/contract/restore-plan.ts";
import { readable } from "#core/browsing/index.ts";
import {
  connectorOf,
  quotaLeft,
  requireItem,
  requireRestorePlace,
  translateFailure,
} from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { CoreServices, QuotaLeft } from "#core/services.ts";
import { findSnapshot, openVault, openVersion } from "#core/versions/index.ts";
import { callsOf, expectedDuration } from "./expected-duration.ts";
import { restoredName } from "./restored-name.ts";

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
 * Plans a restore: what it would create, what it cannot, and what it costs. Based on the version's counts and a bounded
 * number of its records, at the pace that the restore itself keeps. Only for members who may start one. It makes no
 * request to the platform.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.snapshot.not.restorable`,
 *   `err.version.unreadable`
 */
export async function planRestore(
  s: CoreServices,
  member: Member,
  order: {
    itemId: string;
    snapshotId: string;
    options: Readonly<Record<string, boolean>>;
    /** Target place. Null = the item's own place. */
    placeId: string | null;
  },
): Promise<RestorePlanView> {
  const { item, connection, ledger } = await requireItem(s, member, order.itemId, "manage");
  const snapshot = await findSnapshot(ledger, member.organisationId, order.snapshotId);
  if (snapshot?.itemId !== item.id) throw new AppError("err.not.found");
  if (snapshot.verifyState === "failed") throw new AppError("err.snapshot.not.restorable");
  const { region } = connection;
  const { placeId } = order;
  const isItemDeleted = item.status === "deleted";
  const place =
    placeId === null ? null : await requireRestorePlace(s, connection, { placeId, isItemDeleted });
  const vault = await openVault(s, { organisationId: member.organisationId, region });
  const connector = connectorOf(s, item.platform);
  const name = restoredName(null, item.name, connector.descriptor.limits.restoredNameLength);
  const account = { accountName: connection.grantName ?? connection.name };
  const plan = await readable(async () => {
    const view = await openVersion(s, vault, { ...snapshot, region });
    return await connector.planRestore(account, view, { name, place, options: order.options });
  }).catch((cause: unknown) => {
    throw translateFailure(cause);
  });
  const left = await quotaLeft(s, connection);
  return planView(plan, left, { itemId: item.id, snapshotId: snapshot.id, now: s.clock.now() });
}

/** Converts a plan to a view. The durations follow from the remaining quota of the account. */
export function planView(
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

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

/** What a restore asks of the platform, in figures for people. */
export type PlanCostView = {
  /** Calls of the platform's API. */
  calls: number;
  /** Of these, the ones that create content, which platforms limit apart. */
  creations: number;
  bytes: number;
  /** How long it would take if it began now, in ms. */
  durationMs: number;
};

/** What a restore of a version would do. */
export type RestorePlanView = {
  itemId: string;
  snapshotId: string;
  creates: PlannedKind[];
  /** True = some numbers come from a sample. */
  isEstimate: boolean;
  changed: PlanLine[];
  impossible: PlanLine[];
  missing: PlanLine[];
  cost: PlanCostView;
  /** The same where the platform does not offer its faster way; null = there is one way. */
  slower: (PlanCostView & { reason: string }) | null;
  /** Until when the platform asked us to wait before anything else, epoch ms. */
  pausedUntil: number | null;
};

/**
 * What a restore of a version would create, what it could not, and what it costs: by the version's own counts and a bounded
 * number of its records, at the pace that the restore itself keeps. For whoever may start one; nothing is asked of the
 * platform.
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
    /** Where it would go; null = to the item's own place. */
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

/** A plan with its times, which follow from what is left of the account's quota. */
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

import { z } from "zod";
import type { SubscriptionState } from "#connectors/contract/payment-provider.ts";
import {
  capacityOf,
  costCents,
  type Entitlements,
  findPrice,
  GRACE_MS,
  listPlans,
  listTrialStatuses,
  type PaidPlan,
  type Period,
  type TrialStatus,
} from "#core/billing/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import type { Uses } from "#core/services.ts";
import { readProjection, type SubscriptionRow } from "./projection.store.ts";
import { shownOf } from "./projection.ts";

/** Trial and subscription of one platform (spec part 3 sections 3 and 4). */
export type PlatformMoney = {
  trial: { status: TrialStatus["trialStatus"]; hoursLeft: number; endsAt: number | null };
  bought: BoughtPlan | null;
  /** Items included. */
  planQuantity: number;
  /** Hours between two scheduled backups. */
  backupHours: number;
  /** Epoch ms; null without a right. */
  rightEndsAt: number | null;
  /** When the backups of an ended platform are removed; null while a right runs. */
  removedAt: number | null;
};

/**
 * What was bought, as it was read last. A plan that was granted without the payment provider has no id, and is active or
 * inactive.
 */
export type BoughtPlan = {
  id: string | null;
  plan: PaidPlan;
  period: Period | null;
  state: SubscriptionState | "inactive";
  /** What the next period costs for. */
  quantity: number;
  /** What was paid for last. */
  paidQuantity: number;
  priceKey: string | null;
  nextInvoiceCents: number | null;
  catalogueCents: number | null;
  periodEnd: number | null;
  cancelAt: number | null;
  isCancelling: boolean;
  endedAt: number | null;
  isInvoiced: boolean;
  latestInvoiceId: string | null;
  nextAttemptAt: number | null;
  pending: { plan: PaidPlan | null; quantity: number; expiresAt: number } | null;
  /** When the money of the running period had gone back; null while it has not. */
  moneyBackAt: number | null;
  isDisputed: boolean;
};

const pendingSchema = z.object({
  priceKey: z.string().nullable(),
  quantity: z.int(),
  expiresAt: z.int(),
});

/** The trial and the subscription of each platform, without asking the provider. */
export async function platformMoney(
  deps: Uses<"control" | "clock">,
  organisationId: string,
  platforms: readonly string[],
): Promise<Map<string, PlatformMoney>> {
  const [trials, plans, { rows }] = await Promise.all([
    listTrialStatuses(deps, organisationId, platforms),
    listPlans(deps, organisationId),
    readProjection(deps.control, organisationId),
  ]);
  return new Map(
    platforms.flatMap((platform) => {
      const trial = trials.get(platform);
      if (!trial) return [];
      const plan = plans.get(platform);
      const shown = shownOf(platform, rows);
      // While a trial runs, a subscription that is over or was never paid does not hide it.
      const isTrial = plan?.plan === "trial" && plan.isActive;
      const row = isTrial && shown && shown.endedAt !== null ? null : shown;
      const endsAt = plan?.endsAt ?? null;
      const money: PlatformMoney = {
        trial: {
          status: trial.trialStatus,
          hoursLeft: trial.trialHoursLeft,
          endsAt: plan?.plan === "trial" ? endsAt : null,
        },
        bought: row ? toBought(row) : plan ? toGranted(plan) : null,
        planQuantity: trial.planQuantity,
        backupHours: (plan?.periodMs ?? 0) / HOUR_MS,
        rightEndsAt: endsAt,
        removedAt: plan && !plan.isActive && endsAt !== null ? endsAt + GRACE_MS : null,
      };
      return [[platform, money] as const];
    }),
  );
}

/** A plan without a subscription at the provider: support granted it. */
function toGranted({ plan, isActive, quantity, endsAt }: Entitlements): BoughtPlan | null {
  if (plan !== "essential" && plan !== "pro") return null;
  return {
    id: null,
    plan,
    period: null,
    state: isActive ? "active" : "inactive",
    quantity,
    paidQuantity: quantity,
    priceKey: null,
    nextInvoiceCents: null,
    catalogueCents: null,
    periodEnd: endsAt,
    cancelAt: null,
    isCancelling: false,
    endedAt: null,
    isInvoiced: false,
    latestInvoiceId: null,
    nextAttemptAt: null,
    pending: null,
    moneyBackAt: null,
    isDisputed: false,
  };
}

function toBought(row: SubscriptionRow): BoughtPlan {
  const price = findPrice(row.priceKey);
  const maximum = capacityOf(row.platform)?.maximum ?? 0;
  const pending = row.pendingJson === null ? null : pendingSchema.parse(JSON.parse(row.pendingJson));
  const pendingPrice = pending?.priceKey == null ? null : findPrice(pending.priceKey);
  return {
    id: row.id,
    plan: row.plan,
    period: row.period,
    state: row.status,
    quantity: row.quantity,
    paidQuantity: row.boughtQuantity,
    priceKey: row.priceKey,
    nextInvoiceCents: row.nextInvoiceCents,
    catalogueCents:
      price && row.quantity > 0 && row.quantity <= maximum ? costCents(price, row.quantity) : null,
    periodEnd: row.periodEnd,
    cancelAt: row.cancelAt,
    isCancelling: row.cancelAt !== null,
    endedAt: row.endedAt,
    isInvoiced: row.collectionMethod === "invoice",
    latestInvoiceId: row.latestInvoiceId,
    nextAttemptAt: row.nextAttemptAt,
    pending: pending && {
      plan: pendingPrice?.plan ?? null,
      quantity: pending.quantity,
      expiresAt: pending.expiresAt,
    },
    moneyBackAt: row.moneyBackAt,
    isDisputed: row.isDisputed,
  };
}

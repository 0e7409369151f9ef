import type { z } from "zod";
import { LOCAL_PLANS, MOST_ITEMS } from "#core/billing/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import type { PlatformMoney } from "#core/payments/index.ts";
import type { RemovedHoldings } from "#core/removals/index.ts";
import { kindName } from "../../kind-names.ts";
import type { platformStatusAnswer, subscriptionAnswer } from "../../payment-answers.ts";

type StatusInput = {
  platform: string;
  label: string;
  /** The platform's first kind of item, by which its quantity is named. */
  kind: string;
  money: PlatformMoney;
  removed: RemovedHoldings | null;
  added: number;
  /** The users that the plan counts, null while they are not known; absent where it counts items. */
  users?: number | null;
  isConnected: boolean;
  now: number;
  place: { s3_region: string | undefined; cloud_storages: string[]; isConnectionActive: boolean };
};

const PLANS = { essential: "essential", pro: "pro_plan" } as const;
const PLAN_NAMES = { essential: "Essential", pro: "Pro", trial: "Trial" } as const;
/** A platform's trial and subscription in the specification's names (spec part 3 section 3). */
export function statusRow(input: StatusInput): z.input<typeof platformStatusAnswer> {
  const { platform, money, added, now, place } = input;
  const { trial, bought } = money;
  const prefix = `stripe_${platform}`;
  return {
    trialStatus: trial.status,
    trialHoursLeft: trial.hoursLeft,
    finishDate: trial.status === "active" ? dayOf(now + trial.hoursLeft * HOUR_MS) : null,
    planQuantity: money.planQuantity,
    addedItemsQuantity: added,
    availableItemsQuantity: Math.max(
      0,
      (input.users === undefined ? money.planQuantity : MOST_ITEMS) - added,
    ),
    isInvoiceRequested: bought?.isInvoiced ?? false,
    isCancel: bought?.isCancelling ?? false,
    subscription_type: bought ? PLANS[bought.plan] : null,
    subscription_period: bought?.period ?? null,
    subscription_status: bought?.state ?? null,
    ...place,
    subscription: subscriptionRow(input),
    [`${prefix}_next_invoice`]: bought?.nextInvoiceCents ?? null,
    [`${prefix}_subscription_cancel_at_period_end`]: bought?.isCancelling ?? false,
    [`${prefix}_subscription_status`]: bought?.state ?? null,
    [`${prefix}_subscription_bank_transfer_requested`]: bought?.isInvoiced ?? false,
    [`${prefix}_subscription_current_period_end`]:
      bought?.periodEnd == null ? null : Math.floor(bought.periodEnd / 1000),
    [`${prefix}_price_id`]: bought?.priceKey ?? null,
    ...(input.users === undefined
      ? { [`${prefix}_${kindName(input.kind)}_quantity`]: bought?.quantity ?? 0 }
      : {
          [`${prefix}_users_quantity`]: bought?.quantity ?? 0,
          [`${prefix}_users_bought_quantity`]: bought?.paidQuantity ?? 0,
          availableUsersQuantity: input.users === null ? null : Math.max(0, money.planQuantity - input.users),
          domainUsersNumber: input.users,
        }),
  };
}

function subscriptionRow({
  label,
  money,
  removed,
  added,
  isConnected,
  users,
}: StatusInput): z.input<typeof subscriptionAnswer> {
  const { trial, bought } = money;
  const isTrial = bought === null && trial.status !== "not started";
  const name = bought ? bought.plan : isTrial ? "trial" : null;
  // Where users are counted, what comes next is told only of an active subscription (spec B-167).
  const isBuilt = users === undefined || bought === null || bought.state === "active";
  const endsAt = bought ? (bought.cancelAt ?? bought.periodEnd ?? bought.endedAt) : trial.endsAt;
  return {
    id: bought?.id ?? null,
    type: bought ? "subscription" : isTrial ? "trial" : "no-sub",
    name: name ? PLAN_NAMES[name] : "",
    platformName: label,
    status: bought ? bought.state : trial.status === "active" ? "trialing" : "inactive",
    planName: name ? PLAN_NAMES[name] : null,
    plan: bought ? PLANS[bought.plan] : isTrial ? "trial" : null,
    isAnnual: bought?.period === "year",
    periodHours: isTrial ? LOCAL_PLANS.trial.periodHours : money.backupHours,
    finishDate: endsAt === null || !isBuilt ? null : dayOf(endsAt),
    finishDateInMillisecond: isBuilt ? endsAt : null,
    cost: !isBuilt || bought?.nextInvoiceCents == null ? null : bought.nextInvoiceCents / 100,
    price: !isBuilt || bought?.catalogueCents == null ? null : bought.catalogueCents / 100,
    quantity: bought?.quantity ?? money.planQuantity,
    planQuantity: money.planQuantity,
    addedItemsQuantity: added,
    isInvoiceRequested: bought?.isInvoiced ?? false,
    isCancel: bought?.isCancelling ?? false,
    isPaid: bought?.state === "active" && bought.moneyBackAt === null,
    isConnect: isConnected,
    rightEnds: money.rightEndsAt,
    removedAt: money.removedAt,
    // What went under an earlier plan is in the audit trail.
    removed: money.removedAt === null ? null : removed,
    latestInvoiceId: bought?.latestInvoiceId ?? null,
    nextAttempt: bought?.nextAttemptAt ?? null,
    pending: bought?.pending
      ? {
          plan: bought.pending.plan === null ? null : PLANS[bought.pending.plan],
          quantity: bought.pending.quantity,
          expires: bought.pending.expiresAt,
        }
      : null,
    moneyBack: bought?.moneyBackAt ?? null,
    isDisputed: bought?.isDisputed ?? false,
  };
}

/** DD/MM/YYYY in UTC (spec part 3 section 3, "Trial"). */
function dayOf(ms: number): string {
  const [year, month, day] = new Date(ms).toISOString().slice(0, 10).split("-");
  return `${day}/${month}/${year}`;
}

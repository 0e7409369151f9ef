import { expect, test } from "vitest";
import { SUBSCRIPTION_STATES } from "#connectors/contract/payment-provider.ts";
import type { BoughtPlan, PlatformMoney } from "#core/payments/platform-money.ts";
import { platformStatusAnswer } from "../../payment-answers.ts";
import { statusRow } from "./status-row.ts";

const NOW = Date.UTC(2026, 10, 26, 9);
const PERIOD_END = 1_700_000_000_000;

const bought: BoughtPlan = {
  ...{ id: "sub_1", plan: "essential", period: "month", state: "active", quantity: 50, paidQuantity: 50 },
  ...{ priceKey: "github.essential.month", nextInvoiceCents: 2_400, catalogueCents: 2_400 },
  ...{ periodEnd: PERIOD_END, cancelAt: null, isCancelling: false, endedAt: null, isInvoiced: false },
  ...{ latestInvoiceId: "in_1", nextAttemptAt: null, pending: null, moneyBackAt: null, isDisputed: false },
};
const NOT_STARTED: PlatformMoney["trial"] = { status: "not started", hoursLeft: 0, endsAt: null };

function answer(
  money: Partial<PlatformMoney>,
  { platform = "github", kind = "repository", added = 46, isConnected = true } = {},
) {
  const row = statusRow({
    ...{ platform, kind, added, isConnected, label: "GitHub", now: NOW, removed: null },
    money: {
      ...{ trial: NOT_STARTED, bought: null, planQuantity: 50, backupHours: 24 },
      ...{ rightEndsAt: null, removedAt: null, ...money },
    },
    place: { s3_region: "eu-central-1", cloud_storages: ["s3"], isConnectionActive: true },
  });
  return platformStatusAnswer.parse(row);
}
const trial = (hoursLeft: number): Partial<PlatformMoney> => ({
  trial: { status: "active", hoursLeft, endsAt: NOW + hoursLeft * 3_600_000 },
  planQuantity: 10,
});

test("[B-120] an active subscription has its dates, quantities, period, plan, price and platform", () => {
  expect(answer({ bought }).subscription).toMatchObject({
    ...{ finishDate: "14/11/2023", quantity: 50, addedItemsQuantity: 46, planQuantity: 50 },
    ...{ periodHours: 24, plan: "essential", price: 24, platformName: "GitHub" },
  });
  const pro = { ...bought, plan: "pro" as const, catalogueCents: 4_800 };
  expect(answer({ bought: pro, backupHours: 12 }).subscription).toMatchObject({
    ...{ periodHours: 12, plan: "pro_plan", price: 48 },
  });
});

test("[B-121] the end in milliseconds is the provider's period end in seconds, converted", () => {
  const { subscription, ...row } = answer({ bought });
  expect(row.stripe_github_subscription_current_period_end).toBe(1_700_000_000);
  expect(subscription.finishDateInMillisecond).toBe(1_700_000_000_000);
});

test("[B-123] a subscription that is paid by bank transfer says so", () => {
  const asked = (isInvoiced: boolean) => {
    const { subscription, ...row } = answer({ bought: { ...bought, isInvoiced } });
    return [
      subscription.isInvoiceRequested,
      row.isInvoiceRequested,
      row.stripe_github_subscription_bank_transfer_requested,
    ];
  };
  expect([asked(true), asked(false)]).toEqual([Array(3).fill(true), Array(3).fill(false)]);
});

test("[B-125] a subscription is paid once it is active, and connected once its platform is", () => {
  const flags = (state: BoughtPlan["state"], isConnected: boolean) => {
    const { isPaid, isConnect } = answer({ bought: { ...bought, state } }, { isConnected }).subscription;
    return [isPaid, isConnect];
  };
  const paid = SUBSCRIPTION_STATES.filter((state) => flags(state, false)[0]);
  expect(paid).toEqual(["active"]);
  expect(flags("incomplete", false)).toEqual([false, false]);
  expect(flags("active", false)).toEqual([true, false]);
  expect(flags("active", true)).toEqual([true, true]);
});

test("[B-126] [B-127] [B-166] a subscription is none, a trial named Trial, or one that was bought", () => {
  const kindOf = (money: Partial<PlatformMoney>) => {
    const { type, name, planName, plan } = answer(money).subscription;
    return [type, name, planName, plan];
  };
  const over: PlatformMoney["trial"] = { status: "expired", hoursLeft: 0, endsAt: NOW - 1 };
  expect(kindOf({})).toEqual(["no-sub", "", null, null]);
  expect(kindOf(trial(24))).toEqual(["trial", "Trial", "Trial", "trial"]);
  expect(kindOf({ trial: over })).toEqual(["trial", "Trial", "Trial", "trial"]);
  expect(kindOf({ trial: over, bought })).toEqual(["subscription", "Essential", "Essential", "essential"]);
});

test("[B-128] [B-129] a trial has its state, hours and quantities, and ends that many hours from now", () => {
  expect(answer(trial(24), { added: 4 })).toMatchObject({
    ...{ trialStatus: "active", trialHoursLeft: 24, finishDate: "27/11/2026" },
    ...{ planQuantity: 10, availableItemsQuantity: 6, addedItemsQuantity: 4 },
    ...{ isInvoiceRequested: false, isCancel: false },
  });
  // Over the end of a month and a year, and with more items than the trial includes.
  expect(answer(trial(36 * 24), { added: 12 })).toMatchObject({
    ...{ finishDate: "01/01/2027", availableItemsQuantity: 0 },
  });
  expect(answer({}).finishDate).toBeNull();
});

test("[B-133] a platform has its region, storages, plan and period", () => {
  const year = { ...bought, plan: "pro" as const, period: "year" as const };
  expect(answer({ bought: year })).toMatchObject({
    ...{ s3_region: "eu-central-1", cloud_storages: ["s3"] },
    ...{ subscription_type: "pro_plan", subscription_period: "year" },
  });
  expect(answer({})).toMatchObject({ subscription_type: null, subscription_period: null });
});

test("[B-135] the quantity is called by the platform's kind of item", () => {
  const named = (platform: string, kind: string) =>
    Object.entries(answer({ bought }, { platform, kind })).filter(([name]) => name.endsWith("_quantity"));
  expect(named("github", "repository")).toEqual([["stripe_github_repos_quantity", 50]]);
  expect(named("gitlab", "project")).toEqual([["stripe_gitlab_projects_quantity", 50]]);
  expect(named("trello", "board")).toEqual([["stripe_trello_boards_quantity", 50]]);
  expect(named("notion", "workspace")).toEqual([["stripe_notion_workspaces_quantity", 50]]);
});

test("every state of the provider, and that of a plan that has ended without it, reaches the wire", () => {
  for (const state of [...SUBSCRIPTION_STATES, "inactive"] as const) {
    const { subscription, ...row } = answer({ bought: { ...bought, state } });
    expect([subscription.status, row.subscription_status, row.stripe_github_subscription_status]).toEqual(
      Array(3).fill(state),
    );
  }
});

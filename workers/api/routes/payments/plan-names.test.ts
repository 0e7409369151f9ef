import { expect, test } from "vitest";
import { subscriptionAnswer } from "../../payment-answers.ts";
import { statusRow } from "./status-row.ts";

type Money = Parameters<typeof statusRow>[0]["money"];
const bought: NonNullable<Money["bought"]> = {
  ...{
    id: "sub_1",
    plan: "pro",
    period: "month",
    state: "active",
    quantity: 50,
    paidQuantity: 50,
    priceKey: "p",
  },
  ...{ nextInvoiceCents: 100, catalogueCents: 100, periodEnd: 1, cancelAt: null, isCancelling: false },
  ...{ endedAt: null, isInvoiced: false, latestInvoiceId: null, nextAttemptAt: null, pending: null },
  ...{ moneyBackAt: null, isDisputed: false },
};
const trialOf = (status: Money["trial"]["status"]) => ({ status, hoursLeft: 0, endsAt: 1 });

function planOf(money: Pick<Money, "trial" | "bought">) {
  const rest = { planQuantity: 10, backupHours: 24, rightEndsAt: null, removedAt: null };
  const row = statusRow({
    ...{
      platform: "alpha",
      label: "Alpha",
      kind: "item",
      added: 0,
      isConnected: true,
      now: 0,
      removed: null,
    },
    money: { ...money, ...rest },
    place: { s3_region: undefined, cloud_storages: [], isConnectionActive: false },
  });
  return [row.subscription.planName, row.subscription.name, row.subscription.type];
}

test("[B-004] [P-002] a platform is on Trial, Essential or Pro, or has no subscription", () => {
  expect(planOf({ trial: trialOf("not started"), bought: null })).toEqual([null, "", "no-sub"]);
  for (const status of ["active", "expired"] as const)
    expect(planOf({ trial: trialOf(status), bought: null })).toEqual(["Trial", "Trial", "trial"]);
  for (const [plan, name] of [
    ["essential", "Essential"],
    ["pro", "Pro"],
  ] as const)
    expect(planOf({ trial: trialOf("expired"), bought: { ...bought, plan } })).toEqual([
      name,
      name,
      "subscription",
    ]);
  const names = subscriptionAnswer.shape.planName;
  for (const name of ["Trial", "Essential", "Pro", null]) expect(names.safeParse(name).success).toBe(true);
  for (const name of ["Enterprise", "essential", ""]) expect(names.safeParse(name).success).toBe(false);
});

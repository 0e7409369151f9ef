import { expect, test } from "vitest";
import { SUBSCRIPTION_STATES } from "#connectors/contract/payment-provider.ts";
import type { SubscriptionView } from "./billing-queries.ts";
import { cancelRefusal, compareSubscriptions, isEnded, needsAttention, statusChip } from "./status-words.ts";

type State = SubscriptionView["status"];
const STATES: State[] = [...SUBSCRIPTION_STATES, "inactive"];

test.each<[State, string, string]>([
  ["active", "active", "ok"],
  ["past_due", "past due", "bad"],
  ["unpaid", "unpaid", "bad"],
  ["trialing", "trial period", "warn"],
  ["incomplete", "error", "bad"],
  ["paused", "error", "bad"],
  ["canceled", "inactive", "ended"],
  ["incomplete_expired", "inactive", "ended"],
  ["inactive", "inactive", "ended"],
])("%s is shown as '%s'", (status, word, tone) => {
  expect(statusChip({ status, isCancel: false })).toEqual({ word, tone });
});

test("a cancelled subscription that still runs says so", () => {
  expect(statusChip({ status: "active", isCancel: true })).toEqual({ word: "cancelling", tone: "quiet" });
});

test("every state but active either ended or needs attention, and none does both", () => {
  for (const status of STATES)
    expect([status, Number(isEnded(status)) + Number(needsAttention(status))]).toEqual([
      status,
      status === "active" ? 0 : 1,
    ]);
});

test("only an active subscription that is no trial and not cancelled can be cancelled", () => {
  expect(cancelRefusal({ status: "active", plan: "essential", isCancel: false })).toBeNull();
  expect(cancelRefusal({ status: "past_due", plan: "essential", isCancel: false })).toBe("not-active");
  expect(cancelRefusal({ status: "trialing", plan: "trial", isCancel: false })).toBe("trial");
  expect(cancelRefusal({ status: "active", plan: "pro_plan", isCancel: true })).toBe("cancelled");
});

test("the list begins with what is worst", () => {
  const rows = STATES.map(
    (status) => ({ status, isCancel: false, platformName: status }) as SubscriptionView,
  );
  rows.push({ status: "active", isCancel: true, platformName: "ending" } as SubscriptionView);
  expect(rows.sort(compareSubscriptions).map(({ platformName }) => platformName)).toEqual([
    "unpaid",
    "past_due",
    "incomplete",
    "paused",
    "trialing",
    "ending",
    "active",
    "incomplete_expired",
    "canceled",
    "inactive",
  ]);
});

import { expect, test } from "vitest";
import { demoCatalogue } from "#tests/harness/catalogue-fixtures.ts";
import type { AppliedCoupon } from "./checkout-memory.ts";
import type { Choice } from "./choice.ts";
import { couponPlatforms, discountOf } from "./coupon-platforms.ts";

const catalogue = demoCatalogue();
const choices: Choice[] = [
  { platform: "github", plan: "essential", period: "month", quantity: 10 },
  { platform: "trello", plan: "pro_plan", period: "year", quantity: 10 },
  { platform: "gitlab", plan: "essential", period: "month", quantity: 50 },
];
const coupon = (more: Partial<AppliedCoupon>): AppliedCoupon => ({
  ...{ code: "C", amountOff: null, percentOff: null, platforms: null },
  ...more,
});
const reduced = (one: AppliedCoupon | null) => [...couponPlatforms(catalogue, choices, one)];

test("a percentage is for every app that the coupon is for, an amount only for the dearest", () => {
  expect(reduced(null)).toEqual([]);
  expect(reduced(coupon({ percentOff: 10 }))).toEqual(["github", "trello", "gitlab"]);
  expect(reduced(coupon({ percentOff: 10, platforms: ["gitlab"] }))).toEqual(["gitlab"]);
  expect(reduced(coupon({ amountOff: 500 }))).toEqual(["trello"]);
  expect(reduced(coupon({ amountOff: 500, platforms: ["github", "gitlab"] }))).toEqual(["gitlab"]);
  expect(reduced(coupon({ amountOff: 500, platforms: ["jira"] }))).toEqual([]);
});

test("a coupon takes off no more than the price", () => {
  expect(discountOf(coupon({ percentOff: 25 }), 1_200)).toBe(300);
  expect(discountOf(coupon({ amountOff: 500 }), 1_200)).toBe(500);
  expect(discountOf(coupon({ amountOff: 5_000 }), 1_200)).toBe(1_200);
});

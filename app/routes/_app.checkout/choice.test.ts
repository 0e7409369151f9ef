import { expect, test } from "vitest";
import type { PlatformStatus } from "#app/money/billing-queries.ts";
import { demoCatalogue } from "#tests/harness/catalogue-fixtures.ts";
import { type Choice, centsOfChoice, firstChoice, isOnRequest, refusalOf, warningOf } from "./choice.ts";

const catalogue = demoCatalogue();
const choice = (more: Partial<Choice> = {}): Choice => ({
  platform: "github",
  plan: "essential",
  period: "month",
  quantity: 10,
  ...more,
});
const trial = (used: number) =>
  ({
    trialStatus: "active",
    addedItemsQuantity: used,
    subscription: { type: "trial", status: "trialing", plan: "trial" },
  }) as PlatformStatus;
const bought = (more: object = {}, used = 4) =>
  ({
    trialStatus: "expired",
    addedItemsQuantity: used,
    subscription: {
      ...{ type: "subscription", status: "active", plan: "essential", isAnnual: false, quantity: 50 },
      ...more,
    },
  }) as PlatformStatus;

const reason = (one: Choice | null, status?: PlatformStatus) =>
  refusalOf(catalogue, one, status)?.kind ?? null;

test("Continue needs an app, a quantity, and a price", () => {
  expect(reason(null)).toBe("no-app");
  expect(reason(choice())).toBeNull();
  expect(reason(choice({ platform: "jira", quantity: 0 }))).toBe("empty");
  expect(reason(choice({ plan: "enterprise" }))).toBe("on-request");
  expect(reason(choice({ quantity: 1001 }))).toBe("on-request");
});

test.each([
  ["B-304", "github", 1000],
  ["B-305", "gitlab", 1000],
  ["B-306", "trello", 200],
  ["B-307", "notion", 200],
  ["B-308", "jira", 2000],
])("above the top of its brackets a platform is on request (%s)", (_row, platform, most) => {
  expect(isOnRequest(catalogue, choice({ platform, quantity: most }))).toBe(false);
  expect(isOnRequest(catalogue, choice({ platform, quantity: most + 1 }))).toBe(true);
});

test("a trial's items must fit, and a platform sold by the unit needs five in a trial", () => {
  expect(refusalOf(catalogue, choice(), trial(20))).toEqual({ kind: "too-few", least: 20 });
  expect(reason(choice({ quantity: 20 }), trial(20))).toBeNull();
  expect(refusalOf(catalogue, choice({ platform: "trello", quantity: 9 }), undefined)).toEqual({
    kind: "too-few",
    least: 10,
  });
  expect(refusalOf(catalogue, choice({ platform: "notion", quantity: 4 }), trial(0))).toEqual({
    kind: "too-few",
    least: 5,
  });
  expect(reason(choice({ platform: "notion", quantity: 5 }), trial(0))).toBeNull();
});

test("a trial of Jira is bought for all of its users, who are counted and not its projects", () => {
  const site = (users: number | null) => ({ ...trial(12), domainUsersNumber: users });
  expect(firstChoice(catalogue, "jira", site(148))).toMatchObject({ quantity: 148 });
  expect(refusalOf(catalogue, choice({ platform: "jira", quantity: 100 }), site(148))).toEqual({
    kind: "too-few",
    least: 148,
  });
  expect(firstChoice(catalogue, "jira", site(null))).toMatchObject({ quantity: 5 });
  expect(reason(choice({ platform: "jira", quantity: 5 }), site(null))).toBeNull();
  expect(reason(choice({ platform: "jira", quantity: 2_340 }), site(2_340))).toBe("on-request");
});

test("the same plan, period and quantity cannot be bought again, but any of them can change", () => {
  expect(reason(choice({ quantity: 50 }), bought())).toBe("active");
  expect(reason(choice({ quantity: 24 }), bought())).toBe("active");
  expect(reason(choice({ quantity: 51 }), bought())).toBeNull();
  expect(reason(choice({ quantity: 50, plan: "pro_plan" }), bought())).toBeNull();
  expect(reason(choice({ quantity: 50, period: "year" }), bought())).toBeNull();
  expect(reason(choice({ quantity: 50 }), bought({ status: "canceled" }))).toBeNull();
  expect(reason(choice({ quantity: 100 }), bought({ status: "past_due" }))).toBe("unpaid");
});

test("warnings tell that a choice runs already, or holds fewer than are backed up", () => {
  expect(warningOf(catalogue, choice({ quantity: 50 }), bought())).toBe("active");
  expect(warningOf(catalogue, choice({ quantity: 10 }), bought({}, 20))).toBe("fewer");
  expect(warningOf(catalogue, choice({ quantity: 100 }), bought({}, 20))).toBeNull();
  expect(warningOf(catalogue, choice({ plan: "enterprise" }), bought({}, 20))).toBeNull();
});

test("the checkout opens with what is bought, else with the smallest plan that holds everything", () => {
  expect(firstChoice(catalogue, "github", undefined)).toEqual(choice());
  expect(firstChoice(catalogue, "github", trial(37))).toEqual(choice({ quantity: 37 }));
  expect(firstChoice(catalogue, "jira", trial(0))).toMatchObject({ quantity: 5, period: "month" });
  expect(firstChoice(catalogue, "github", bought({ plan: "pro_plan", isAnnual: true }))).toEqual(
    choice({ plan: "pro_plan", period: "year", quantity: 50 }),
  );
  expect(firstChoice(catalogue, "github", bought({ status: "canceled" }))).toEqual(choice());
});

test("a choice costs what its bracket costs", () => {
  expect(centsOfChoice(catalogue, choice({ quantity: 11, period: "year" }))).toBe(23_040);
  expect(centsOfChoice(catalogue, choice({ platform: "jira", period: "year" }))).toBeNull();
  expect(centsOfChoice(catalogue, choice({ platform: "jira", quantity: 101 }))).toBe(25_225);
});

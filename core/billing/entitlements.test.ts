import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { entitlements } from "./entitlements.ts";

const now = Date.UTC(2026, 10, 3);

test.each([
  ["no subscription", null, { plan: "none", isActive: false, itemLimit: 0, hasProFeatures: false }],
  [
    "a running trial",
    { plan: "trial", quantity: 10, endsAt: now + 1 },
    { isActive: true, itemLimit: 10, hasProFeatures: true, retentionDays: 30, periodMs: 24 * HOUR_MS },
  ],
  [
    "a trial in its last instant",
    { plan: "trial", quantity: 10, endsAt: now },
    { isActive: false, hasProFeatures: false, retentionDays: 30 },
  ],
  [
    "Essential",
    { plan: "essential", quantity: 24, endsAt: null },
    { isActive: true, itemLimit: 24, hasProFeatures: false, retentionDays: 30, periodMs: 24 * HOUR_MS },
  ],
  [
    "Pro",
    { plan: "pro", quantity: 50, endsAt: now + DAY_MS },
    { isActive: true, itemLimit: 50, hasProFeatures: true, retentionDays: 90, periodMs: 12 * HOUR_MS },
  ],
  [
    "Pro that has ended",
    { plan: "pro", quantity: 50, endsAt: now - 1 },
    { isActive: false, hasProFeatures: false, retentionDays: 90 },
  ],
] as const)("[P-232] %s has the entitlements of the plan table", (_name, subscription, expected) => {
  expect(entitlements(subscription, now)).toMatchObject(expected);
});

test("where the plan counts people, any number of items can be protected", () => {
  const bought = { plan: "essential", quantity: 3, endsAt: null } as const;
  expect(entitlements(bought, 0, "people")).toMatchObject({ quantity: 3, itemLimit: 1_000_000 });
  expect(entitlements(bought, 0)).toMatchObject({ quantity: 3, itemLimit: 3 });
  expect(entitlements(null, 0, "people")).toMatchObject({ quantity: 0, itemLimit: 0 });
});

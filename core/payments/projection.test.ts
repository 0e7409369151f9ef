import fc from "fast-check";
import { expect, test } from "vitest";
import { type ProviderSubscription, SUBSCRIPTION_STATES } from "#connectors/contract/payment-provider.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { isLive, rightEndOf, rightOf, shownOf, toRow } from "./projection.ts";

const PERIOD_END = Date.UTC(2026, 11, 3);
const subscription = (over: Partial<ProviderSubscription> = {}): ProviderSubscription => ({
  id: "sub_1",
  commandId: null,
  itemId: "si_1",
  priceKey: "github.essential.month",
  quantity: 10,
  paidQuantity: 10,
  state: "active",
  periodStart: Date.UTC(2026, 10, 3),
  periodEnd: PERIOD_END,
  cancelAt: null,
  isCancelledByDate: false,
  endedAt: null,
  createdAt: Date.UTC(2026, 10, 3),
  isInvoiced: false,
  latestInvoice: null,
  pending: null,
  ...over,
});
const row = (over: Partial<ProviderSubscription> = {}) => toRow("org_1", subscription(over), 1_200)!;
const owed = (over: object = {}) => ({
  id: "in_1",
  state: "open" as const,
  finalizedAt: PERIOD_END + HOUR_MS,
  dueAt: null,
  nextAttemptAt: null,
  attempts: 1,
  isRenewal: true,
  ...over,
});

test("an active subscription gives its right until three days after the period, a cancelled one until its date", () => {
  expect(rightEndOf(row())).toBe(PERIOD_END + 72 * HOUR_MS);
  expect(rightEndOf(row({ cancelAt: PERIOD_END }))).toBe(PERIOD_END);
});

test("a failed renewal gives its right for fourteen days after its invoice, whatever the period says", () => {
  for (const state of ["past_due", "unpaid"] as const) {
    const late = row({ state, periodEnd: PERIOD_END + 30 * DAY_MS, latestInvoice: owed() });
    expect(rightEndOf(late)).toBe(PERIOD_END + HOUR_MS + 14 * DAY_MS);
  }
});

test("ending a renewal that was never paid does not prolong its right, and neither does voiding its invoice", () => {
  const endedAt = PERIOD_END + 44 * DAY_MS;
  const ended = (latestInvoice: ReturnType<typeof owed>) =>
    rightEndOf(row({ state: "canceled", endedAt, latestInvoice }));
  const fourteenDays = PERIOD_END + HOUR_MS + 14 * DAY_MS;
  for (const state of ["open", "uncollectible", "void"] as const)
    expect([state, ended({ ...owed(), state: state as "open" })]).toEqual([state, fourteenDays]);
  const early = { state: "canceled", endedAt: PERIOD_END + DAY_MS, latestInvoice: owed() } as const;
  expect(rightEndOf(row(early))).toBe(PERIOD_END + DAY_MS);
});

test("an ended subscription whose periods were paid gives its right to its end, whatever became of a change", () => {
  const endedAt = PERIOD_END + 44 * DAY_MS;
  for (const over of [{ state: "paid" }, { isRenewal: false }, { isRenewal: false, state: "void" }])
    expect(rightEndOf(row({ state: "canceled", endedAt, latestInvoice: owed(over) }))).toBe(endedAt);
});

test("what is paid by bank transfer counts until fourteen days after it is due", () => {
  const dueAt = Date.UTC(2026, 10, 10);
  const waiting = row({ isInvoiced: true, latestInvoice: owed({ dueAt }) });
  expect(rightEndOf(waiting)).toBe(dueAt + 14 * DAY_MS);
  expect(rightEndOf(row({ isInvoiced: true, latestInvoice: owed({ dueAt, state: "paid" }) }))).toBe(
    PERIOD_END + 72 * HOUR_MS,
  );
});

test("what was never paid gives no right", () => {
  for (const state of ["incomplete", "incomplete_expired", "paused"] as const)
    expect(rightEndOf(row({ state }))).toBeNull();
});

test("the right follows what was paid for, not what was ordered", () => {
  expect(rightOf("github", [row({ quantity: 50, paidQuantity: 10 })], null)).toMatchObject({ quantity: 10 });
});

test("the winner is what is live and paid, then what ends last; the trial counts like anything that ends", () => {
  const trialEnd = PERIOD_END + 90 * DAY_MS;
  expect(rightOf("github", [row()], trialEnd)).toMatchObject({ plan: "essential" });
  const ended = row({ state: "canceled", endedAt: PERIOD_END });
  expect(rightOf("github", [ended], trialEnd)).toMatchObject({ plan: "trial", endsAt: trialEnd });
  expect(rightOf("github", [ended], PERIOD_END - 1)).toMatchObject({ plan: "essential", endsAt: PERIOD_END });
  expect(rightOf("trello", [row()], null)).toBeNull();
});

test("a price that is not ours has no row, and the platform comes from the price alone", () => {
  expect(toRow("org_1", subscription({ priceKey: "someone.else" }), null)).toBeNull();
  expect(toRow("org_1", subscription({ priceKey: null }), null)).toBeNull();
  expect(row({ priceKey: "trello.pro.year" })).toMatchObject({
    platform: "trello",
    plan: "pro",
    period: "year",
  });
});

const anySubscription = fc
  .record({
    id: fc.constantFrom("sub_1", "sub_2", "sub_3", "sub_4"),
    state: fc.constantFrom(...SUBSCRIPTION_STATES),
    priceKey: fc.constantFrom("github.essential.month", "github.pro.year", "trello.pro.month"),
    createdAt: fc.integer({ min: 1, max: 3 }),
    periodEnd: fc.integer({ min: 4, max: 8 }),
    cancelAt: fc.option(fc.integer({ min: 4, max: 8 })),
    endedAt: fc.option(fc.integer({ min: 4, max: 8 })),
  })
  .map((over) => row(over));

test("right and shown subscription do not depend on the order in which rows arrive, nor on repeats", () => {
  const rows = fc.uniqueArray(anySubscription, { selector: ({ id }) => id, maxLength: 4 });
  fc.assert(
    fc.property(
      rows,
      fc.option(fc.integer({ min: 1, max: 9 })),
      fc.infiniteStream(fc.nat()),
      (all, trial, noise) => {
        const shuffled = all
          .map((each) => ({ each, at: noise.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ each }) => each);
        for (const platform of ["github", "trello"]) {
          expect(rightOf(platform, shuffled, trial)).toEqual(rightOf(platform, all, trial));
          expect(rightOf(platform, [...all, ...shuffled], trial)).toEqual(rightOf(platform, all, trial));
          expect(shownOf(platform, shuffled)?.id).toBe(shownOf(platform, all)?.id);
        }
      },
    ),
  );
});

test("a platform has a right exactly when something was paid or tried, and a live one is never hidden by an ended one", () => {
  fc.assert(
    fc.property(fc.array(anySubscription, { maxLength: 4 }), (all) => {
      const github = all.filter(({ platform }) => platform === "github");
      const right = rightOf("github", all, null);
      expect(right === null).toBe(github.every((each) => rightEndOf(each) === null));
      const live = github.filter(isLive);
      if (live.length > 0) expect(live.map(rightEndOf)).toContain(right!.endsAt);
    }),
  );
});

test("money that went back ends the right, and a trial that still runs counts again", () => {
  const back = { moneyBackAt: Date.UTC(2026, 10, 10), isDisputed: false };
  const returned = toRow("org_1", subscription(), 1_200, back)!;
  expect(rightEndOf(returned)).toBe(back.moneyBackAt);
  expect(rightOf("github", [returned], null)).toMatchObject({ plan: "essential", endsAt: back.moneyBackAt });
  expect(rightOf("github", [returned], PERIOD_END)).toMatchObject({ plan: "trial", endsAt: PERIOD_END });
  const ended = toRow(
    "org_1",
    subscription({ state: "canceled", endedAt: Date.UTC(2026, 10, 5) }),
    null,
    back,
  )!;
  expect(rightEndOf(ended)).toBe(Date.UTC(2026, 10, 5));
});

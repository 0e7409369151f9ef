import fc from "fast-check";
import { expect, test } from "vitest";
import type { Correction, Invoice } from "#connectors/contract/payment-provider.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { moneyBackOf, toCorrectionRows } from "./corrections.ts";

const START = Date.UTC(2026, 10, 3);
const SUBSCRIPTION = { id: "sub_1", periodStart: START };

const invoice = (over: Partial<Invoice> = {}): Invoice => ({
  ...{
    id: "in_1",
    customerId: "cus_1",
    subscriptionId: "sub_1",
    number: "H-1",
    state: "paid",
    currency: "usd",
  },
  ...{ totalCents: 1_200, taxCents: 0, dueCents: 1_200, paidCents: 1_200, createdAt: START, dueAt: null },
  ...{ hostedUrl: null, pdfUrl: null, lines: [], isReverseCharge: false, intentIds: ["pi_1"] },
  ...over,
});
const correction = (over: Partial<Correction> = {}): Correction => ({
  ...{ id: "re_1", kind: "refund", state: "done", cents: 1_200, refundedCents: 0, currency: "usd" },
  ...{ intentId: "pi_1", invoiceId: null, number: null, pdfUrl: null, createdAt: START + DAY_MS },
  ...over,
});
const dispute = (state: Correction["state"]) => correction({ id: "du_1", kind: "dispute", state });

function moneyBack(
  corrections: Correction[],
  { invoices = [invoice()], now = START + 60 * DAY_MS }: { invoices?: Invoice[]; now?: number } = {},
) {
  const rows = toCorrectionRows("org_1", corrections, { known: [], platformOf: () => null, now });
  return moneyBackOf(SUBSCRIPTION, invoices, corrections, rows);
}

test("a refund of the whole payment ends the period when it is made, also before it has arrived", () => {
  expect(moneyBack([correction()])).toEqual({ moneyBackAt: START + DAY_MS, isDisputed: false });
  expect(moneyBack([correction({ state: "pending" })]).moneyBackAt).toBe(START + DAY_MS);
});

test("a part, a failed refund, a credit note and a refund of another period end nothing", () => {
  const nothing = [
    [correction({ cents: 1_199 })],
    [correction({ state: "failed" })],
    [correction({ id: "cn_1", kind: "credit_note", intentId: null, invoiceId: "in_1" })],
    [correction({ intentId: "pi_before" })],
    [dispute("won")],
  ];
  for (const corrections of nothing) expect(moneyBack(corrections).moneyBackAt).toBeNull();
  const before = invoice({ id: "in_0", intentIds: ["pi_0"], createdAt: START - 30 * DAY_MS });
  const old = correction({ intentId: "pi_0" });
  expect(moneyBack([old], { invoices: [invoice(), before] }).moneyBackAt).toBeNull();
});

test("parts add up, and a change that was paid in the same period counts as well", () => {
  const half = (id: string, at: number, over: Partial<Correction> = {}) =>
    correction({ id, cents: 600, createdAt: at, ...over });
  expect(moneyBack([half("re_1", START + 1), half("re_2", START + 2)]).moneyBackAt).toBe(START + 2);
  const change = invoice({ id: "in_2", intentIds: ["pi_2"], paidCents: 600, createdAt: START + DAY_MS });
  const invoices = [change, invoice()];
  expect(moneyBack([correction()], { invoices }).moneyBackAt).toBeNull();
  const both = [correction(), half("re_3", START + 3 * DAY_MS, { intentId: "pi_2" })];
  expect(moneyBack(both, { invoices }).moneyBackAt).toBe(START + 3 * DAY_MS);
});

test("an open dispute takes nothing away, and a lost one counts from when we learned of it", () => {
  expect(moneyBack([dispute("open")])).toEqual({ moneyBackAt: null, isDisputed: true });
  const now = START + 75 * DAY_MS;
  expect(moneyBack([dispute("lost")], { now })).toEqual({ moneyBackAt: now, isDisputed: false });
});

test("a state that was seen before keeps its time, and a new one has the time of the reading", () => {
  const read = (found: Correction[], known: ReturnType<typeof toCorrectionRows>, now: number) =>
    toCorrectionRows("org_1", found, { known, platformOf: () => "github", now });
  const opened = read([dispute("open")], [], START + 2 * DAY_MS);
  expect(opened).toMatchObject([{ platform: "github", changedAt: START + DAY_MS }]);
  expect(read([dispute("open")], opened, START + 9 * DAY_MS)).toEqual(opened);
  const lost = read([dispute("lost")], opened, START + 70 * DAY_MS);
  expect(lost).toMatchObject([{ state: "lost", changedAt: START + 70 * DAY_MS }]);
  expect(read([dispute("lost")], lost, START + 80 * DAY_MS)).toEqual(lost);
});

test("no order of corrections changes the outcome, and only what went back counts", () => {
  const any = fc.record({
    kind: fc.constantFrom("refund" as const, "dispute" as const),
    state: fc.constantFrom("pending", "done", "failed", "open", "lost", "won") as fc.Arbitrary<
      Correction["state"]
    >,
    cents: fc.integer({ min: 1, max: 1_200 }),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 6 }), (found) => {
      const list = found
        .filter(({ kind, state }) => (kind === "refund") === ["pending", "done", "failed"].includes(state))
        .map((each, at) => correction({ ...each, id: `x_${at}`, createdAt: START + at }));
      const back = list
        .filter(({ state }) => ["pending", "done", "lost"].includes(state))
        .reduce((sum, { cents }) => sum + cents, 0);
      expect(moneyBack(list).moneyBackAt !== null).toBe(back >= 1_200);
      expect(moneyBack(list.toReversed())).toEqual(moneyBack(list));
    }),
  );
});

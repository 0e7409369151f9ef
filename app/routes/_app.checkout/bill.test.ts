import { expect, test } from "vitest";
import type { Preview } from "#app/money/billing-queries.ts";
import { addMonths, type BillItem, composeBill } from "./bill.ts";

const now = Date.UTC(2026, 10, 20);
const options = { tax: { percent: null, name: "VAT, Germany" }, code: null, creditCents: 0, now };
const gitlab = (preview: Preview | null): BillItem => ({
  platform: "gitlab",
  title: "GitLab Essential",
  amountText: "101 to 250 projects",
  isAnnual: true,
  cents: 96_000,
  fullCents: 120_000,
  discountCents: 0,
  preview,
});
/** An answer of the payment provider that adds up. */
function answer(more: Partial<Preview> = {}): Preview {
  const lines = more.lines ?? [{ description: "1 × Essential", amount: 96_000, proration: false }];
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const discount = more.discount ?? 0;
  const taxRate = more.taxRate ?? 19;
  const tax = Math.round(((subtotal - discount) * taxRate) / 100);
  const total = subtotal - discount + tax;
  const remainingBalance = more.remainingBalance ?? 0;
  return {
    ...{ kind: "new", currency: "usd", recurring: 96_000, renewalDate: Date.UTC(2027, 10, 20) / 1000 },
    ...{ quote: "q", quoteExpires: 0, lines, subtotal, discount, tax, taxRate, total, remainingBalance },
    amountDue: Math.max(0, total - remainingBalance),
    reverseCharge: more.reverseCharge ?? false,
  };
}
const sumOf = (lines: readonly { cents: number }[]) => lines.reduce((sum, { cents }) => sum + cents, 0);
const shown = (lines: readonly { label: string; cents: number }[]) =>
  lines.map(({ label, cents }) => [label, cents]);

test("an upgrade for a year with coupon, proration and tax: every cent has a line", () => {
  const preview = answer({
    lines: [
      { description: "1 × Essential", amount: 96_000, proration: false },
      { description: "Unused time of 100 projects", amount: -3_167, proration: true },
    ],
    discount: 9_600,
  });
  const bill = composeBill([gitlab(preview)], { ...options, code: "FREIGHT10" });
  expect(shown(bill.lines)).toEqual([
    ["GitLab Essential", 120_000],
    ["Annual billing", -24_000],
    ["Unused time", -3_167],
    ["Coupon FREIGHT10", -9_600],
    ["VAT, Germany", 15_814],
  ]);
  expect(bill.dueCents).toBe(99_047);
  expect(sumOf(bill.lines)).toBe(bill.dueCents);
  expect(bill.lines.at(-1)?.note).toBe("19\u00a0% of $832.33");
  expect(bill.renewals).toEqual([{ at: Date.UTC(2027, 10, 20), cents: 114_240 }]);
});

test("before the provider has answered, the bill is the catalogue's", () => {
  const bill = composeBill([gitlab(null)], { ...options, tax: { percent: 20, name: "VAT" } });
  expect(bill.isEstimate).toBe(true);
  const item = { ...gitlab(null), discountCents: 9_600 };
  const reduced = composeBill([item], { ...options, tax: { percent: 20, name: "VAT" }, code: "TEN" });
  expect(shown(reduced.lines)).toContainEqual(["Coupon TEN", -9_600]);
  expect(reduced.dueCents).toBe(103_680);
  expect(bill.dueCents).toBe(115_200);
  expect(bill.renewals).toEqual([{ at: Date.UTC(2027, 10, 20), cents: 115_200 }]);
});

test("a rate of another country replaces that of the answers", () => {
  const bill = composeBill([gitlab(answer())], { ...options, tax: { percent: 20, name: "VAT, France" } });
  expect(shown(bill.lines).at(-1)).toEqual(["VAT, France", 19_200]);
  expect(bill.dueCents).toBe(115_200);
  const none = composeBill([gitlab(answer())], { ...options, tax: { percent: 0, name: "Tax" } });
  expect([none.dueCents, none.lines.length]).toEqual([96_000, 2]);
});

test("credit is a line, and what a smaller plan gives back stays as credit", () => {
  const paid = composeBill([gitlab(answer({ remainingBalance: 4_000 }))], options);
  expect(shown(paid.lines).at(-1)).toEqual(["Credit", -4_000]);
  expect(sumOf(paid.lines)).toBe(paid.dueCents);
  const smaller = answer({ lines: [{ description: "Unused", amount: -5_000, proration: true }], taxRate: 0 });
  const bill = composeBill([gitlab(smaller)], options);
  expect(shown(bill.lines)).toEqual([
    ["Unused time", -5_000],
    ["Kept as credit", 5_000],
  ]);
  expect(bill.dueCents).toBe(0);
});

test("items with their own invoices take of the credit in turn, also of what another one gives back", () => {
  const back = answer({ lines: [{ description: "Unused", amount: -5_000, proration: true }], taxRate: 0 });
  const items = [gitlab(back), { ...gitlab(answer({ taxRate: 0 })), platform: "trello" }];
  const bill = composeBill(items, { ...options, creditCents: 1_000 });
  expect(bill.dueCents).toBe(96_000 - 6_000);
  expect(sumOf(bill.lines)).toBe(bill.dueCents);
  expect(bill.renewals).toEqual([{ at: Date.UTC(2027, 10, 20), cents: 192_000 }]);
});

test("a debt is added to the first bill", () => {
  const bill = composeBill([gitlab(answer({ remainingBalance: -700, taxRate: 0 }))], options);
  expect(shown(bill.lines).at(-1)).toEqual(["Open balance", 700]);
  expect(bill.dueCents).toBe(96_700);
});

test("an answer that differs from the catalogue is shown in the provider's words", () => {
  const preview = answer({ lines: [{ description: "Old price", amount: 90_000, proration: false }] });
  const bill = composeBill([gitlab(preview)], options);
  expect(bill.lines[0]).toMatchObject({ label: "GitLab Essential", note: "Old price", cents: 90_000 });
  expect(sumOf(bill.lines)).toBe(preview.amountDue);
});

test("a renewal keeps the day, or takes the last one of a shorter month", () => {
  const day = (month: number, date: number, year = 2027) => Date.UTC(year, month, date, 9, 30);
  expect(addMonths(day(0, 31), 1)).toBe(day(1, 28));
  expect(addMonths(day(10, 20), 1)).toBe(day(11, 20));
  expect(addMonths(day(11, 31), 1)).toBe(day(0, 31, 2028));
  expect(addMonths(day(1, 29, 2028), 12)).toBe(day(1, 28, 2029));
});

test("a reverse charge is a line of its own, without a tax, and not of a country that is being entered", () => {
  const preview = answer({ taxRate: 0, reverseCharge: true });
  const bill = composeBill([gitlab(preview)], options);
  expect(bill.lines.at(-1)).toMatchObject({
    label: "VAT, Germany",
    note: expect.stringContaining("reverse charge"),
    cents: 0,
  });
  expect(sumOf(bill.lines)).toBe(bill.dueCents);
  const other = composeBill([gitlab(preview)], { ...options, tax: { percent: 20, name: "VAT, France" } });
  expect(other.lines.map(({ key }) => key)).not.toContain("tax-reverse");
});

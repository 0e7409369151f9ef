import { expect, test } from "vitest";
import type { PaymentRow } from "#app/money/billing-queries.ts";
import {
  amountOf,
  correctionWords,
  csvOf,
  isCorrection,
  payableRows,
  paymentWord,
  sumsOf,
  yearsOf,
} from "./payment-rows.ts";

const at = (date: string) => Date.parse(`${date}T12:00:00Z`) / 1000;
const row = (more: Partial<PaymentRow> = {}): PaymentRow => ({
  ...{
    created: at("2026-11-02"),
    amount_received: 5_712,
    amount_captured: 5_712,
    amount_refunded: 0,
    tax: 912,
  },
  ...{
    currency: "usd",
    paid: true,
    status: "succeeded",
    last4: "4242",
    receipt_url: "https://pay.example/r",
  },
  ...{ invoice_id: "in_1", invoice_number: "HF-1", invoice_pdf: null, product_id: "prod_1" },
  ...{ platform: "github", description: "GitHub Pro, 50 repositories" },
  kind: "payment",
  ...more,
});
const declined = row({ paid: false, status: "failed", amount_received: 0, invoice_id: "in_2" });

test("states have words that people use", () => {
  const words = [
    row(),
    declined,
    row({ amount_refunded: 5_712 }),
    row({ amount_refunded: 100 }),
    row({ paid: false, status: "processing" }),
    row({ paid: false, status: "open" }),
    row({ paid: false, status: "void" }),
  ].map(paymentWord);
  expect(words).toEqual(["paid", "declined", "refunded", "paid", "pending", "open", "cancelled"]);
  expect(amountOf(declined)).toBe(5_712);
});

test("sums count what came in and was kept", () => {
  expect(sumsOf([row(), declined, row({ amount_refunded: 712 })])).toEqual({ paid: 10_712, tax: 1_824 });
});

test("only the newest try of an invoice that is still open can be paid", () => {
  const second = { ...declined, created: at("2026-11-17") };
  const later = row({ invoice_id: "in_3" });
  const lost = row({ invoice_id: "in_3", paid: false, status: "failed" });
  expect([...payableRows([second, declined, later, lost])]).toEqual([second]);
});

test("years are listed once, the newest first", () => {
  expect(yearsOf([row(), row({ created: at("2025-12-31") }), row()])).toEqual([2026, 2025]);
});

test("a file for table calculations quotes what it must and runs no formula", () => {
  const text = csvOf([row({ description: '=HYPERLINK("x")', last4: null })]);
  const [head, line] = text.split("\r\n");
  expect(head).toBe("Date,Product,Platform,Amount,Tax,Currency,Status,Card,Invoice,Receipt");
  expect(line).toBe(`2026-11-02,"'=HYPERLINK(""x"")",github,57.12,9.12,USD,Paid,,HF-1,https://pay.example/r`);
});

const correction = (kind: PaymentRow["kind"], status: string, cents: number) =>
  row({ kind, status, paid: false, amount_received: 0, amount_captured: 0, amount_refunded: cents, tax: 0 });

test("refunds, disputes and credit notes have their own words and a negative sum, unless they came to nothing", () => {
  const shown = [
    correction("refund", "done", 712),
    correction("refund", "failed", 712),
    correction("dispute", "open", 5_712),
    correction("dispute", "won", 5_712),
    correction("credit_note", "done", 712),
  ].map((each) =>
    isCorrection(each) ? [Object.values(correctionWords(each)).join(": "), amountOf(each)] : null,
  );
  expect(shown).toEqual([
    ["Refund: given back", -712],
    ["Refund: failed", 0],
    ["Dispute: the bank decides", -5_712],
    ["Dispute: decided for us", 0],
    ["Credit note: issued", -712],
  ]);
});

test("a refund is taken off once, a lost dispute as well, and neither settles an open invoice", () => {
  const refunded = row({ amount_refunded: 712 });
  expect(sumsOf([refunded, correction("refund", "done", 712)]).paid).toBe(5_000);
  expect(sumsOf([row(), correction("dispute", "open", 5_712)]).paid).toBe(5_712);
  expect(sumsOf([row(), row(), correction("dispute", "lost", 5_712)]).paid).toBe(5_712);
  const note = { ...correction("credit_note", "done", 100), invoice_id: "in_2" };
  expect([...payableRows([note, declined])]).toEqual([declined]);
  expect(csvOf([correction("refund", "done", 712)])).toContain(",-7.12,0.00,USD,Refund: given back,");
});

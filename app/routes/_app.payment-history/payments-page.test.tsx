import { expect, test } from "vitest";
import type { PaymentRow } from "#app/money/billing-queries.ts";
import { renderInFrame } from "#tests/harness/frame-screen.tsx";
import { textOf } from "#tests/harness/render-screen.tsx";
import * as shortPath from "../_app.payment/route.tsx";
import { PaymentsPage } from "./payments-page.tsx";
import * as longPath from "./route.tsx";

const payment = (day: number, more: Partial<PaymentRow> = {}): PaymentRow => ({
  ...{
    kind: "payment",
    created: Date.UTC(2026, 9, day, 12) / 1000,
    amount_received: 5_712,
    amount_captured: 5_712,
  },
  ...{ amount_refunded: 0, tax: 912, currency: "usd", paid: true, status: "succeeded", last4: "4242" },
  ...{ receipt_url: `https://pay.example/receipt/${day}`, invoice_id: `in_${day}`, invoice_number: null },
  ...{ invoice_pdf: `https://pay.example/invoice/${day}.pdf`, product_id: "holdfast_github_pro" },
  ...{ platform: "github", description: "GitHub Pro, 50 repositories", ...more },
});
const draw = (payments: PaymentRow[], platform: string | null = null) =>
  renderInFrame(
    <PaymentsPage payments={payments} platform={platform} />,
    { pathname: "/payment-history" },
    Date.UTC(2026, 10, 26),
  );
const rowsOf = (html: string) =>
  [.../<tbody>(.*?)<\/tbody>/s.exec(html)![1]!.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => row!);

test("[B-069] both paths have the same page", () => {
  expect(shortPath.default).toBe(longPath.default);
  expect(shortPath.meta).toBe(longPath.meta);
});

test("[B-074] [B-075] the page leads to the checkout and back to the subscriptions", () => {
  const html = draw([payment(1)]);
  const link = (text: string) =>
    [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)].find(([, , inner]) => textOf(inner!) === text)?.[1];
  expect(link("Edit subscription")).toContain('href="/checkout"');
  expect(link("Back to Subscriptions")).toContain('href="/subscriptions"');
});

test("[B-072] a page has ten rows, and tells how many there are", () => {
  const payments = Array.from({ length: 12 }, (_, day) => payment(28 - day));
  expect(rowsOf(draw(payments))).toHaveLength(10);
  expect(textOf(draw(payments))).toContain("Showing 1 to 10 of 12");
  expect(rowsOf(draw(payments.slice(0, 3)))).toHaveLength(3);
});

test("[B-076] [B-150] [B-151] [B-153] [B-154] the columns show the payment record", () => {
  const html = draw([payment(2)]);
  const heads = [...html.matchAll(/<th[^>]*>(.*?)<\/th>/gs)].map(([, text]) => textOf(text!));
  expect(heads).toEqual(["Date", "Product", "Amount", "Status", "Card", "Receipt", "Invoice"]);
  const cells = [...rowsOf(html)[0]!.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell!);
  expect(cells.map((cell) => textOf(cell))).toEqual([
    ...["2 Oct 2026", "GitHub Pro, 50 repositories", "$57.12", "Paid", "•••• 4242", "Receipt", "in_2 PDF"],
  ]);
  expect(cells[5]).toContain('href="https://pay.example/receipt/2"');
  expect(cells[6]).toContain('href="https://pay.example/invoice/2.pdf"');
});

test("[B-076] an amount in another currency says which", () => {
  expect(textOf(rowsOf(draw([payment(2, { currency: "eur" })]))[0]!)).toContain("57.12 EUR");
});

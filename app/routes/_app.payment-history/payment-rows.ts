import { paymentsCopy as copy } from "#app/copy/payments.ts";
import type { PaymentRow } from "#app/money/billing-queries.ts";
import { correctionName, correctionWord, movesMoney } from "#app/money/correction-words.ts";

export type PaymentWord = keyof typeof copy.words;

/** How a payment's state is shown. The provider has more words than people need. */
export function paymentWord({ status, paid, amount_received, amount_refunded }: PaymentRow): PaymentWord {
  if (amount_refunded > 0 && amount_refunded >= amount_received) return "refunded";
  if (paid || status === "succeeded" || status === "paid") return "paid";
  if (status === "pending" || status === "processing") return "pending";
  if (status === "open" || status === "draft") return "open";
  return status === "void" || status === "canceled" ? "cancelled" : "declined";
}

/** A refund, a dispute or a credit note: a row beside the payment that it is about. */
export type CorrectionRow = PaymentRow & { kind: Exclude<PaymentRow["kind"], "payment"> };
export const isCorrection = (row: PaymentRow): row is CorrectionRow => row.kind !== "payment";

/** The state of a correction; one that is not known is shown as it is. */
const stateOf = ({ status }: CorrectionRow) => status as Parameters<typeof movesMoney>[0];

/** "Refund", and "given back". */
export const correctionWords = (row: CorrectionRow) => ({
  name: correctionName(row.kind),
  word: correctionWord(row.kind, stateOf(row)),
});

function correctionText(row: CorrectionRow): string {
  const { name, word } = correctionWords(row);
  return `${name}: ${word}`;
}

/**
 * What was asked for, in cents: what came in, or what a refused payment was about. What went back is negative, and a
 * correction that came to nothing is nothing.
 */
export function amountOf(row: PaymentRow): number {
  if (isCorrection(row)) return movesMoney(stateOf(row)) ? -row.amount_refunded : 0;
  return row.amount_received === 0 ? row.amount_captured : row.amount_received;
}

/** The years of the payments, the newest first. */
export function yearsOf(rows: readonly PaymentRow[]): number[] {
  return [...new Set(rows.map(yearOf))].sort((a, b) => b - a);
}

/** The calendar year of a payment, in UTC, as invoices have it. */
export const yearOf = ({ created }: PaymentRow) => new Date(created * 1000).getUTCFullYear();

/** What was paid, without what was given back or lost to a dispute, and the tax in it. */
export function sumsOf(rows: readonly PaymentRow[]): { paid: number; tax: number } {
  const received = rows.filter((row) => !isCorrection(row) && paymentWord(row) === "paid");
  // A payment knows what of it was refunded, but not what a bank took.
  const lost = rows.filter((row) => row.kind === "dispute" && row.status === "lost");
  return {
    paid:
      received.reduce(
        (sum, { amount_received, amount_refunded }) => sum + amount_received - amount_refunded,
        0,
      ) - lost.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
    tax: received.reduce((sum, { tax }) => sum + tax, 0),
  };
}

/** The newest try of each invoice that is still to be paid. */
export function payableRows(all: readonly PaymentRow[]): ReadonlySet<PaymentRow> {
  const rows = all.filter((row) => !isCorrection(row));
  const settled = new Set(
    rows
      .filter((row) => !["declined", "open"].includes(paymentWord(row)))
      .map(({ invoice_id }) => invoice_id),
  );
  const found = new Map<string, PaymentRow>();
  for (const row of rows) {
    const { invoice_id: id } = row;
    if (id === null || settled.has(id)) continue;
    const known = found.get(id);
    if (!known || known.created < row.created) found.set(id, row);
  }
  return new Set(found.values());
}

/** The payments as a file for a table calculation. */
export function csvOf(rows: readonly PaymentRow[]): string {
  const { columns } = copy;
  const head = [
    ...[columns.date, columns.product, copy.platformColumn, columns.amount, copy.tax, copy.currency],
    ...[columns.status, columns.card, columns.invoice, columns.receipt],
  ];
  const lines = rows.map((row) => [
    new Date(row.created * 1000).toISOString().slice(0, 10),
    row.description ?? row.product_id ?? "",
    row.platform ?? "",
    dollars(amountOf(row)),
    dollars(row.tax),
    row.currency.toUpperCase(),
    isCorrection(row) ? correctionText(row) : copy.words[paymentWord(row)],
    row.last4 ?? "",
    row.invoice_number ?? row.invoice_id ?? "",
    row.receipt_url ?? "",
  ]);
  return [head, ...lines]
    .map((cells) => cells.map(cell).join(","))
    .join("\r\n")
    .concat("\r\n");
}

const dollars = (cents: number) => (cents / 100).toFixed(2);

/** Quotes a cell. A text that begins like a formula is marked as text, since programs would run it. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

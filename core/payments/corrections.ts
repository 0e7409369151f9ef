import type { Correction, Invoice } from "#connectors/contract/payment-provider.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import type { CorrectionRow } from "./correction.store.ts";

/*
 * What refunds, disputes and credit notes mean for us. Pure, like the projection: the same reading ends in the same rows.
 */

/** What became of the money of a subscription's running period. */
export type MoneyBack = { moneyBackAt: number | null; isDisputed: boolean };

/** Nothing went back. */
export const NO_MONEY_BACK: MoneyBack = { moneyBackAt: null, isDisputed: false };

/** An invoice may be written some seconds before the period that it is for. */
const SLACK_MS = MINUTE_MS;

/**
 * The rows of the corrections that were read. A state that was seen before keeps its time. A dispute that is lost counts
 * from when we learned of it: it may be months old, and what follows from it begins with a notice.
 */
export function toCorrectionRows(
  organisationId: string,
  found: readonly Correction[],
  {
    known,
    platformOf,
    now,
  }: {
    known: readonly CorrectionRow[];
    platformOf: (correction: Correction) => string | null;
    now: number;
  },
): CorrectionRow[] {
  return found.map((correction) => {
    const { id, kind, state, cents, refundedCents, createdAt } = correction;
    const before = known.find((each) => each.id === id);
    const seenAt = before || state === "lost" ? now : createdAt;
    return {
      ...{ id, organisationId, kind, state, cents, refundedCents, createdAt },
      platform: platformOf(correction) ?? before?.platform ?? null,
      changedAt: before?.state === state ? before.changedAt : seenAt,
    };
  });
}

/** The invoice that a correction is about; null when it is not among those that were read. */
export function invoiceOf(
  { intentId, invoiceId }: Pick<Correction, "intentId" | "invoiceId">,
  invoices: readonly Invoice[],
): Invoice | null {
  return (
    invoices.find(
      ({ id, intentIds }) => id === invoiceId || (intentId !== null && intentIds.includes(intentId)),
    ) ?? null
  );
}

/**
 * Whether a subscription's running period is still paid for. It is not when everything that was charged for it has gone
 * back, by refunds or lost disputes; a part, a credit or an open dispute takes no right away.
 */
export function moneyBackOf(
  { id, periodStart }: { id: string; periodStart: number },
  invoices: readonly Invoice[],
  corrections: readonly Correction[],
  rows: readonly CorrectionRow[],
): MoneyBack {
  const own = invoices.filter(
    (each) => each.subscriptionId === id && each.state === "paid" && each.createdAt >= periodStart - SLACK_MS,
  );
  const about = corrections.filter((each) => each.intentId !== null && invoiceOf(each, own) !== null);
  const back = about.filter(
    ({ kind, state }) => (kind === "refund" && (state === "done" || state === "pending")) || state === "lost",
  );
  const sumOf = (amounts: number[]) => amounts.reduce((sum, each) => sum + each, 0);
  const paid = sumOf(own.map(({ paidCents }) => paidCents));
  const isAllBack = paid > 0 && sumOf(back.map(({ cents }) => cents)) >= paid;
  const timeOf = ({ id, createdAt }: Correction) => rows.find((row) => row.id === id)?.changedAt ?? createdAt;
  return {
    moneyBackAt: isAllBack
      ? Math.max(...back.map((each) => (each.kind === "refund" ? each.createdAt : timeOf(each))))
      : null,
    isDisputed: about.some(({ state }) => state === "open"),
  };
}

import { checkoutCopy as copy } from "#app/copy/checkout.ts";
import type { Preview } from "#app/money/billing-queries.ts";
import { percentText, usd } from "#app/money/usd.ts";

/** One item of a purchase, and its price at the payment provider as soon as it is known. */
export type BillItem = {
  platform: string;
  /** "GitLab Essential". */
  title: string;
  /** "101 to 250 projects". */
  amountText: string;
  isAnnual: boolean;
  /** The catalogue's price for the period, and that of twelve single months for a year. */
  cents: number;
  fullCents: number;
  /** What the coupon takes off while there is no preview. */
  discountCents: number;
  preview: Preview | null;
};

export type BillLine = { key: string; label: string; note: string | null; cents: number };
export type Renewal = { at: number; cents: number };

/** The bill. The lines add up to the sum. */
export type Bill = {
  lines: BillLine[];
  dueCents: number;
  renewals: Renewal[];
  /** True while a price of the payment provider is missing, so that the bill is the catalogue's. */
  isEstimate: boolean;
};

/** The tax of a bill: from the provider's answers, or the rate of a country that is being entered. */
export type TaxChoice = { percent: number | null; name: string };

/**
 * Composes the bill of a purchase, every cent of it: what each item costs, what is given back, coupon, tax, and credit.
 *
 * @param tax The rate to use instead of that in the previews, e.g. of a country that is not saved yet; null = theirs.
 * @param creditCents The customer's credit; a debt is negative. Each item has its own invoice, and takes of it in turn.
 */
export function composeBill(
  items: readonly BillItem[],
  { tax, code, creditCents, now }: { tax: TaxChoice; code: string | null; creditCents: number; now: number },
): Bill {
  const lines: BillLine[] = [];
  const taxes = new Map<number, { cents: number; ofCents: number }>();
  let credit = startCredit(items, creditCents);
  let used = 0;
  let kept = 0;
  let due = 0;
  const renewals: Renewal[] = [];
  for (const item of items) {
    const priced = linesOf(item, code);
    lines.push(...priced);
    const base = priced.reduce((sum, { cents }) => sum + cents, 0);
    const percent = tax.percent ?? item.preview?.taxRate ?? 0;
    const taxCents =
      tax.percent === null && item.preview ? item.preview.tax : Math.round((base * percent) / 100);
    const seen = taxes.get(percent) ?? { cents: 0, ofCents: 0 };
    taxes.set(percent, { cents: seen.cents + taxCents, ofCents: seen.ofCents + base });
    const total = base + taxCents;
    const taken = total < 0 ? 0 : credit < 0 ? credit : Math.min(credit, total);
    credit -= taken;
    used += taken;
    if (total < 0) {
      kept -= total;
      credit -= total;
    } else due += total - taken;
    renewals.push(renewalOf(item, percent, now));
  }
  lines.push(...taxLines(taxes, tax.name));
  // Of a country that is being entered nobody has decided yet who owes the tax.
  if (tax.percent === null && items.some(({ preview }) => preview?.reverseCharge))
    lines.push({ key: "tax-reverse", label: tax.name, note: copy.bill.reverseCharge, cents: 0 });
  if (used !== 0) {
    const [label, note] = used > 0 ? [copy.bill.credit, copy.bill.creditNote] : [copy.bill.debt, null];
    lines.push({ key: "credit", label, note, cents: -used });
  }
  if (kept !== 0) lines.push({ key: "kept", label: copy.bill.kept, note: copy.bill.keptNote, cents: kept });
  return {
    lines,
    dueCents: due,
    renewals: inDays(renewals),
    isEstimate: items.some(({ preview }) => preview === null),
  };
}

/** One item's credit is what the provider says it uses; several share what the customer has. */
function startCredit(items: readonly BillItem[], creditCents: number): number {
  const [only] = items;
  return items.length === 1 && only?.preview ? only.preview.remainingBalance : creditCents;
}

/** An item's charge, what it gives back, and its coupon. */
function linesOf(item: BillItem, code: string | null): BillLine[] {
  const { platform, preview } = item;
  if (preview === null) return [...catalogueLines(item), ...couponLines(item, item.discountCents, code)];
  const charged = preview.lines.filter(({ proration }) => !proration);
  const sum = charged.reduce((cents, { amount }) => cents + amount, 0);
  const isAsListed = charged.length > 0 && sum === item.cents;
  const lines = isAsListed
    ? catalogueLines(item)
    : charged.map(({ description, amount }, at) => ({
        key: `${platform}-${at}`,
        label: item.title,
        note: description,
        cents: amount,
      }));
  preview.lines.forEach(({ description, amount, proration }, at) => {
    if (!proration) return;
    const label = amount < 0 ? copy.bill.unused : copy.bill.remaining;
    lines.push({ key: `${platform}-time-${at}`, label, note: description, cents: amount });
  });
  return [...lines, ...couponLines(item, preview.discount, code)];
}

function couponLines({ platform, title }: BillItem, cents: number, code: string | null): BillLine[] {
  if (cents === 0) return [];
  const label = code === null ? copy.bill.discount : copy.bill.coupon(code);
  return [{ key: `${platform}-coupon`, label, note: title, cents: -cents }];
}

function catalogueLines({ platform, title, amountText, isAnnual, cents, fullCents }: BillItem): BillLine[] {
  const plan = {
    key: platform,
    label: title,
    note: isAnnual ? copy.bill.twelveMonths(amountText) : copy.bill.oneMonth(amountText),
    cents: isAnnual ? fullCents : cents,
  };
  if (!isAnnual || fullCents === cents) return [plan];
  const percent = Math.round((1 - cents / fullCents) * 100);
  const saved = {
    key: `${platform}-year`,
    label: copy.bill.annual,
    note: copy.bill.off(percent),
    cents: cents - fullCents,
  };
  return [plan, saved];
}

function taxLines(taxes: ReadonlyMap<number, { cents: number; ofCents: number }>, name: string): BillLine[] {
  return [...taxes]
    .filter(([percent]) => percent > 0)
    .map(([percent, { cents, ofCents }]) => ({
      key: `tax-${percent}`,
      label: name,
      note: copy.bill.taxOf(percentText(percent), usd(ofCents)),
      cents,
    }));
}

/** The next invoice, with tax. The provider gives the later periods without it. */
function renewalOf({ preview, cents, isAnnual }: BillItem, percent: number, now: number): Renewal {
  const later = preview?.recurring ?? cents;
  return {
    at: preview ? preview.renewalDate * 1000 : addMonths(now, isAnnual ? 12 : 1),
    cents: later + Math.round((later * percent) / 100),
  };
}

/** Renewals of the same day are one line. */
function inDays(renewals: readonly Renewal[]): Renewal[] {
  const days = new Map<number, Renewal>();
  for (const { at, cents } of renewals) {
    const day = Math.floor(at / 86_400_000);
    days.set(day, { at, cents: cents + (days.get(day)?.cents ?? 0) });
  }
  return [...days.values()].sort((a, b) => a.at - b.at);
}

/** The same day so many months later, or the last day of a shorter month (spec B-314, B-315), in UTC. */
export function addMonths(at: number, months: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

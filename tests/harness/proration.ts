/**
 * What Stripe charges for a change of a subscription, calculated from its documentation and apart from the simulator, so
 * that the two can be compared. Amounts are whole cents, times epoch seconds.
 *
 * Flexible billing gives back what was debited for the time that is left, each debit by the second and rounded alone, and
 * charges the new price for the same time. A period of another length begins at once and is charged whole
 * (docs.stripe.com/billing/subscriptions/prorations, docs.stripe.com/billing/subscriptions/billing-mode/compare).
 */

export type Period = { start: number; end: number };
/** What was paid for a period, after discounts. */
export type Debit = Period & { cents: number };

/** A subscription as far as its next change is concerned. */
export type Account = {
  period: Period;
  debits: readonly Debit[];
  /** Credit of the customer; it lowers what is due. */
  creditCents: number;
};

/** A change: what each part of the new price costs for a whole period, and the new period when its length changes. */
export type PlanChange = {
  at: number;
  parts: readonly number[];
  begins: Period | null;
  /** Tax in hundredths of a percent. */
  basisPoints: number;
  percentOff: number;
};

export type Bill = { lines: number[]; taxCents: number; totalCents: number; dueCents: number };

/** Less than this is not charged and goes to the balance (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const SMALLEST_CHARGE = 50;

/** The bill of a change, and the account after it. */
export function billOf(before: Account, change: PlanChange): { bill: Bill; after: Account } {
  const { at, parts, begins, basisPoints, percentOff } = change;
  const credits = before.debits.map(({ start, end, cents }) => 0 - share(cents, end - at, end - start));
  const { start, end } = before.period;
  const debits = parts.map((cents) => (begins ? cents : share(cents, end - at, end - start)));
  const off = debits.map((cents) => share(cents, percentOff, 100));
  const net = [...credits, ...debits.map((cents, index) => cents - off[index]!)];
  // Each line is taxed alone, and what is given back takes its tax with it.
  const taxCents = sum(net.map((cents) => share(cents, basisPoints, 10_000)));
  const totalCents = sum(net) + taxCents;
  const wanted = Math.max(0, totalCents - before.creditCents);
  const dueCents = wanted < SMALLEST_CHARGE ? 0 : wanted;
  const period = begins ?? before.period;
  return {
    bill: { lines: [...credits, ...debits], taxCents, totalCents, dueCents },
    after: {
      period,
      debits: debits.map((cents, index) => ({
        start: begins ? period.start : at,
        end: period.end,
        cents: cents - off[index]!,
      })),
      creditCents: before.creditCents - totalCents + dueCents,
    },
  };
}

/** The same day and time some months later, or the last day of a shorter month (…/subscriptions/billing-cycle). */
export function monthsAfter(anchor: number, months: number): number {
  const from = new Date(anchor * 1_000);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const day = Math.min(from.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  return Date.UTC(year, month, day) / 1_000 + (anchor % 86_400);
}

/** A part of an amount in whole numbers, rounded half away from zero: floating point would miss the halves. */
function share(cents: number, part: number, whole: number): number {
  const product = BigInt(Math.abs(cents)) * BigInt(part) * 2n;
  const rounded = Number((product + BigInt(whole)) / (BigInt(whole) * 2n));
  return cents < 0 ? 0 - rounded : rounded;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

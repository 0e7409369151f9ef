/** "$1,200.00" for 120000 cents, "−$31.67" for −3167. Sums are whole cents everywhere; only texts are dollars. */
export function usd(cents: number): string {
  const text = (Math.abs(cents) / 100).toLocaleString("en-US", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return `${cents < 0 ? "−" : ""}$${text}`;
}

/** A sum of a payment: in dollars as `usd` writes it, in another currency with its code ("57.12 EUR"). */
export function moneyText(cents: number, currency: string): string {
  return currency === "usd" ? usd(cents) : `${usd(cents).replace("$", "")} ${currency.toUpperCase()}`;
}

/** A dollar amount of the wire in whole cents. */
export function centsOf(dollars: number): number {
  return Math.round(dollars * 100);
}

/**
 * What a subscription costs: "$12/m", and "$115.2/y" for a year, the whole year: twelve times the monthly figure (spec B-057 to
 * B-059). Without trailing zeros, as the specification writes it. Null when nothing is known.
 */
export function costText(cost: number | null, isAnnual: boolean): string | null {
  if (cost === null) return null;
  const cents = centsOf(cost);
  const amount = (cents / 100).toLocaleString("en-US", { maximumFractionDigits: 2 });
  return `$${amount}/${isAnnual ? "y" : "m"}`;
}

/** "19 %", "8.875 %". */
export function percentText(percent: number): string {
  return `${percent.toLocaleString("en-US", { maximumFractionDigits: 4 })}\u00a0%`;
}

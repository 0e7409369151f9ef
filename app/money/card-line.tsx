import type { Card } from "./billing-queries.ts";

/** Brands with a name of their own (spec A-467). Others are shown neutrally, by their own name in capitals. */
const BRANDS: Readonly<Record<string, string>> = { visa: "VISA", mastercard: "Mastercard" };

/** "VISA •••• 4242". */
export function CardLine({ card: { card } }: { card: Card }) {
  return (
    <span className="card-line">
      <span className="card-mark">{BRANDS[card.brand] ?? card.brand.toUpperCase()}</span>
      <span className="mono">
        <span aria-hidden>•••• </span>
        {card.last_4}
      </span>
    </span>
  );
}

/** "08/2028". */
export function expiryText({ card }: Card): string {
  return `${String(card.exp_month).padStart(2, "0")}/${card.exp_year}`;
}

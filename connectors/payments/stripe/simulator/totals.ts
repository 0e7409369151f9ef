import { roundCents } from "./lines.ts";
import type { StripeWorld } from "./state.ts";
import { find, get } from "./store.ts";
import type { Coupon, Discount, TaxRate } from "./things/catalogue.ts";
import type { Customer } from "./things/payments.ts";
import type { Invoice, InvoiceLine, Tax } from "./things/subscriptions.ts";

/** Amounts below this are not charged; they go to the customer's balance (docs.stripe.com/currencies). */
const SMALLEST_CHARGE = 50;

/**
 * Computes discounts, taxes and totals of an invoice from its lines: discounts before taxes, each line rounded alone
 * (docs.stripe.com/billing/invoices/subscription, docs.stripe.com/billing/taxes/tax-rates).
 */
export function computeTotals(world: StripeWorld, invoice: Invoice, rates: readonly TaxRate[]): void {
  const lines = invoice.lines.data;
  for (const line of lines) {
    line.discount_amounts = [];
    line.invoice = invoice.id;
  }
  for (const id of invoice.discounts) {
    const discount = find(world, "discount", id);
    if (discount) takeDiscount(world, lines, discount);
  }
  const customer = get(world, "customer", invoice.customer);
  for (const line of lines) line.taxes = taxesOf(line, rates, customer);
  const sum = (amounts: number[]) => amounts.reduce((total, each) => total + each, 0);
  invoice.subtotal = sum(lines.map(({ amount }) => amount));
  invoice.total_discount_amounts = invoice.discounts.map((discount) => ({
    discount,
    amount: sum(
      lines.flatMap(({ discount_amounts }) =>
        discount_amounts.filter((each) => each.discount === discount).map(({ amount }) => amount),
      ),
    ),
  }));
  invoice.total_taxes = addedUp(lines.flatMap(({ taxes }) => taxes));
  const exclusive = invoice.total_taxes.filter(({ tax_behavior }) => tax_behavior === "exclusive");
  const discounted = invoice.subtotal - sum(invoice.total_discount_amounts.map(({ amount }) => amount));
  invoice.total = discounted + sum(exclusive.map(({ amount }) => amount));
  const taxes = sum(invoice.total_taxes.map(({ amount }) => amount));
  Object.assign(invoice, {
    total_excluding_tax: invoice.total - taxes,
    subtotal_excluding_tax: invoice.subtotal - (taxes - sum(exclusive.map(({ amount }) => amount))),
  });
  computeDue(invoice, customer);
}

/**
 * What is due after the customer's balance, which a negative total or a tiny amount goes to
 * (docs.stripe.com/billing/customer/balance).
 */
function computeDue(invoice: Invoice, customer: Customer): void {
  invoice.starting_balance = customer.balance;
  const wanted = Math.max(0, invoice.total + customer.balance);
  invoice.amount_due = wanted < SMALLEST_CHARGE ? 0 : wanted;
  invoice.amount_remaining = invoice.amount_due - invoice.amount_paid;
  invoice.sim.applied = invoice.total - invoice.amount_due;
}

function takeDiscount(world: StripeWorld, lines: InvoiceLine[], { id, source }: Discount): void {
  const coupon = get(world, "coupon", source.coupon);
  const open = lines.filter((line) => line.discountable && line.amount > 0 && fits(world, coupon, line));
  const restOf = (line: InvoiceLine) =>
    line.amount - line.discount_amounts.reduce((sum, { amount }) => sum + amount, 0);
  const whole = open.reduce((sum, line) => sum + restOf(line), 0);
  let left = Math.min(coupon.amount_off ?? 0, whole);
  for (const [at, line] of open.entries()) {
    const rest = restOf(line);
    const share =
      at === open.length - 1 ? left : roundCents((Math.min(coupon.amount_off ?? 0, whole) * rest) / whole);
    const amount =
      coupon.percent_off === null ? Math.min(share, rest) : roundCents((rest * coupon.percent_off) / 100);
    left -= coupon.percent_off === null ? amount : 0;
    line.discount_amounts.push({ amount, discount: id });
  }
}

function fits(world: StripeWorld, { sim, currency }: Coupon, line: InvoiceLine): boolean {
  if (currency !== null && currency !== line.currency) return false;
  return sim.products === null || sim.products.includes(get(world, "price", line.sim.price).product);
}

function taxesOf(line: InvoiceLine, rates: readonly TaxRate[], { tax_exempt }: Customer): Tax[] {
  const base = line.amount - line.discount_amounts.reduce((sum, { amount }) => sum + amount, 0);
  return rates.map(({ id, percentage, inclusive }) => {
    const share = inclusive ? percentage / (100 + percentage) : percentage / 100;
    return {
      amount: tax_exempt === "none" ? roundCents(base * share) : 0,
      tax_behavior: inclusive ? "inclusive" : "exclusive",
      tax_rate_details: { tax_rate: id },
      taxability_reason:
        tax_exempt === "none"
          ? "standard_rated"
          : tax_exempt === "exempt"
            ? "customer_exempt"
            : "reverse_charge",
      taxable_amount: base,
      type: "tax_rate_details",
    };
  });
}

function addedUp(taxes: readonly Tax[]): Tax[] {
  const byRate = new Map<string, Tax>();
  for (const tax of taxes) {
    const known = byRate.get(tax.tax_rate_details.tax_rate);
    if (known === undefined) byRate.set(tax.tax_rate_details.tax_rate, { ...tax });
    else {
      known.amount += tax.amount;
      known.taxable_amount += tax.taxable_amount;
    }
  }
  return [...byRate.values()];
}

import type { Preview } from "#connectors/contract/payment-provider.ts";
import { findPrice } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { assertChangeable, assertSettled, changedBy, readChoice } from "./choice.ts";
import { asking } from "./commands.ts";
import type { QuoteServices } from "./deps.ts";
import { readProjection, type SubscriptionRow } from "./projection.store.ts";
import { discounted, requirePromotion } from "./promotion.ts";
import { QUOTE_MS, signQuote } from "./quote.ts";
import { renewalAfter } from "./renewal.ts";
import { taxPercentOf, taxRatesOf } from "./tax.ts";

/** What a choice costs now and later. */
export type PurchasePreview = {
  kind: "new" | "change";
  preview: Preview;
  taxPercent: number;
  recurringCents: number;
  renewsAt: number;
  quote: string;
  quoteExpiresAt: number;
};

/**
 * Previews a purchase or a change, as the provider calculates it. The signed quote binds the amount to the second for
 * which it was calculated.
 *
 * @throws AppError `err.plan.unknown`, `err.plan.active`, `err.payment.due`, `err.coupon.invalid`
 */
export async function previewPurchase(
  deps: Omit<QuoteServices, "ids">,
  member: Member,
  input: {
    platform: string;
    priceId: string;
    quantity: number;
    period: "month" | "year";
    code: string | null;
    country?: string | undefined;
  },
): Promise<PurchasePreview> {
  const { organisationId } = member;
  const choice = readChoice(input);
  if (choice.price.period !== input.period) throw new AppError("err.plan.unknown");
  const { customer, rows } = await readProjection(deps.control, organisationId);
  const row = changedBy(choice, rows);
  if (row) assertChangeable(choice, row);
  if (row && customer) await assertSettled(deps, customer.stripeCustomerId, [row]);
  const country = customer?.country ?? input.country ?? null;
  const now = deps.clock.now();
  const prorationAt = Math.floor(now / 1000) * 1000;
  const promotion = row ? null : await requirePromotion(deps, member, input.code, [choice]);
  const isNewPeriod = row !== null && isOtherPeriod(row, choice.price.period);
  const preview = await asking(async () =>
    deps.payments.preview({
      customerId: customer?.stripeCustomerId ?? null,
      priceId: await priceIdOf(deps, choice.price.key),
      quantity: choice.quantity,
      taxRates: row ? [] : await taxRatesOf(deps.payments, country),
      promotionId: discounted(promotion, [choice]).length > 0 ? (promotion?.id ?? null) : null,
      change: row && { subscriptionId: row.id, itemId: row.itemId, prorationAt, isNewPeriod },
    }),
  );
  const quote = {
    organisationId,
    platform: choice.platform,
    from: row && { id: row.id, priceKey: row.priceKey, quantity: row.quantity },
    priceKey: choice.price.key,
    quantity: choice.quantity,
    prorationAt,
    dueCents: preview.dueCents,
    expiresAt: now + QUOTE_MS,
  };
  return {
    kind: row ? "change" : "new",
    preview,
    taxPercent: preview.isReverseCharge ? 0 : taxPercentOf(country),
    recurringCents: choice.cents,
    renewsAt: row && !isNewPeriod ? row.periodEnd : renewalAfter(prorationAt, choice.price.period),
    quote: await signQuote(deps, quote),
    quoteExpiresAt: quote.expiresAt,
  };
}

/** Whether the change begins a period of another length. */
export function isOtherPeriod(row: SubscriptionRow, period: "month" | "year"): boolean {
  return findPrice(row.priceKey)?.period !== period;
}

/** The provider's id of a catalogue price. @throws AppError `err.payment.unavailable` when it is not published */
export async function priceIdOf(deps: Uses<"payments">, key: string): Promise<string> {
  const id = (await deps.payments.findPrices([key])).get(key);
  if (id === undefined) throw new AppError("err.payment.unavailable");
  return id;
}

import { boughtQuantity, capacityOf, costCents, findPrice, type Price } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Uses } from "#core/services.ts";
import { asking } from "./commands.ts";
import type { SubscriptionRow } from "./projection.store.ts";
import { isLive, isOpen, shownOf } from "./projection.ts";

/** What is to be bought of one platform: a price of the catalogue and the quantity that is charged. */
export type Choice = { platform: string; price: Price; quantity: number; cents: number };

/**
 * A choice of a person. Prices and limits come from the catalogue, never from the request; who pays for a bracket gets
 * all of it. Above the largest bracket, Enterprise is on request (spec B-304 to B-308).
 *
 * @throws AppError `err.platform.unknown`, `err.plan.unknown`
 */
export function readChoice(input: { platform: string; priceId: string; quantity: number }): Choice {
  const capacity = capacityOf(input.platform);
  if (!capacity) throw new AppError("err.platform.unknown");
  const price = findPrice(input.priceId);
  if (price?.platform !== input.platform) throw new AppError("err.plan.unknown");
  if (input.quantity < capacity.minimum || input.quantity > capacity.maximum)
    throw new AppError("err.plan.unknown");
  const quantity = boughtQuantity(price, input.quantity);
  return { platform: input.platform, price, quantity, cents: costCents(price, quantity) };
}

/** The subscription that a choice changes; null when it begins a new one. */
export function changedBy({ platform }: Choice, rows: readonly SubscriptionRow[]): SubscriptionRow | null {
  const shown = shownOf(platform, rows);
  return shown && isOpen(shown) && shown.status !== "incomplete" ? shown : null;
}

/**
 * Refuses a change that must not be made now: of the same plan again (spec B-270), of an unpaid subscription, which would
 * credit time that was never paid or whose money went back, and beside an invoice or a dispute that is not settled
 * (docs.stripe.com/billing/subscriptions/prorations). A cancelled one begins no new period, of which the old end would
 * cut off what was paid.
 *
 * @throws AppError `err.plan.active`, `err.payment.due`, `err.payment.draft`, `err.payment.disputed`,
 * `err.payment.returned`, `err.subscription.state`
 */
export function assertChangeable(choice: Choice, row: SubscriptionRow): void {
  if (row.status === "past_due" || !isLive(row)) throw new AppError("err.payment.due");
  if (row.isDisputed) throw new AppError("err.payment.disputed");
  if (row.moneyBackAt !== null) throw new AppError("err.payment.returned");
  if (row.pendingJson !== null) return;
  if (row.latestInvoiceStatus === "draft") throw new AppError("err.payment.draft");
  if (row.latestInvoiceStatus === "open") throw new AppError("err.payment.due");
  if (row.priceKey === choice.price.key && row.quantity === choice.quantity)
    throw new AppError("err.plan.active");
  if (row.cancelAt !== null && row.period !== choice.price.period)
    throw new AppError("err.subscription.state", {
      message: "This subscription is cancelled. Keep it first, then choose another billing period.",
    });
}

/**
 * Refuses a change while any invoice of the subscription is open, as the provider says now: the projection knows only the
 * latest. The invoice of a change that waits for its payment goes with that change.
 *
 * @throws AppError `err.payment.due`
 */
export async function assertSettled(
  deps: Uses<"payments">,
  customerId: string,
  rows: readonly SubscriptionRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const open = await asking(() => deps.payments.listOpenInvoices(customerId));
  const isDue = rows.some((row) =>
    open.some(
      ({ id, subscriptionId }) =>
        subscriptionId === row.id && !(row.pendingJson !== null && id === row.latestInvoiceId),
    ),
  );
  if (isDue) throw new AppError("err.payment.due");
}

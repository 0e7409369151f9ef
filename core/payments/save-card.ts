import type { ProviderCard } from "#connectors/contract/payment-provider.ts";
import type { Member } from "#core/organisations/index.ts";
import { attachCard } from "./cards.ts";
import type { PaymentServices } from "./deps.ts";
import { payWithNewCard } from "./invoices.ts";
import type { ItemPayment } from "./purchase.ts";

/**
 * Saves a card and pays with it what failed renewals owe. The card is saved also when a payment is refused.
 *
 * @returns The card, and how the payment of each platform that owed something went
 * @throws AppError `err.not.found`, `err.payment.failed`, `err.attempts.limit`
 */
export async function saveCard(
  deps: PaymentServices,
  member: Member,
  cardId: string,
): Promise<{ card: ProviderCard; paid: ItemPayment[] }> {
  const card = await attachCard(deps, member, cardId);
  return { card, paid: await payWithNewCard(deps, member, card.id) };
}

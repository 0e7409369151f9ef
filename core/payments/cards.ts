import type { ProviderCard } from "#connectors/contract/payment-provider.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { afterChange, recordingFailure } from "./after.ts";
import { asking, runCommand } from "./commands.ts";
import { ensureCustomer } from "./customer.ts";
import type { PaymentServices, WriteServices } from "./deps.ts";
import { countCard } from "./limits.ts";
import { type CustomerRow, readProjection } from "./projection.store.ts";

/** The card in the projection; null without one. */
export function cardOf(customer: CustomerRow | null): ProviderCard | null {
  if (customer?.cardId == null) return null;
  return {
    id: customer.cardId,
    brand: customer.cardBrand ?? "",
    last4: customer.cardLast4 ?? "",
    expMonth: customer.cardExpMonth ?? 0,
    expYear: customer.cardExpYear ?? 0,
  };
}

/** The card that renewals are paid with. @throws AppError `err.payment.method.none` */
export async function currentCard(deps: Uses<"control">, member: Member): Promise<ProviderCard> {
  const { customer } = await readProjection(deps.control, member.organisationId);
  const card = cardOf(customer);
  if (!card) throw new AppError("err.payment.method.none");
  return card;
}

/**
 * Saves a card that the browser created or set up; all renewals are paid with it. A card of another customer is answered
 * as one that does not exist. The brand and the digits come from the provider, never from the request.
 *
 * @throws AppError `err.not.found`, `err.payment.failed`, `err.attempts.limit`
 */
export async function attachCard(
  deps: PaymentServices,
  member: Member,
  cardId: string,
): Promise<ProviderCard> {
  await countCard(deps, member.organisationId);
  const { organisationId, stripeCustomerId } = await ensureCustomer(deps, member);
  const owner = await asking(() => deps.payments.ownerOfCard(cardId));
  if (owner !== null && owner !== stripeCustomerId) throw new AppError("err.not.found");
  const action = { action: "change-card" };
  await recordingFailure(deps, member, action, () =>
    runCommand(deps, { organisationId, kind: "card", params: { cardId } }, (key) =>
      deps.payments.attachCard(stripeCustomerId, cardId, key),
    ),
  );
  await afterChange(deps, member, action);
  const { card } = await asking(() => deps.payments.readCustomer(stripeCustomerId));
  if (card?.id !== cardId) throw new AppError("err.payment.unavailable");
  return card;
}

/** Begins a change of card: the browser confirms it with the bank, and then attaches the card. */
export async function createCardSetup(
  deps: WriteServices,
  member: Member,
): Promise<{ clientSecret: string }> {
  await countCard(deps, member.organisationId);
  const { organisationId, stripeCustomerId } = await ensureCustomer(deps, member);
  return runCommand(deps, { organisationId, kind: "card-setup", params: {} }, (key) =>
    deps.payments.createCardSetup(stripeCustomerId, key),
  );
}

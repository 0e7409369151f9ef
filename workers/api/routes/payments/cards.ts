import { z } from "zod";
import { requireOwner } from "#core/organisations/index.ts";
import { createCardSetup, currentCard, payOpenInvoice, saveCard } from "#core/payments/index.ts";
import { type MountedRoute, route } from "../../mount-route.ts";
import { cardAnswer, cardId, paymentAnswer, platformField } from "../../payment-answers.ts";
import { wireText } from "../../wire-fields.ts";
import { BILLING, tag } from "./words.ts";

/** Cards, and paying what is open (spec part 3 section 7). */
export const CARDS: readonly MountedRoute[] = [
  route({
    method: "GET",
    path: "/payments/get-stripe-default-payment-method",
    summary: "The card that renewals are paid with",
    tag,
    input: z.strictObject({}),
    result: cardAnswer,
    refuses: [...BILLING, "err.payment.method.none"],
    handle: async (s, m) => {
      requireOwner(m);
      const { id, brand, last4, expMonth, expYear } = await currentCard(s, m);
      return { result: { id, card: { brand, last_4: last4, exp_month: expMonth, exp_year: expYear } } };
    },
  }),
  route({
    method: "POST",
    path: "/payments/stripe-attach-user-payment-method",
    summary: "Save a card; renewals are paid with it from now on, and what failed renewals owe at once",
    tag,
    // Brand and digits are the provider's facts; what a browser says about them is accepted and not used.
    input: z.strictObject({
      id: cardId,
      brand: wireText(50).optional(),
      last_4: wireText(4).optional(),
    }),
    result: cardAnswer.extend({
      paid: z.array(paymentAnswer).describe("How the payment of each platform went that owed something"),
    }),
    refuses: [...BILLING, "err.not.found", "err.payment.failed", "err.attempts.limit"],
    handle: async (s, m, { id }) => {
      requireOwner(m);
      const { card, paid } = await saveCard(s, m, id);
      const { brand, last4, expMonth, expYear } = card;
      return {
        result: {
          id: card.id,
          card: { brand, last_4: last4, exp_month: expMonth, exp_year: expYear },
          paid: paid.map(({ state, ...each }) => ({ ...each, paymentIntentStatus: state })),
        },
      };
    },
  }),
  route({
    method: "POST",
    path: "/payments/stripe-create-setup-intent",
    summary: "Begin a change of card, which the bank may ask to confirm",
    tag,
    input: z.strictObject({}),
    result: z.object({ clientSecret: z.string() }),
    refuses: [...BILLING, "err.attempts.limit"],
    handle: async (s, m) => {
      requireOwner(m);
      return { result: await createCardSetup(s, m) };
    },
  }),
  route({
    method: "POST",
    path: "/payments/stripe-pay-open-invoice",
    summary: "Pay a platform's failed invoice with the current card",
    tag,
    input: z.strictObject({ platform: platformField }),
    result: paymentAnswer,
    refuses: [
      ...BILLING,
      "err.not.found",
      "err.payment.method.missing",
      "err.payment.failed",
      "err.attempts.limit",
    ],
    handle: async (s, m, { platform }) => {
      requireOwner(m);
      const { state, ...paid } = await payOpenInvoice(s, m, platform);
      return { result: { ...paid, paymentIntentStatus: state } };
    },
  }),
];

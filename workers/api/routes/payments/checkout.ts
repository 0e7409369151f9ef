import { z } from "zod";
import type { ErrorCode } from "#core/kernel/error-codes.ts";
import { requireOwner } from "#core/organisations/index.ts";
import { buy, checkPromotion, previewPurchase, taxPercentOf } from "#core/payments/index.ts";
import { type MountedRoute, route } from "../../mount-route.ts";
import {
  codeInput,
  couponAnswer,
  createInput,
  paymentAnswer,
  previewAnswer,
  previewInput,
} from "../../payment-answers.ts";
import { BILLING, tag } from "./words.ts";

const seconds = (ms: number) => Math.floor(ms / 1000);
const COUPON = {
  summary: "Check a coupon",
  tag,
  input: codeInput,
  result: couponAnswer,
  refuses: [...BILLING, "err.attempts.limit"] as ErrorCode[],
};

/** The coupon check has two declared paths, which answer alike (spec/README B-242). */
const coupon = (path: string): MountedRoute =>
  route({
    ...COUPON,
    method: "GET",
    path,
    // The attempt is counted, and the code's owner must not be another site.
    isStateChanging: true,
    handle: async (s, m, { promotion_code }) => {
      requireOwner(m);
      const found = await checkPromotion(s, m, promotion_code);
      if (!found)
        return {
          result: {
            status: "invalid",
            amountOff: null,
            currency: null,
            percentOff: null,
            platforms: null,
          },
          message: "Your coupon is invalid",
        };
      return {
        result: {
          status: "valid",
          amountOff: found.amountOffCents,
          currency: found.currency,
          percentOff: found.percentOff,
          platforms: found.platforms === null ? null : [...found.platforms],
        },
        message: "Your coupon is applied",
      };
    },
  });

/** Choosing and buying (spec part 3 sections 2 and 7). */
export const CHECKOUT: readonly MountedRoute[] = [
  coupon("/payments/stripe-get-promotion-code"),
  coupon("/payments/stripe-validate-promotion-code"),
  route({
    method: "POST",
    path: "/payments/stripe-get-tax-rate",
    summary: "Tax rate of a country, in percent",
    tag,
    input: z.strictObject({ country: z.string().regex(/^[A-Z]{2}$/, "Choose a country") }),
    result: z.object({ rate: z.number() }),
    refuses: ["err.role.forbidden"],
    handle: async (_s, m, { country }) => {
      requireOwner(m);
      return { result: { rate: taxPercentOf(country) } };
    },
  }),
  route({
    method: "POST",
    path: "/payments/stripe-preview-price-update",
    summary: "What a choice costs now and later, with the credit that is left",
    tag,
    input: previewInput,
    result: previewAnswer,
    refuses: [
      ...BILLING,
      "err.platform.unknown",
      "err.plan.unknown",
      "err.plan.active",
      "err.coupon.invalid",
      "err.payment.due",
      "err.payment.draft",
      "err.payment.disputed",
      "err.payment.returned",
      "err.payment.busy",
      "err.subscription.state",
      "err.attempts.limit",
    ],
    handle: async (s, m, { promotion_code, ...input }) => {
      requireOwner(m);
      const found = await previewPurchase(s, m, { ...input, code: promotion_code ?? null });
      const { preview } = found;
      return {
        result: {
          kind: found.kind,
          currency: "usd",
          lines: preview.lines.map(({ text, cents, isProration }) => ({
            description: text,
            amount: cents,
            proration: isProration,
          })),
          subtotal: preview.subtotalCents,
          discount: preview.discountCents,
          tax: preview.taxCents,
          taxRate: found.taxPercent,
          reverseCharge: found.preview.isReverseCharge,
          total: preview.totalCents,
          remainingBalance: preview.creditCents,
          amountDue: preview.dueCents,
          recurring: found.recurringCents,
          renewalDate: seconds(found.renewsAt),
          quote: found.quote,
          quoteExpires: seconds(found.quoteExpiresAt),
        },
      };
    },
  }),
  route({
    method: "POST",
    path: "/payments/stripe-create-subscriptions",
    summary: "Buy or change subscriptions of several platforms, each with its own payment",
    tag,
    input: createInput,
    result: z.array(paymentAnswer),
    refuses: [
      ...BILLING,
      "err.platform.unknown",
      "err.plan.unknown",
      "err.plan.active",
      "err.coupon.invalid",
      "err.payment.method.missing",
      "err.payment.quote",
      "err.payment.due",
      "err.payment.draft",
      "err.payment.disputed",
      "err.payment.returned",
      "err.payment.busy",
      "err.payment.failed",
      "err.company.missing",
      "err.company.tax",
      "err.subscription.state",
      "err.attempts.limit",
    ],
    handle: async (s, m, { company, items, promotion_code }) => {
      requireOwner(m);
      const bought = await buy(s, m, {
        company: company ?? null,
        items: items.map(({ platform, priceId, quantity, quote }) => ({
          platform,
          priceId,
          quantity,
          quote: quote ?? null,
        })),
        code: promotion_code ?? null,
      });
      return {
        result: bought.map(({ state, ...each }) => ({ ...each, paymentIntentStatus: state })),
      };
    },
  }),
];

import { z } from "zod";
import { SUBSCRIPTION_STATES, TAX_ID_STATES } from "#connectors/contract/payment-provider.ts";

/*
 * The forms of the answers that are read. The SDK's types promise closed lists that the API may extend, so each answer is
 * parsed: a state that is not known is an error, never a state taken for another (docs.stripe.com/upgrades).
 */

const seconds = z.int().transform((value) => value * 1000);
export const moment = seconds.nullish().transform((value) => value ?? null);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
/** An object, or its id when it was not expanded. */
export const idOf = z
  .union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform((value) => value ?? null);
const list = <T extends z.ZodType>(each: T) => z.looseObject({ data: z.array(each) });
const metadata = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

export const priceForm = z
  .looseObject({ id: z.string(), lookup_key: text, tiers_mode: text, metadata })
  // A price that a newer one replaced has lost its lookup key; its metadata keep the name.
  .transform(({ id, lookup_key, tiers_mode, metadata: { catalogue_key } }) => ({
    id,
    key: catalogue_key ?? lookup_key,
    isGraduated: tiers_mode === "graduated",
  }));

const itemForm = z.looseObject({
  id: z.string(),
  price: priceForm,
  quantity: z.int().default(1),
});

export const invoiceStates = z.enum(["draft", "open", "paid", "uncollectible", "void"]);

const lineForm = z.looseObject({
  amount: z.int(),
  description: text,
  quantity: z.int().nullish(),
  period: z.looseObject({ start: z.int(), end: z.int() }).nullish(),
  pricing: z
    .looseObject({ price_details: z.looseObject({ product: idOf }).nullish() })
    .nullish()
    .transform((pricing) => pricing?.price_details?.product ?? null),
  parent: z
    .looseObject({
      subscription_item_details: z.looseObject({ proration: z.boolean(), subscription_item: idOf }).nullish(),
    })
    .nullish()
    .transform((parent) => parent?.subscription_item_details ?? null),
});

const taxes = z
  .array(z.looseObject({ amount: z.int() }))
  .nullish()
  .transform((all) => (all ?? []).reduce((sum, { amount }) => sum + amount, 0));

export const invoiceForm = z.looseObject({
  id: text,
  customer: idOf,
  parent: z
    .looseObject({ subscription_details: z.looseObject({ subscription: idOf }).nullish() })
    .nullish()
    .transform((parent) => parent?.subscription_details?.subscription ?? null),
  number: text,
  status: invoiceStates.nullish().transform((state) => state ?? "draft"),
  currency: z.string(),
  subtotal: z.int(),
  total: z.int(),
  total_excluding_tax: z.int().nullish(),
  total_taxes: taxes,
  total_discount_amounts: taxes,
  starting_balance: z.int().default(0),
  amount_due: z.int(),
  amount_paid: z.int().default(0),
  attempt_count: z.int().default(0),
  billing_reason: text,
  next_payment_attempt: moment,
  created: seconds,
  due_date: moment,
  hosted_invoice_url: text,
  invoice_pdf: text,
  status_transitions: z
    .looseObject({ finalized_at: moment })
    .nullish()
    .transform((transitions) => transitions?.finalized_at ?? null),
  confirmation_secret: z
    .looseObject({ client_secret: z.string() })
    .nullish()
    .transform((secret) => secret?.client_secret ?? null),
  payments: list(
    z.looseObject({
      is_default: z.boolean().default(true),
      payment: z.looseObject({ payment_intent: idOf }),
    }),
  ).nullish(),
  lines: list(lineForm),
  customer_tax_exempt: text,
});
export type InvoiceForm = z.output<typeof invoiceForm>;

export const subscriptionForm = z.looseObject({
  id: z.string(),
  // In lower case (spec part 3 section 3), however the provider writes it.
  status: z.string().toLowerCase().pipe(z.enum(SUBSCRIPTION_STATES)),
  metadata,
  items: list(itemForm.extend({ current_period_start: seconds, current_period_end: seconds })),
  cancel_at: moment,
  cancel_at_period_end: z.boolean(),
  ended_at: moment,
  created: seconds,
  collection_method: z.enum(["charge_automatically", "send_invoice"]),
  latest_invoice: invoiceForm.nullish().transform((invoice) => invoice ?? null),
  pending_update: z
    .looseObject({
      expires_at: seconds,
      subscription_items: z.array(itemForm).nullish(),
    })
    .nullish()
    .transform((update) => update ?? null),
  pending_setup_intent: z
    .union([z.string().transform(() => null), z.looseObject({ client_secret: text, status: text })])
    .nullish()
    .transform((intent) => intent ?? null),
});
export type SubscriptionForm = z.output<typeof subscriptionForm>;

export const intentForm = z.looseObject({
  id: z.string(),
  status: z.enum([
    "succeeded",
    "processing",
    "requires_action",
    "requires_payment_method",
    "requires_confirmation",
    "canceled",
  ]),
  client_secret: text,
  latest_charge: idOf,
  last_payment_error: z.looseObject({ message: text, code: text }).nullish(),
});

const address = z.looseObject({
  country: text,
  state: text,
  city: text,
  line1: text,
  line2: text,
  postal_code: text,
});

export const cardForm = z.looseObject({
  id: z.string(),
  customer: idOf,
  card: z
    .looseObject({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() })
    .nullish(),
});

export const customerForm = z.union([
  z.looseObject({ id: z.string(), deleted: z.literal(true) }),
  z.looseObject({
    id: z.string(),
    deleted: z.undefined().optional(),
    name: text,
    address: address.nullish(),
    balance: z.int().default(0),
    created: z.int(),
    metadata,
    invoice_settings: z.looseObject({
      // Not expanded in lists, where it is not read.
      default_payment_method: z.union([cardForm, z.string().transform(() => null), z.null()]).optional(),
    }),
    tax_ids: list(
      z.looseObject({
        id: z.string(),
        type: z.string(),
        value: z.string(),
        created: z.int(),
        // A state that is not known says as little as no register.
        verification: z
          .looseObject({ status: z.enum(TAX_ID_STATES).catch("unavailable") })
          .nullish()
          .transform((verification) => verification?.status ?? "unavailable"),
      }),
    ).nullish(),
    tax_exempt: text,
  }),
]);

export const chargeForm = z.looseObject({
  id: z.string(),
  payment_intent: idOf,
  currency: z.string(),
  amount: z.int(),
  amount_captured: z.int(),
  amount_refunded: z.int(),
  paid: z.boolean(),
  status: z.string(),
  receipt_url: text,
  created: seconds,
  payment_method_details: z
    .looseObject({ card: z.looseObject({ last4: text }).nullish() })
    .nullish()
    .transform((details) => details?.card?.last4 ?? null),
});

export const refundForm = z.looseObject({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  created: seconds,
  payment_intent: idOf,
  status: text,
});

/** A charge with what became of its money. */
export const correctedChargeForm = z.looseObject({
  id: z.string(),
  disputed: z.boolean(),
  refunds: list(refundForm).nullish(),
});

export const disputeForm = z.looseObject({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  created: seconds,
  payment_intent: idOf,
  status: z.string(),
});

export const creditNoteForm = z.looseObject({
  id: z.string(),
  amount: z.int(),
  total: z.int(),
  currency: z.string(),
  created: seconds,
  invoice: idOf,
  number: text,
  pdf: text,
  status: z.string(),
  refunds: z.array(z.looseObject({ amount_refunded: z.int() })).default([]),
});

export const promotionForm = z.looseObject({
  id: z.string(),
  code: z.string(),
  active: z.boolean(),
  customer: idOf,
  expires_at: moment,
  max_redemptions: z.int().nullish(),
  times_redeemed: z.int().default(0),
  restrictions: z
    .looseObject({
      first_time_transaction: z.boolean().default(false),
      minimum_amount: z.int().nullish(),
    })
    .nullish(),
  promotion: z.looseObject({
    coupon: z.looseObject({
      valid: z.boolean(),
      amount_off: z.int().nullish(),
      percent_off: z.number().nullish(),
      currency: text,
      redeem_by: moment,
      applies_to: z.looseObject({ products: z.array(z.string()) }).nullish(),
    }),
  }),
});

export const taxRateForm = z.looseObject({
  id: z.string(),
  active: z.boolean(),
  country: text,
  display_name: z.string(),
  percentage: z.number(),
  inclusive: z.boolean(),
  metadata,
});

import { z } from "zod";
import {
  CORRECTION_KINDS,
  CORRECTION_STATES,
  SUBSCRIPTION_STATES,
  TAX_ID_STATES,
} from "#connectors/contract/payment-provider.ts";
import { companySchema } from "#core/billing/company.schema.ts";
import { wireText } from "./wire-fields.ts";

/*
 * Inputs and answers of the calls about money, with the specification's names (spec part 3 sections 3 and 7). Fields that
 * the specification gives in dollars are dollars (`cost`, `price`); all others are whole cents.
 */

export const platformField = wireText(50).min(1);
/** Ids of the payment provider. */
const ID = "is not an id";
export const cardId = z.string().regex(/^(?:pm|card)_[A-Za-z0-9_]{1,120}$/, ID);
export const taxId = z.string().regex(/^txi_[A-Za-z0-9_]{1,120}$/, ID);
export const subscriptionId = z.string().regex(/^sub_[A-Za-z0-9_]{1,120}$/, ID);
const promotionCode = wireText(64).trim().min(1);
export const codeInput = z.strictObject({ promotion_code: promotionCode });

export const itemField = z.strictObject({
  platform: platformField,
  priceId: wireText(100).min(1).describe("stripeIds.priceId of the catalogue"),
  quantity: z.int().min(0).max(100_000),
  paymentMethodType: z.literal("card").default("card"),
  quote: wireText(2_000).optional().describe("From the preview; needed to change a subscription"),
});

export const createInput = z.strictObject({
  company: companySchema.optional(),
  items: z.array(itemField).min(1).max(20),
  promotion_code: promotionCode.optional(),
});

export const previewInput = z.strictObject({
  platform: platformField,
  priceId: wireText(100).min(1),
  quantity: z.int().min(0).max(100_000),
  period: z.enum(["month", "year"]),
  promotion_code: promotionCode.optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .describe("For the tax, when no address is saved yet"),
});

/** Where the payment of one platform stands. */
export const paymentAnswer = z.object({
  platform: z.string(),
  priceId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  paymentIntentStatus: z
    .enum([
      "succeeded",
      "processing",
      "requires_action",
      "requires_payment_method",
      "requires_confirmation",
      "canceled",
      "failed",
    ])
    .describe("succeeded also when nothing was due"),
  clientSecret: z.string().nullable().describe("For the card confirmation, or for another card"),
  secretOf: z.enum(["payment", "setup"]).describe("What the client secret confirms"),
  isPending: z.boolean().describe("A change that takes effect once it is paid"),
  message: z.string().nullable(),
  code: z.string().nullable(),
});

export const previewAnswer = z.object({
  kind: z.enum(["new", "change"]),
  currency: z.literal("usd"),
  lines: z.array(z.object({ description: z.string(), amount: z.int(), proration: z.boolean() })),
  subtotal: z.int(),
  discount: z.int(),
  tax: z.int(),
  taxRate: z.number(),
  reverseCharge: z.boolean().describe("The customer owes the tax; none is charged"),
  total: z.int(),
  remainingBalance: z.int().describe("Credit of the customer that was used"),
  amountDue: z.int(),
  recurring: z.int().describe("Each later period, without tax and credits"),
  renewalDate: z.int().describe("Seconds since 1970"),
  quote: z.string().describe("Send it with the item of stripe-create-subscriptions"),
  quoteExpires: z.int().describe("Seconds since 1970"),
});

export const couponAnswer = z.object({
  status: z.enum(["valid", "invalid"]),
  amountOff: z.int().nullable(),
  currency: z.string().nullable(),
  percentOff: z.number().nullable(),
  platforms: z.array(z.string()).nullable().describe("Null: every platform"),
});

export const cardAnswer = z.object({
  id: z.string(),
  card: z.object({ brand: z.string(), last_4: z.string(), exp_month: z.int(), exp_year: z.int() }),
});

export const invoiceAnswer = z.object({
  id: z.string(),
  number: z.string().nullable(),
  platform: z.string().nullable(),
  status: z.enum(["draft", "open", "paid", "uncollectible", "void"]),
  currency: z.string(),
  total: z.int(),
  tax: z.int(),
  amount_due: z.int(),
  amount_paid: z.int(),
  created: z.int().describe("Seconds since 1970"),
  due_date: z.int().nullable(),
  hosted_invoice_url: z.string().nullable(),
  invoice_pdf: z.string().nullable(),
  lines: z.array(z.object({ description: z.string(), amount: z.int() })),
  reverse_charge: z.boolean().describe("The recipient owes the tax; none is charged"),
  corrections: z
    .array(
      z.object({
        kind: z.enum(CORRECTION_KINDS),
        status: z.enum(CORRECTION_STATES),
        amount: z.int(),
        created: z.int().describe("Seconds since 1970"),
        number: z.string().nullable(),
        pdf: z.string().nullable(),
      }),
    )
    .describe("What was given back, claimed back or credited"),
});

/** A payment record (spec part 3 section 3), and what the table shows beside it. */
export const paymentRecord = z.object({
  created: z.int().describe("Seconds since 1970"),
  amount_received: z.int(),
  amount_captured: z.int(),
  amount_refunded: z.int(),
  currency: z.string(),
  paid: z.boolean(),
  status: z.string(),
  last4: z.string().nullable(),
  receipt_url: z.string().nullable(),
  invoice_id: z.string().nullable(),
  invoice_number: z.string().nullable(),
  invoice_pdf: z.string().nullable(),
  product_id: z.string().nullable(),
  platform: z.string().nullable(),
  description: z.string().nullable(),
  tax: z.int(),
  kind: z
    .enum(["payment", ...CORRECTION_KINDS])
    .describe("A refund, a dispute and a credit note are records of their own; their sum is amount_refunded"),
});

export const companyAnswer = z
  .object({
    name: z.string().nullable(),
    address: z.object({
      country: z.string().nullable(),
      state: z.string().nullable(),
      city: z.string().nullable(),
      line1: z.string().nullable(),
      line2: z.string().nullable(),
      postal_code: z.string().nullable(),
    }),
    tax_details: z
      .array(
        z.object({
          id: z.string(),
          type: z.string(),
          value: z.string(),
          status: z.enum(TAX_ID_STATES).describe("What the register of its country says"),
        }),
      )
      .describe("The last one is used"),
    reverse_charge: z.boolean().describe("The company owes the tax of its invoices itself"),
  })
  .nullable();

const subscriptionState = z.enum([...SUBSCRIPTION_STATES, "inactive"]);

/** A platform's subscription as the screens show it (spec part 3 section 3, "Subscription"). */
export const subscriptionAnswer = z.object({
  id: z.string().nullable(),
  type: z.enum(["no-sub", "trial", "subscription"]),
  name: z.string().describe("Trial, Essential or Pro; empty without any"),
  platformName: z.string(),
  status: subscriptionState,
  planName: z.enum(["Pro", "Essential", "Trial"]).nullable(),
  plan: z.enum(["pro_plan", "essential", "trial"]).nullable(),
  isAnnual: z.boolean(),
  periodHours: z.number(),
  finishDate: z.string().nullable().describe("DD/MM/YYYY"),
  finishDateInMillisecond: z.number().nullable(),
  cost: z.number().nullable().describe("The next invoice in dollars, without tax"),
  price: z.number().nullable().describe("The catalogue's price for the quantity, in dollars"),
  quantity: z.int(),
  planQuantity: z.int(),
  addedItemsQuantity: z.int(),
  isInvoiceRequested: z.boolean(),
  isCancel: z.boolean(),
  isPaid: z.boolean(),
  isConnect: z.boolean(),
  rightEnds: z.number().nullable().describe("When backups stop if nothing changes; epoch ms"),
  removedAt: z.number().nullable().describe("When an ended platform's backups are removed; epoch ms"),
  removed: z
    .object({ at: z.number(), items: z.int(), versions: z.int() })
    .nullable()
    .describe("What was removed of an ended platform, and when (epoch ms)"),
  latestInvoiceId: z.string().nullable(),
  nextAttempt: z.number().nullable().describe("When a failed payment is tried again; epoch ms"),
  pending: z
    .object({ plan: z.enum(["pro_plan", "essential"]).nullable(), quantity: z.int(), expires: z.number() })
    .nullable()
    .describe("A change that waits for its payment"),
  moneyBack: z.number().nullable().describe("When the period's payment had gone back; epoch ms"),
  isDisputed: z.boolean().describe("The bank decides about a payment of the period"),
});

/** Trial and subscription of one platform. The members named `stripe_…` follow the specification. */
export const platformStatusAnswer = z
  .object({
    trialStatus: z.enum(["not started", "active", "expired"]),
    trialHoursLeft: z.int().min(0),
    finishDate: z.string().nullable().describe("The trial's end, DD/MM/YYYY"),
    planQuantity: z.int().min(0),
    addedItemsQuantity: z.int().min(0),
    availableItemsQuantity: z.int().min(0),
    domainUsersNumber: z
      .int()
      .min(0)
      .nullable()
      .optional()
      .describe(
        "The users of the connected accounts, null while they are not known; only where the plan counts them",
      ),
    availableUsersQuantity: z.int().min(0).nullable().optional().describe("Users that the plan has room for"),
    isInvoiceRequested: z.boolean(),
    isCancel: z.boolean(),
    subscription_type: z.enum(["pro_plan", "essential"]).nullable(),
    subscription_period: z.enum(["month", "year"]).nullable(),
    subscription_status: subscriptionState.nullable(),
    s3_region: z.string().optional(),
    cloud_storages: z.array(z.string()),
    isConnectionActive: z.boolean(),
    subscription: subscriptionAnswer,
  })
  .catchall(z.unknown());

import type { Refusal } from "#connectors/toolkit/simulator/request-log.ts";
import type { CardBehaviour } from "./cards.ts";

/** Every time is in seconds since 1970, as in Stripe's API. */
type Seconds = number;
export type Metadata = Record<string, string>;
export type Address = Record<"city" | "country" | "line1" | "line2" | "postal_code" | "state", string | null>;
type Thing<Name extends string> = { id: string; object: Name; livemode: false };
type Born<Name extends string> = Thing<Name> & { created: Seconds };

/**
 * Objects are stored in the shape in which the API answers, with ids for what can be expanded. The types name only the
 * fields that rules use. `sim` holds what the real Stripe keeps to itself and is never answered.
 */
export type Customer = Born<"customer"> & {
  email: string | null;
  name: string | null;
  phone: string | null;
  address: Address | null;
  balance: number;
  currency: string | null;
  description: string | null;
  delinquent: boolean;
  invoice_prefix: string;
  next_invoice_sequence: number;
  invoice_settings: { default_payment_method: string | null; footer: string | null };
  metadata: Metadata;
  tax_exempt: "none" | "exempt" | "reverse";
  test_clock: string | null;
  deleted?: true;
};

export type PaymentMethod = Born<"payment_method"> & {
  customer: string | null;
  type: "card";
  card: { brand: string; last4: string; exp_month: number; exp_year: number; country: string };
  billing_details: { address: Address | null; email: string | null; name: string | null };
  metadata: Metadata;
  sim: { behaviour: CardBehaviour; isSetUp: boolean };
};

/** An error as it stands in `last_payment_error` and in the answer of a declined call. */
export type CardError = {
  type: "card_error";
  code: string;
  decline_code?: string;
  message: string;
  charge?: string;
};
type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "succeeded"
  | "canceled";
type NextAction = { type: "use_stripe_sdk"; use_stripe_sdk: Record<string, string> } | null;

export type PaymentIntent = Born<"payment_intent"> & {
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  client_secret: string;
  status: IntentStatus;
  payment_method: string | null;
  next_action: NextAction;
  last_payment_error: CardError | null;
  latest_charge: string | null;
  cancellation_reason: string | null;
  canceled_at: Seconds | null;
  metadata: Metadata;
  sim: { invoice: string | null; isOffSession: boolean };
};

export type SetupIntent = Born<"setup_intent"> & {
  customer: string | null;
  client_secret: string;
  status: IntentStatus;
  payment_method: string | null;
  next_action: NextAction;
  last_setup_error: CardError | null;
  usage: string;
  metadata: Metadata;
  sim: { subscription: string | null };
};

export type Charge = Born<"charge"> & {
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  currency: string;
  customer: string | null;
  paid: boolean;
  refunded: boolean;
  disputed: boolean;
  status: "succeeded" | "failed";
  failure_code: string | null;
  failure_message: string | null;
  payment_intent: string;
  payment_method: string;
  payment_method_details: unknown;
  receipt_url: string | null;
};

export type Refund = Omit<Born<"refund">, "livemode"> & {
  amount: number;
  charge: string;
  payment_intent: string;
};
export type Dispute = Born<"dispute"> & { amount: number; charge: string; status: string };

export type Interval = "day" | "week" | "month" | "year";
export type Tier = { up_to: number | null; unit_amount: number | null; flat_amount: number | null };
export type Price = Born<"price"> & {
  active: boolean;
  billing_scheme: "per_unit" | "tiered";
  currency: string;
  lookup_key: string | null;
  metadata: Metadata;
  nickname: string | null;
  product: string;
  recurring: { interval: Interval; interval_count: number } | null;
  tiers_mode: "graduated" | "volume" | null;
  unit_amount: number | null;
  unit_amount_decimal: string | null;
  tax_behavior: "exclusive" | "inclusive" | "unspecified";
  sim: { tiers: Tier[] };
};
export type Product = Born<"product"> & {
  active: boolean;
  name: string;
  description: string | null;
  metadata: Metadata;
  updated: Seconds;
};

export type Coupon = Born<"coupon"> & {
  amount_off: number | null;
  currency: string | null;
  percent_off: number | null;
  duration: "forever" | "once" | "repeating";
  duration_in_months: number | null;
  max_redemptions: number | null;
  redeem_by: Seconds | null;
  times_redeemed: number;
  valid: boolean;
  name: string | null;
  metadata: Metadata;
  sim: { products: string[] | null };
};
export type PromotionCode = Born<"promotion_code"> & {
  active: boolean;
  code: string;
  customer: string | null;
  expires_at: Seconds | null;
  max_redemptions: number | null;
  times_redeemed: number;
  promotion: { coupon: string; type: "coupon" };
  restrictions: {
    first_time_transaction: boolean;
    minimum_amount: number | null;
    minimum_amount_currency: string | null;
  };
  metadata: Metadata;
};
export type Discount = Omit<Thing<"discount">, "livemode"> & {
  source: { coupon: string; type: "coupon" };
  promotion_code: string | null;
  subscription: string | null;
  customer: string | null;
  start: Seconds;
  end: Seconds | null;
};
export type TaxRate = Born<"tax_rate"> & {
  active: boolean;
  display_name: string;
  percentage: number;
  inclusive: boolean;
  country: string | null;
};
export type TaxId = Born<"tax_id"> & {
  customer: string;
  type: string;
  value: string;
  country: string | null;
};

/** What an item was billed for a time that a later change may give back (billing-mode/compare: flexible). */
export type Debit = {
  invoice: string;
  line: string;
  /** Without the discounts. */
  net: number;
  quantity: number;
  price: string;
  start: Seconds;
  end: Seconds;
};
export type SubscriptionItem = Omit<Born<"subscription_item">, "livemode"> & {
  price: string;
  plan: unknown;
  quantity: number;
  subscription: string;
  current_period_start: Seconds;
  current_period_end: Seconds;
  metadata: Metadata;
  sim: { debits: Debit[] };
};
export type SubscriptionStatus =
  | "active"
  | "canceled"
  | "incomplete"
  | "incomplete_expired"
  | "past_due"
  | "trialing"
  | "unpaid";
/** A change that waits for its payment. */
export type PendingUpdate = {
  expires_at: Seconds;
  billing_cycle_anchor: Seconds | null;
  subscription_items: SubscriptionItem[];
  trial_end: Seconds | null;
};
export type Subscription = Born<"subscription"> & {
  customer: string;
  status: SubscriptionStatus;
  currency: string;
  items: { object: "list"; data: SubscriptionItem[]; has_more: false; url: string };
  billing_cycle_anchor: Seconds;
  cancel_at: Seconds | null;
  cancel_at_period_end: boolean;
  canceled_at: Seconds | null;
  cancellation_details: { reason: string | null; comment: string | null; feedback: string | null };
  collection_method: "charge_automatically" | "send_invoice";
  days_until_due: number | null;
  default_payment_method: string | null;
  default_tax_rates: string[];
  description: string | null;
  discounts: string[];
  ended_at: Seconds | null;
  latest_invoice: string | null;
  metadata: Metadata;
  payment_settings: { payment_method_types: string[] | null };
  pending_setup_intent: string | null;
  pending_update: PendingUpdate | null;
  start_date: Seconds;
  test_clock: string | null;
  trial_start: Seconds | null;
  trial_end: Seconds | null;
  sim: { pendingLines: InvoiceLine[]; pendingInvoice: string | null; upcomingFor: Seconds | null };
};

export type Tax = {
  amount: number;
  tax_behavior: "exclusive" | "inclusive";
  tax_rate_details: { tax_rate: string };
  taxability_reason: string;
  taxable_amount: number;
  type: "tax_rate_details";
};
export type InvoiceLine = Thing<"line_item"> & {
  amount: number;
  currency: string;
  description: string;
  discount_amounts: { amount: number; discount: string }[];
  discountable: boolean;
  discounts: string[];
  invoice: string;
  metadata: Metadata;
  parent: unknown;
  period: { start: Seconds; end: Seconds };
  pricing: unknown;
  quantity: number;
  quantity_decimal: string;
  subscription: string;
  subtotal: number;
  taxes: Tax[];
  sim: { price: string; item: string; isProration: boolean };
};
export type InvoicePayment = Born<"invoice_payment"> & {
  amount_paid: number | null;
  amount_requested: number;
  currency: string;
  invoice: string;
  is_default: boolean;
  payment: { payment_intent: string; type: "payment_intent" };
  status: "open" | "paid" | "canceled";
  status_transitions: { canceled_at: Seconds | null; paid_at: Seconds | null };
};
export type Invoice = Born<"invoice"> & {
  customer: string;
  currency: string;
  number: string | null;
  status: "draft" | "open" | "paid" | "void" | "uncollectible";
  billing_reason: "subscription_create" | "subscription_cycle" | "subscription_update" | "upcoming";
  collection_method: "charge_automatically" | "send_invoice";
  lines: { object: "list"; data: InvoiceLine[]; has_more: false; url: string };
  subtotal: number;
  total: number;
  total_discount_amounts: { amount: number; discount: string }[];
  total_taxes: Tax[];
  discounts: string[];
  starting_balance: number;
  ending_balance: number | null;
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  automatically_finalizes_at: Seconds | null;
  next_payment_attempt: Seconds | null;
  due_date: Seconds | null;
  period_start: Seconds;
  period_end: Seconds;
  parent: { type: "subscription_details"; subscription_details: { subscription: string } };
  status_transitions: Record<
    "finalized_at" | "marked_uncollectible_at" | "paid_at" | "voided_at",
    Seconds | null
  >;
  metadata: Metadata;
  test_clock: string | null;
  /** What the invoice took from the customer's balance, to give it back when it is void. */
  sim: { payments: InvoicePayment[]; applied: number; subscription: string; retries: number };
};
export type BalanceTransaction = Born<"customer_balance_transaction"> & {
  amount: number;
  customer: string;
  ending_balance: number;
  invoice: string | null;
  type: string;
};

export type StripeEvent = Born<"event"> & { type: string; data: { object: unknown } };
export type WebhookEndpoint = Born<"webhook_endpoint"> & {
  url: string;
  enabled_events: string[];
  status: "enabled" | "disabled";
  description: string | null;
  metadata: Metadata;
  sim: { secret: string };
};
export type TestClock = Born<"test_helpers.test_clock"> & {
  frozen_time: Seconds;
  status: "ready" | "advancing";
  name: string | null;
};
export type PortalConfiguration = Born<"billing_portal.configuration"> & {
  active: boolean;
  is_default: boolean;
  features: Record<string, { enabled: boolean } & Record<string, unknown>>;
  default_return_url: string | null;
  metadata: Metadata;
  name: string | null;
  updated: Seconds;
};
export type PortalSession = Born<"billing_portal.session"> & {
  configuration: string;
  customer: string;
  return_url: string | null;
  url: string;
};

/** The kinds of objects, by the name that Stripe gives them in `object`. */
export type Kinds = {
  customer: Customer;
  payment_method: PaymentMethod;
  payment_intent: PaymentIntent;
  setup_intent: SetupIntent;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  price: Price;
  product: Product;
  coupon: Coupon;
  promotion_code: PromotionCode;
  discount: Discount;
  tax_rate: TaxRate;
  tax_id: TaxId;
  subscription: Subscription;
  invoice: Invoice;
  customer_balance_transaction: BalanceTransaction;
  event: StripeEvent;
  webhook_endpoint: WebhookEndpoint;
  "test_helpers.test_clock": TestClock;
  "billing_portal.configuration": PortalConfiguration;
  "billing_portal.session": PortalSession;
};
export type Kind = keyof Kinds;

/** A saved answer of an idempotency key. */
export type SavedAnswer = { at: Seconds; fingerprint: string; status: number; body: string };
/** A signed event on its way to an endpoint. */
export type Delivery = {
  id: string;
  event: string;
  type: string;
  endpoint: string;
  body: string;
  attempts: number;
  state: "waiting" | "sent" | "failed";
  status: number | null;
  retryAt: Seconds | null;
};
/** How events reach their endpoints. */
export type DeliveryMode = {
  /** `hold` = nothing is sent before an order to. */
  isHeld: boolean;
  delayMs: number;
  copies: number;
  isShuffled: boolean;
  /** The next events that are lost. */
  drops: number;
};
/** An answer that fails before or after its call took effect. */
export type SimulatedFailure = {
  method: string | null;
  path: string;
  times: number;
  status: number;
  when: "before" | "after";
};

export type StripeState = {
  tables: { [K in Kind]: Record<string, Kinds[K]> };
  /** Seconds that the simulator's clock is ahead of the machine's; or where it stands still. */
  clock: { ahead: Seconds; stoppedAt: Seconds | null };
  keys: Record<string, SavedAnswer>;
  deliveries: Delivery[];
  mode: DeliveryMode;
  failures: SimulatedFailure[];
  /** Outcomes that the next charges get whatever their card is. */
  declines: CardBehaviour[];
};

export type StripeSettings = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Where events go; null = only to endpoints that the API creates. */
  webhookUrl: string | null;
  isHeld: boolean;
  /** What happens after the last retry of a renewal (billing/revenue-recovery/smart-retries). */
  afterRetries: "unpaid" | "canceled";
};

export type StripeWorld = {
  state: StripeState;
  settings: StripeSettings;
  url: string;
  /** The moment of a scheduled action while it happens; null = the clock says it. */
  moment: Seconds | null;
  save(): void;
  refuse(refusal: Refusal): void;
  /** Sends what waits, after the answer of the call that caused it. */
  deliver(): void;
};

const KINDS: readonly Kind[] = [
  "customer",
  "payment_method",
  "payment_intent",
  "setup_intent",
  "charge",
  "refund",
  "dispute",
  "price",
  "product",
  "coupon",
  "promotion_code",
  "discount",
  "tax_rate",
  "tax_id",
  "subscription",
  "invoice",
  "customer_balance_transaction",
  "event",
  "webhook_endpoint",
  "test_helpers.test_clock",
  "billing_portal.configuration",
  "billing_portal.session",
];

/** A Stripe account without anything. */
export function emptyState(isHeld: boolean): StripeState {
  return {
    tables: Object.fromEntries(KINDS.map((kind) => [kind, {}])) as unknown as StripeState["tables"],
    clock: { ahead: 0, stoppedAt: null },
    keys: {},
    deliveries: [],
    mode: { isHeld, delayMs: 0, copies: 1, isShuffled: false, drops: 0 },
    failures: [],
    declines: [],
  };
}

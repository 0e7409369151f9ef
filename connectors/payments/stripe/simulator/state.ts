import type { Refusal } from "#connectors/toolkit/simulator/request-log.ts";
import type { CardBehaviour } from "./cards.ts";
import type {
  PortalConfiguration,
  PortalSession,
  StripeEvent,
  TestClock,
  WebhookEndpoint,
} from "./things/account.ts";
import type { Seconds } from "./things/base.ts";
import type { Coupon, Discount, Price, Product, PromotionCode, TaxId, TaxRate } from "./things/catalogue.ts";
import type {
  Charge,
  CreditNote,
  Customer,
  Dispute,
  PaymentIntent,
  PaymentMethod,
  Refund,
  SetupIntent,
} from "./things/payments.ts";
import type { BalanceTransaction, Invoice, Subscription } from "./things/subscriptions.ts";

/** The kinds of objects, by the name that Stripe gives them in `object`. */
export type Kinds = {
  customer: Customer;
  payment_method: PaymentMethod;
  payment_intent: PaymentIntent;
  setup_intent: SetupIntent;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  credit_note: CreditNote;
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
  "credit_note",
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

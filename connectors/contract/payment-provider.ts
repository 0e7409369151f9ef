/**
 * What billing needs of a payment provider. Amounts are whole cents of US dollars, times epoch ms. Every write takes
 * the caller's idempotency key: the same key and order return the first answer (docs.stripe.com/api/idempotent_requests).
 * Reads and writes throw only `PaymentError`.
 */
export interface PaymentProvider {
  createCustomer(
    order: { organisationId: string; name: string; email: string },
    key: string,
  ): Promise<string>;
  /** Customers of this address that carry the organisation in their metadata, the oldest first. */
  findCustomers(order: { organisationId: string; email: string }): Promise<string[]>;
  readCustomer(customerId: string): Promise<ProviderCustomer>;
  saveAddress(
    customerId: string,
    order: { name: string; address: ProviderAddress },
    key: string,
  ): Promise<void>;
  /** Where the provider writes to about invoices and payments. */
  setEmail(customerId: string, email: string, key: string): Promise<void>;
  /** From now on tax is charged again. */
  endReverseCharge(customerId: string, key: string): Promise<void>;
  addTaxId(customerId: string, order: { type: string; value: string }, key: string): Promise<string>;
  /** True when it was there. */
  removeTaxId(customerId: string, taxId: string): Promise<boolean>;

  /** Attaches a card, which becomes the one that renewals are paid with. */
  attachCard(customerId: string, cardId: string, key: string): Promise<void>;
  /** The customer that a card belongs to; null for a card without one. @throws PaymentError `missing` */
  ownerOfCard(cardId: string): Promise<string | null>;
  /** Begins a change of card that the bank confirms for later payments. */
  createCardSetup(customerId: string, key: string): Promise<{ clientSecret: string }>;

  /** The provider's ids of catalogue prices, by their key. Unpublished prices are absent. */
  findPrices(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The id of a tax rate with exactly these values; created when there is none. */
  taxRate(order: { country: string; basisPoints: number; label: string }): Promise<string>;
  /** A promotion code that may be used now; null when there is none. */
  findPromotion(code: string): Promise<ProviderPromotion | null>;

  /** Every subscription that the customer has or had. */
  listSubscriptions(customerId: string): Promise<SubscriptionList>;
  subscribe(order: SubscribeOrder, key: string): Promise<Purchase>;
  /** Where a subscription's latest payment stands. */
  readPurchase(subscriptionId: string): Promise<Purchase>;
  confirmPayment(intentId: string, cardId: string, key: string): Promise<Payment>;
  /** Applies a change, or keeps it pending until its invoice is paid. */
  changeSubscription(order: ChangeOrder, key: string): Promise<Purchase>;
  /**
   * Sets the quantity of the next period. Nothing is charged or credited now; what was paid for stays until the period
   * turns.
   */
  setQuantity(order: QuantityOrder, key: string): Promise<void>;
  setCancelling(order: CancelOrder, key: string): Promise<void>;
  setTaxRates(subscriptionId: string, taxRates: readonly string[], key: string): Promise<void>;
  /** Ends it at once. Nothing is refunded. One that has ended already stays as it is. */
  endSubscription(subscriptionId: string, key: string): Promise<void>;

  /** What would be charged now. Changes nothing. */
  preview(order: PreviewOrder): Promise<Preview>;
  /** What the subscription's next period costs without tax and credits; null when there is no next period. */
  recurringCents(customerId: string, subscriptionId: string): Promise<number | null>;

  /** @throws PaymentError `missing` */
  readInvoice(invoiceId: string): Promise<Invoice>;
  payInvoice(invoiceId: string, cardId: string, key: string): Promise<Payment>;
  voidInvoice(invoiceId: string, key: string): Promise<void>;
  /** The newest first. */
  listInvoices(customerId: string, limit: number): Promise<Invoice[]>;
  /** Those that wait for their payment, also of older periods. */
  listOpenInvoices(customerId: string): Promise<Invoice[]>;
  listCharges(customerId: string, limit: number): Promise<Charge[]>;
  /** Refunds, disputes and credit notes of the customer's newest payments, the newest first. */
  listCorrections(customerId: string): Promise<Correction[]>;

  /** The address of the provider's own pages about invoices, card and address. */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /**
   * Reads an event that claims to come from the provider.
   * @throws PaymentError `forged` when the signature does not fit, or is too old or of another mode
   */
  readEvent(body: string, signature: string): Promise<ProviderEvent>;
}

export type ProviderAddress = {
  country: string | null;
  state: string | null;
  city: string | null;
  line1: string | null;
  line2: string | null;
  postalCode: string | null;
};

export type ProviderCard = { id: string; brand: string; last4: string; expMonth: number; expYear: number };

export type ProviderCustomer = {
  id: string;
  isDeleted: boolean;
  name: string | null;
  address: ProviderAddress | null;
  /** Credit of the customer; it lowers the next invoices. A debt is negative. */
  creditCents: number;
  card: ProviderCard | null;
  /** The oldest first. */
  taxIds: readonly ProviderTaxId[];
  /** The customer owes the tax of what it buys, as the provider was told. */
  isReverseCharge: boolean;
};

/** How far a tax id was checked against the register of its country. Many countries have no register that can be asked. */
export const TAX_ID_STATES = ["pending", "verified", "unverified", "unavailable"] as const;
export type TaxIdState = (typeof TAX_ID_STATES)[number];
export type ProviderTaxId = { id: string; type: string; value: string; state: TaxIdState };

/** The states that a subscription may have (docs.stripe.com/billing/subscriptions/overview). */
export const SUBSCRIPTION_STATES = [
  "active",
  "past_due",
  "unpaid",
  "canceled",
  "incomplete",
  "incomplete_expired",
  "trialing",
  "paused",
] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

export type ProviderSubscription = {
  id: string;
  /** The command of ours that created it. */
  commandId: string | null;
  itemId: string;
  /** The catalogue key of its price; null for a price that is not ours. */
  priceKey: string | null;
  quantity: number;
  /** The quantity that was paid for last. */
  paidQuantity: number;
  state: SubscriptionState;
  periodStart: number;
  periodEnd: number;
  /** When it is cancelled, if that is ordered. */
  cancelAt: number | null;
  /** True when only `cancelAt` was set, as the provider's own pages do. */
  isCancelledByDate: boolean;
  endedAt: number | null;
  createdAt: number;
  /** Paid by bank transfer after an invoice. */
  isInvoiced: boolean;
  /** Of a subscription that is not paid, the oldest invoice that is open. */
  latestInvoice: {
    id: string;
    state: InvoiceState;
    finalizedAt: number | null;
    dueAt: number | null;
    nextAttemptAt: number | null;
    attempts: number;
    /** The invoice of a period that followed another; not of the first one, nor of a change. */
    isRenewal: boolean;
  } | null;
  /** A change that waits for its payment. */
  pending: { priceKey: string | null; quantity: number; expiresAt: number } | null;
};

/** `unreadable`: ids of subscriptions in a form that is not known. */
export type SubscriptionList = {
  subscriptions: ProviderSubscription[];
  unreadable: { id: string; reason: string }[];
};

export type InvoiceState = "draft" | "open" | "paid" | "uncollectible" | "void";

export type Invoice = {
  id: string;
  customerId: string;
  subscriptionId: string | null;
  number: string | null;
  state: InvoiceState;
  currency: string;
  totalCents: number;
  taxCents: number;
  dueCents: number;
  paidCents: number;
  createdAt: number;
  dueAt: number | null;
  hostedUrl: string | null;
  pdfUrl: string | null;
  lines: readonly { text: string; cents: number; productId: string | null }[];
  /** The recipient owes the tax: none is charged, and the invoice says so. */
  isReverseCharge: boolean;
  /** The payment intents that paid or should pay it. */
  intentIds: readonly string[];
};

export type Charge = {
  id: string;
  intentId: string | null;
  currency: string;
  cents: number;
  capturedCents: number;
  refundedCents: number;
  isPaid: boolean;
  state: string;
  last4: string | null;
  receiptUrl: string | null;
  createdAt: number;
};

/** Why money that was asked for is not ours, or not any more. */
export const CORRECTION_KINDS = ["refund", "dispute", "credit_note"] as const;

/**
 * How a correction stands. `pending`: a refund on its way. `open`: a dispute that the bank has not decided. `lost` and
 * `won` are said of us: a lost dispute is money that went back. A credit note is `done`, or `failed` when it is void.
 */
export const CORRECTION_STATES = ["pending", "done", "failed", "open", "lost", "won"] as const;
export type CorrectionState = (typeof CORRECTION_STATES)[number];

/** A refund or a dispute of a payment, or a credit note about an invoice. */
export type Correction = {
  id: string;
  kind: (typeof CORRECTION_KINDS)[number];
  state: CorrectionState;
  cents: number;
  /** The part of a credit note that went back as a refund, which is a correction of its own. */
  refundedCents: number;
  currency: string;
  /** The payment that went back; null for a credit note. */
  intentId: string | null;
  /** The invoice of a credit note; null for the others, whose payment names it. */
  invoiceId: string | null;
  /** The number that the paper carries; only a credit note has one. */
  number: string | null;
  pdfUrl: string | null;
  createdAt: number;
};

/** Where a payment stands, in the provider's words. */
export type Payment = {
  state:
    | "succeeded"
    | "processing"
    | "requires_action"
    | "requires_payment_method"
    | "requires_confirmation"
    | "canceled";
  clientSecret: string | null;
  /** The provider's sentence about a decline. */
  message: string | null;
  /** Names the last attempt to charge a card; null before the first, and when the holder's confirmation failed. */
  attemptId: string | null;
};

/** A subscription with the payment of its latest invoice. `payment` null: nothing is to be paid. */
export type Purchase = {
  subscriptionId: string;
  state: SubscriptionState;
  invoiceId: string | null;
  /** The invoice is open, so it may be paid or voided. */
  isInvoiceOpen: boolean;
  intentId: string | null;
  payment: Payment | null;
  /** A card still to be confirmed for later payments, when nothing is due now. */
  setupSecret: string | null;
  isChangePending: boolean;
  /** What is running: the catalogue key of its price, null for a price that is not ours, and the quantity. */
  priceKey: string | null;
  quantity: number;
};

export type SubscribeOrder = {
  customerId: string;
  priceId: string;
  quantity: number;
  taxRates: readonly string[];
  promotionId: string | null;
  organisationId: string;
  platform: string;
  commandId: string;
};

export type ChangeOrder = {
  subscriptionId: string;
  itemId: string;
  priceId: string;
  quantity: number;
  /** The second for which the change was previewed. */
  prorationAt: number;
  /** Begin a new period now: required when the period's length changes. */
  isNewPeriod: boolean;
};

export type QuantityOrder = { subscriptionId: string; itemId: string; quantity: number };

export type CancelOrder =
  | { subscriptionId: string; isCancelling: true }
  | { subscriptionId: string; isCancelling: false; byDate: boolean };

export type PreviewOrder = {
  customerId: string | null;
  priceId: string;
  quantity: number;
  taxRates: readonly string[];
  promotionId: string | null;
  change: { subscriptionId: string; itemId: string; prorationAt: number; isNewPeriod: boolean } | null;
};

export type Preview = {
  lines: readonly { text: string; cents: number; isProration: boolean }[];
  subtotalCents: number;
  discountCents: number;
  taxCents: number;
  totalCents: number;
  /** Credit that was used, as a positive amount. */
  creditCents: number;
  dueCents: number;
  isReverseCharge: boolean;
};

export type ProviderPromotion = {
  id: string;
  code: string;
  amountOffCents: number | null;
  percentOff: number | null;
  currency: string | null;
  /** Only for this customer. */
  customerId: string | null;
  isFirstTimeOnly: boolean;
  minimumCents: number | null;
  /** Only for these products: the platforms of our catalogue that they belong to; null for all. */
  platforms: readonly string[] | null;
};

export type ProviderEvent = { id: string; type: string; customerId: string | null; createdAt: number };

/** Why the provider refused or failed. */
export type PaymentErrorKind =
  | "declined" // the card; the message is the provider's
  | "refused" // the request is not possible in this state; the message is the provider's
  | "missing" // no such object
  | "conflict" // the same key is in use, or was used for another order
  | "unavailable" // temporary: try again
  | "malformed" // an answer in a form that is not known
  | "forged"; // an event that the provider did not sign

export class PaymentError extends Error {
  override name = "PaymentError";
  readonly kind: PaymentErrorKind;
  readonly providerCode: string | null;

  constructor(
    kind: PaymentErrorKind,
    message: string,
    options: { providerCode?: string | null; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.providerCode = options.providerCode ?? null;
  }
}

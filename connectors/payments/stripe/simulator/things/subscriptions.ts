import type { Born, Metadata, Seconds, Thing } from "./base.ts";

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
  post_payment_credit_notes_amount: number;
  pre_payment_credit_notes_amount: number;
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

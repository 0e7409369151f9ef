import type { CardBehaviour, CardError } from "../cards.ts";
import type { Address, Born, Metadata, Seconds } from "./base.ts";

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
export type Dispute = Born<"dispute"> & {
  amount: number;
  charge: string;
  payment_intent: string | null;
  status: string;
};
export type CreditNote = Born<"credit_note"> & {
  amount: number;
  currency: string;
  customer: string;
  invoice: string;
  number: string;
  pdf: string;
  status: "issued" | "void";
  total: number;
  voided_at: Seconds | null;
  refunds: {
    amount_refunded: number;
    refund: string;
    payment_record_refund: null;
    type: "refund";
  }[];
};

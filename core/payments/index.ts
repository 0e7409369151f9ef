import type {
  Charge,
  Invoice,
  Payment,
  Preview,
  ProviderAddress,
  ProviderCard,
  ProviderPromotion,
  SubscriptionState,
} from "#connectors/contract/payment-provider.ts";
export type CompanyView = {
  name: string | null;
  address: ProviderAddress;
  taxIds: readonly { id: string; type: string; value: string }[];
};
export type PlatformMoney = {
  trial: { status: "not started" | "active" | "expired"; hoursLeft: number; endsAt: number | null };
  planQuantity: number;
  backupHours: number;
  rightEndsAt: number | null;
  removedAt: number | null;
  bought: null | {
    id: string;
    plan: "essential" | "pro";
    period: "month" | "year";
    state: SubscriptionState;
    quantity: number;
    priceKey: string | null;
    nextInvoiceCents: number | null;
    catalogueCents: number | null;
    periodEnd: number | null;
    cancelAt: number | null;
    isCancelling: boolean;
    endedAt: number | null;
    isInvoiced: boolean;
    latestInvoiceId: string | null;
    nextAttemptAt: number | null;
    pending: { plan: "essential" | "pro" | null; quantity: number; expiresAt: number } | null;
  };
};
export type ItemPayment = {
  platform: string;
  priceId: string | null;
  subscriptionId: string | null;
  state: Payment["state"] | "failed";
  clientSecret: string | null;
  secretOf: "payment" | "setup";
  isPending: boolean;
  message: string | null;
  code: string | null;
};
export type PaymentRecord = {
  createdAt: number;
  amount_received: number;
  amount_captured: number;
  amount_refunded: number;
  currency: string;
  paid: boolean;
  status: string;
  last4: string | null;
  receipt_url: string | null;
  invoice_id: string | null;
  invoice_number: string | null;
  invoice_pdf: string | null;
  product_id: string | null;
  platform: string | null;
  description: string | null;
  tax: number;
};
const no = ((): never => {
  throw new Error("not wired");
}) as never;
export const buy = no as (...a: unknown[]) => Promise<ItemPayment[]>;
export const checkPromotion = no as (...a: unknown[]) => Promise<ProviderPromotion | null>;
export const previewPurchase = no as (
  ...a: unknown[]
) => Promise<{
  kind: "new" | "change";
  preview: Preview;
  taxPercent: number;
  recurringCents: number;
  renewsAt: number;
  quote: string;
  quoteExpiresAt: number;
}>;
export const taxPercentOf = no as (c: string) => number;
export const attachCard = no as (...a: unknown[]) => Promise<ProviderCard>;
export const createCardSetup = no as (...a: unknown[]) => Promise<{ clientSecret: string }>;
export const currentCard = no as (...a: unknown[]) => Promise<ProviderCard>;
export const payOpenInvoice = no as (...a: unknown[]) => Promise<ItemPayment>;
export const cancelAllSubscriptions = no as (
  ...a: unknown[]
) => Promise<{ platform: string; endsAt: number | null; message: string | null }[]>;
export const cancelSubscription = no as (...a: unknown[]) => Promise<number | null>;
export const endSubscription = no as (...a: unknown[]) => Promise<void>;
export const resumeSubscription = no as (...a: unknown[]) => Promise<void>;
export const billingAccount = no as (
  ...a: unknown[]
) => Promise<{ company: CompanyView | null; card: ProviderCard | null; creditCents: number }>;
export const latestInvoice = no as (
  ...a: unknown[]
) => Promise<{ invoice: Invoice; platform: string | null }>;
export const listPayments = no as (...a: unknown[]) => Promise<PaymentRecord[]>;
export const openPortal = no as (...a: unknown[]) => Promise<string>;
export const removeTaxId = no as (...a: unknown[]) => Promise<CompanyView | null>;
export const saveCompany = no as (...a: unknown[]) => Promise<CompanyView>;
export const syncCustomer = no as (...a: unknown[]) => Promise<unknown>;
export const takeEvent = no as (...a: unknown[]) => Promise<string | null>;
export const platformMoney = no as (...a: unknown[]) => Promise<Map<string, PlatformMoney>>;
export const refreshBilling = no as (...a: unknown[]) => Promise<void>;
export type _ = Charge;

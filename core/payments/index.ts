/**
 * Payments: the organisation's customer at the payment provider. What the provider says is read into a projection, from
 * which the entitlements follow; every write is a stored command.
 */
export { billingAccount, openPortal, startAccount } from "./account.ts";
export { buy } from "./buy.ts";
export {
  cancelAllSubscriptions,
  cancelSubscription,
  endSubscription,
  resumeSubscription,
} from "./cancel.ts";
export { attachCard, createCardSetup, currentCard } from "./cards.ts";
export { checkoutUrlOf } from "./checkout-url.ts";
export { type CompanyView, removeTaxId, saveCompany } from "./company.ts";
export { endEverything, endLapsed, isLapseClear } from "./end-lapsed.ts";
export { latestInvoice, listPayments, payOpenInvoice } from "./invoices.ts";
export { finishOwnerEmails, orderOwnerEmail } from "./owner-email.ts";
export { type PlatformMoney, platformMoney } from "./platform-money.ts";
export { previewPurchase } from "./preview.ts";
export { checkPromotion } from "./promotion.ts";
export { recalculateSubscriptions } from "./recalculate.ts";
export { prunePaymentEvents, reconcilePayments } from "./reconcile.ts";
export { refreshPayments } from "./refresh.ts";
export { type RunningSubscription, runningSubscriptions } from "./running-subscriptions.ts";
export { saveCard } from "./save-card.ts";
export { sendPaymentNotices } from "./send-notices.ts";
export { syncCustomer, syncQuietly } from "./sync-customer.ts";
export { takeEvent } from "./take-event.ts";
export { taxPercentOf } from "./tax.ts";

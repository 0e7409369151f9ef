import type { Invoice } from "#connectors/contract/payment-provider.ts";
import type { Uses } from "#core/services.ts";

/** As far back as a customer's invoices are read. */
export const MOST_INVOICES = 300;

/**
 * What a subscription owes, the oldest invoice first. A debt that was given up may still be paid or voided.
 * @throws PaymentError
 */
export async function listOwed(
  deps: Uses<"payments">,
  customerId: string,
  subscriptionId: string,
): Promise<Invoice[]> {
  return (await invoicesOf(deps, customerId, subscriptionId)).filter(isOwed);
}

/** True for an invoice that may still be paid or voided. */
export const isOwed = ({ state }: Pick<Invoice, "state">) => state === "open" || state === "uncollectible";

/** A subscription's invoices, the oldest first. @throws PaymentError */
export async function invoicesOf(
  deps: Uses<"payments">,
  customerId: string,
  subscriptionId: string,
): Promise<Invoice[]> {
  const invoices = await deps.payments.listInvoices(customerId, MOST_INVOICES);
  return invoices.filter((each) => each.subscriptionId === subscriptionId).reverse();
}

import type { Charge, Invoice, Payment } from "#connectors/contract/payment-provider.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { afterChange } from "./after.ts";
import { cardOf } from "./cards.ts";
import { asking, runCommand } from "./commands.ts";
import type { PaymentServices } from "./deps.ts";
import { countCard } from "./limits.ts";
import { readProjection, type SubscriptionRow } from "./projection.store.ts";
import { shownOf } from "./projection.ts";
import type { ItemPayment } from "./purchase.ts";

/** As far back as the history goes. */
const MOST_INVOICES = 300;
const MOST_CHARGES = 600;

/** A payment in the history (spec part 3 section 3, "Payment record"). */
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

/**
 * The payment history, the newest first. Invoices and charges are joined by their payment intents: a charge no longer names
 * its invoice (stripe-node CHANGELOG 18.0.0). An invoice that was paid from credit has no charge and is a row all the same.
 */
export async function listPayments(
  deps: Uses<"control" | "payments">,
  member: Member,
  platform: string | null,
): Promise<PaymentRecord[]> {
  const { customer, rows } = await readProjection(deps.control, member.organisationId);
  if (!customer) return [];
  const [invoices, charges] = await asking(() =>
    Promise.all([
      deps.payments.listInvoices(customer.stripeCustomerId, MOST_INVOICES),
      deps.payments.listCharges(customer.stripeCustomerId, MOST_CHARGES),
    ]),
  );
  return invoices
    .flatMap((invoice) => recordsOf(invoice, charges, rows))
    .filter((record) => platform === null || record.platform === platform)
    .sort((a, b) => b.createdAt - a.createdAt);
}

function recordsOf(
  invoice: Invoice,
  charges: readonly Charge[],
  rows: readonly SubscriptionRow[],
): PaymentRecord[] {
  const shared = {
    invoice_id: invoice.id,
    invoice_number: invoice.number,
    invoice_pdf: invoice.pdfUrl,
    product_id: invoice.lines.find(({ productId }) => productId !== null)?.productId ?? null,
    platform: rows.find(({ id }) => id === invoice.subscriptionId)?.platform ?? null,
    description: invoice.lines.at(-1)?.text ?? null,
    tax: invoice.taxCents,
  };
  const own = charges.filter(({ intentId }) => intentId !== null && invoice.intentIds.includes(intentId));
  if (own.length > 0)
    return own.map((charge) => ({
      ...shared,
      createdAt: charge.createdAt,
      amount_received: charge.isPaid ? charge.capturedCents : 0,
      amount_captured: charge.capturedCents,
      amount_refunded: charge.refundedCents,
      currency: charge.currency,
      paid: charge.isPaid,
      status: charge.state,
      last4: charge.last4,
      receipt_url: charge.receiptUrl,
    }));
  if (invoice.state !== "paid") return [];
  return [
    {
      ...shared,
      createdAt: invoice.createdAt,
      amount_received: invoice.paidCents,
      amount_captured: 0,
      amount_refunded: 0,
      currency: invoice.currency,
      paid: true,
      status: "succeeded",
      last4: null,
      receipt_url: null,
    },
  ];
}

/**
 * The latest invoice of a subscription. Links to it end after a month, so they are read when they are clicked
 * (docs.stripe.com/invoicing/hosted-invoice-page). @throws AppError `err.not.found`
 */
export async function latestInvoice(
  deps: Uses<"control" | "payments">,
  member: Member,
  subscriptionId: string,
): Promise<{ invoice: Invoice; platform: string | null }> {
  const { customer, rows } = await readProjection(deps.control, member.organisationId);
  const row = rows.find(({ id }) => id === subscriptionId);
  if (!customer || !row?.latestInvoiceId) throw new AppError("err.not.found");
  const { latestInvoiceId } = row;
  const invoice = await asking(() => deps.payments.readInvoice(latestInvoiceId));
  if (invoice.customerId !== customer.stripeCustomerId) throw new AppError("err.not.found");
  return { invoice, platform: row.platform };
}

/**
 * Pays what a subscription owes with the current card, the oldest invoice first. A new card pays nothing by itself. An
 * invoice can be paid only once, so a second click finds it paid.
 *
 * A subscription that stayed unpaid into another period comes back only with the invoice of that period, which waits as a
 * draft (docs.stripe.com/billing/subscriptions/overview). Its owner pays for that period alone: without backups in
 * between, the older invoice is void.
 * @throws AppError `err.not.found`, `err.payment.method.missing`, `err.attempts.limit`
 */
export async function payOpenInvoice(
  deps: PaymentServices,
  member: Member,
  platform: string,
): Promise<ItemPayment> {
  const { organisationId } = member;
  const { customer, rows } = await readProjection(deps.control, organisationId);
  const row = shownOf(platform, rows);
  if (!customer || !row) throw new AppError("err.not.found");
  const card = cardOf(customer);
  if (!card) throw new AppError("err.payment.method.missing");
  await countCard(deps, organisationId);
  const invoices = await asking(() => deps.payments.listInvoices(customer.stripeCustomerId, MOST_INVOICES));
  const own = invoices.filter(({ subscriptionId }) => subscriptionId === row.id);
  const isUnpaid = row.status === "unpaid";
  const owing = own.filter(
    ({ state }) => state === "open" || state === "uncollectible" || (isUnpaid && state === "draft"),
  );
  const owed = isUnpaid ? owing.slice(0, 1) : owing.toReversed();
  if (owed.length === 0) throw new AppError("err.not.found");
  let payment: Payment | null = null;
  for (const { id } of owed) {
    const params = { invoiceId: id, cardId: card.id };
    payment = await runCommand(deps, { organisationId, kind: "pay", params }, (key) =>
      deps.payments.payInvoice(id, card.id, key),
    );
    if (payment.state !== "succeeded") break;
  }
  const older = owing.filter((each) => !owed.includes(each) && each.state !== "draft");
  if (payment?.state === "succeeded")
    for (const { id } of older)
      await runCommand(deps, { organisationId, kind: "void", params: { invoiceId: id } }, (key) =>
        deps.payments.voidInvoice(id, key),
      );
  await afterChange(deps, member, { action: "pay-invoice", platform });
  return {
    platform,
    priceId: row.priceKey,
    subscriptionId: row.id,
    state: payment?.state ?? "succeeded",
    clientSecret: payment?.state === "succeeded" ? null : (payment?.clientSecret ?? null),
    secretOf: "payment",
    isPending: false,
    message: payment?.message ?? null,
    code: null,
  };
}

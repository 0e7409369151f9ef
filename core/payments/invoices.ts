import type { Charge, Correction, Invoice, Payment } from "#connectors/contract/payment-provider.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { afterChange, recordingFailure } from "./after.ts";
import { cardOf } from "./cards.ts";
import { asking, runCommand } from "./commands.ts";
import { invoiceOf } from "./corrections.ts";
import type { AskServices, PaymentServices } from "./deps.ts";
import { countCard } from "./limits.ts";
import { invoicesOf, isOwed, MOST_INVOICES } from "./owed.ts";
import { readProjection, type SubscriptionRow } from "./projection.store.ts";
import { shownOf } from "./projection.ts";
import { type ItemPayment, outcomeOf } from "./purchase.ts";
import { dropReplacement, finishReplacements, noteReplacement, voidReplaced } from "./replaced-invoices.ts";

/** As far back as the history goes. */
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
  kind: "payment" | Correction["kind"];
};

/**
 * The payment history, the newest first. Invoices and charges are joined by their payment intents: a charge no longer names
 * its invoice (stripe-node CHANGELOG 18.0.0). An invoice that was paid from credit has no charge and is a row all the same.
 * Refunds, disputes and credit notes are rows of their own, at their own time.
 */
export async function listPayments(
  deps: Uses<"control" | "payments">,
  member: Member,
  platform: string | null,
): Promise<PaymentRecord[]> {
  const { customer, rows } = await readProjection(deps.control, member.organisationId);
  if (!customer) return [];
  const [invoices, charges, corrections] = await asking(() =>
    Promise.all([
      deps.payments.listInvoices(customer.stripeCustomerId, MOST_INVOICES),
      deps.payments.listCharges(customer.stripeCustomerId, MOST_CHARGES),
      deps.payments.listCorrections(customer.stripeCustomerId),
    ]),
  );
  const corrected = corrections.flatMap((each) => {
    const invoice = invoiceOf(each, invoices);
    return invoice ? [correctionRecord(each, invoice, charges, rows)] : [];
  });
  return invoices
    .flatMap((invoice) => recordsOf(invoice, charges, rows))
    .concat(corrected)
    .filter((record) => platform === null || record.platform === platform)
    .sort((a, b) => b.createdAt - a.createdAt);
}

function recordsOf(
  invoice: Invoice,
  charges: readonly Charge[],
  rows: readonly SubscriptionRow[],
): PaymentRecord[] {
  const shared = { ...aboutInvoice(invoice, rows), tax: invoice.taxCents, kind: "payment" as const };
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

function aboutInvoice(invoice: Invoice, rows: readonly SubscriptionRow[]) {
  return {
    invoice_id: invoice.id,
    invoice_number: invoice.number,
    invoice_pdf: invoice.pdfUrl,
    product_id: invoice.lines.find(({ productId }) => productId !== null)?.productId ?? null,
    platform: rows.find(({ id }) => id === invoice.subscriptionId)?.platform ?? null,
    description: invoice.lines.at(-1)?.text ?? null,
  };
}

/** A correction as a row. A credit note has a number and a paper of its own. */
function correctionRecord(
  correction: Correction,
  invoice: Invoice,
  charges: readonly Charge[],
  rows: readonly SubscriptionRow[],
): PaymentRecord {
  const { kind, state, cents, currency, createdAt, number, pdfUrl, intentId } = correction;
  const about = aboutInvoice(invoice, rows);
  const charge = charges.find((each) => intentId !== null && each.intentId === intentId && each.isPaid);
  return {
    ...about,
    invoice_number: number ?? about.invoice_number,
    invoice_pdf: kind === "credit_note" ? pdfUrl : about.invoice_pdf,
    createdAt,
    amount_received: 0,
    amount_captured: 0,
    amount_refunded: cents,
    currency,
    paid: false,
    status: state,
    last4: charge?.last4 ?? null,
    receipt_url: kind === "refund" ? (charge?.receiptUrl ?? null) : null,
    tax: 0,
    kind,
  };
}

/**
 * The latest invoice of a subscription, and what was corrected about it. Links to it end after a month, so they are read when they are clicked
 * (docs.stripe.com/invoicing/hosted-invoice-page). @throws AppError `err.not.found`
 */
export async function latestInvoice(
  deps: Uses<"control" | "payments">,
  member: Member,
  subscriptionId: string,
): Promise<{ invoice: Invoice; platform: string | null; corrections: Correction[] }> {
  const { customer, rows } = await readProjection(deps.control, member.organisationId);
  const row = rows.find(({ id }) => id === subscriptionId);
  if (!customer || !row?.latestInvoiceId) throw new AppError("err.not.found");
  const { latestInvoiceId } = row;
  const [invoice, corrections] = await asking(() =>
    Promise.all([
      deps.payments.readInvoice(latestInvoiceId),
      deps.payments.listCorrections(customer.stripeCustomerId),
    ]),
  );
  if (invoice.customerId !== customer.stripeCustomerId) throw new AppError("err.not.found");
  const own = corrections.filter((each) => invoiceOf(each, [invoice]) !== null);
  return { invoice, platform: row.platform, corrections: own };
}

/** `owed`: what must be paid, the oldest first. `replaced`: what becomes void once it is paid. */
type Debt = { owed: readonly Invoice[]; replaced: readonly Invoice[] };

/**
 * An unpaid subscription comes back only with its newest invoice: while nobody pays, each period has a draft that is not
 * collected (docs.stripe.com/billing/subscriptions/overview). Its owner pays for that period alone: without backups in
 * between, the older invoices are void. What an earlier payment replaced is voided first, because nobody may pay it.
 */
async function debtOf(deps: AskServices, customerId: string, row: SubscriptionRow): Promise<Debt> {
  await finishReplacements(deps, row.organisationId);
  const own = await invoicesOf(deps, customerId, row.id);
  const open = own.filter(isOwed);
  if (row.status !== "unpaid") return { owed: open, replaced: [] };
  const newest = own.findLast((each) => isOwed(each) || each.state === "draft");
  return { owed: newest ? [newest] : [], replaced: open.filter((each) => each !== newest) };
}

/**
 * Pays what a subscription owes with the current card, the oldest invoice first. A new card pays nothing by itself. An
 * invoice can be paid only once, so a second click finds it paid.
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
  const debt = await asking(() => debtOf(deps, customer.stripeCustomerId, row));
  if (debt.owed.length === 0) throw new AppError("err.not.found");
  return payAll(deps, member, { row, debt, cardId: card.id });
}

/**
 * Pays what every subscription with a failed renewal owes, with a card that was just saved. A purchase or a change that
 * waits for its payment is not paid by this: whoever bought it decides. One subscription that cannot be paid does not
 * stop the others; its answer says why.
 */
export async function payWithNewCard(
  deps: PaymentServices,
  member: Member,
  cardId: string,
): Promise<ItemPayment[]> {
  const { organisationId } = member;
  const { customer, rows } = await readProjection(deps.control, organisationId);
  if (!customer) return [];
  const answers: ItemPayment[] = [];
  for (const row of rows.filter(({ status }) => status === "past_due" || status === "unpaid")) {
    try {
      const debt = await asking(() => debtOf(deps, customer.stripeCustomerId, row));
      if (debt.owed.length === 0) continue;
      answers.push(await payAll(deps, member, { row, debt, cardId }));
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      answers.push({ ...answerOf(row, null), state: "failed", message: cause.message, code: cause.code });
    }
  }
  return answers;
}

/**
 * Pays one invoice after the other, and stops at the first that is not paid. Then voids what that replaced. Which ones it
 * replaces is stored before anything is paid, so that they become void also when this invocation dies in between, or when
 * the bank asks its owner first (`finishReplacements`).
 */
async function payAll(
  deps: PaymentServices,
  member: Member,
  { row, debt, cardId }: { row: SubscriptionRow; debt: Debt; cardId: string },
): Promise<ItemPayment> {
  const { organisationId } = member;
  const action = { action: "pay-invoice", platform: row.platform };
  const replacement = await noteReplacement(deps, row, debt);
  const payment = await recordingFailure(deps, member, action, async () => {
    let last: Payment | null = null;
    for (const { id } of debt.owed) {
      const params = { invoiceId: id, cardId };
      last = await runCommand(deps, { organisationId, kind: "pay", params }, (key) =>
        deps.payments.payInvoice(id, cardId, key),
      );
      if (last.state !== "succeeded") return last;
    }
    return last;
  });
  if (replacement && payment?.state === "succeeded") await voidReplaced(deps, replacement);
  if (replacement && payment && outcomeOf(payment) === "failed") await dropReplacement(deps, replacement);
  await afterChange(deps, member, { ...action, outcome: outcomeOf(payment) });
  return answerOf(row, payment);
}

function answerOf(row: SubscriptionRow, payment: Payment | null): ItemPayment {
  return {
    platform: row.platform,
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

import { markPaid } from "./collect.ts";
import { refused } from "./errors.ts";
import { emit, emitUpdate } from "./events.ts";
import { moveBalance } from "./invoices.ts";
import { refundCharge } from "./refunds.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";
import { all, find, get, newId, nowFor, put } from "./store.ts";
import type { CreditNote } from "./things/payments.ts";
import type { Invoice } from "./things/subscriptions.ts";

/** What a note is about: its whole amount, and what of it goes back to the card or to the balance. */
export type CreditNoteOrder = {
  amount: number;
  refund: number;
  credit: number;
  outOfBand: number;
  reason: string | null;
  memo: string | null;
  metadata: Record<string, string>;
};

/**
 * Issues a credit note. One of an open invoice lowers what is due, and one of all that is due pays it; one of a paid
 * invoice gives its amount back, to the card, to the balance or elsewhere (docs.stripe.com/invoicing/credit-notes).
 *
 * @throws StripeFault for an amount beyond the invoice, and when the parts do not add up
 */
export function issueCreditNote(world: StripeWorld, invoice: Invoice, order: CreditNoteOrder): CreditNote {
  if (invoice.status !== "open" && invoice.status !== "paid")
    throw refused("Credit notes can only be created for open or paid invoices.");
  const isPaid = invoice.status === "paid";
  const noted = all(world, "credit_note").filter(
    (each) => each.invoice === invoice.id && each.status === "issued",
  );
  const left = isPaid
    ? invoice.total - noted.reduce((sum, { amount }) => sum + amount, 0)
    : invoice.amount_remaining;
  if (order.amount > left)
    throw refused(
      `The amount of the credit note is greater than what is left of the invoice ($${left / 100}).`,
      {
        param: "amount",
      },
    );
  const parts = order.refund + order.credit + order.outOfBand;
  if (parts !== (isPaid ? order.amount : 0))
    throw refused(
      "The sum of refund_amount, credit_amount and out_of_band_amount must equal the post payment amount of the credit note.",
    );
  const customer = get(world, "customer", invoice.customer);
  const refund =
    order.refund > 0 ? refundCharge(world, chargeOf(world, invoice), order.refund, null, {}) : null;
  const at = nowFor(world, customer.id);
  const id = newId("cn");
  const note = put(world, "credit_note", {
    id,
    object: "credit_note",
    amount: order.amount,
    created: at,
    currency: invoice.currency,
    customer: customer.id,
    invoice: invoice.id,
    livemode: false,
    number: `${invoice.number}-CN-${String(noted.length + 1).padStart(2, "0")}`,
    pdf: `${world.url}/i/${invoice.id}/pdf`,
    status: "issued",
    total: order.amount,
    voided_at: null,
    refunds: refund
      ? [
          {
            ...{ amount_refunded: refund.amount, refund: refund.id },
            ...{ payment_record_refund: null, type: "refund" as const },
          },
        ]
      : [],
    ...{ memo: order.memo, metadata: order.metadata, reason: order.reason },
    ...{ pre_payment_amount: isPaid ? 0 : order.amount, post_payment_amount: isPaid ? order.amount : 0 },
    ...{ out_of_band_amount: order.outOfBand === 0 ? null : order.outOfBand },
    ...{ subtotal: order.amount, subtotal_excluding_tax: order.amount, total_excluding_tax: order.amount },
    ...{ type: isPaid ? "post_payment" : "pre_payment", effective_at: at, customer_account: null },
    ...{ amount_shipping: 0, discount_amount: 0, discount_amounts: [], pretax_credit_amounts: [] },
    ...{ shipping_cost: null, total_taxes: [], customer_balance_transaction: null },
    ...{ lines: { object: "list", data: [], has_more: false, url: `/v1/credit_notes/${id}/lines` } },
  });
  lower(world, invoice, order.amount, isPaid);
  if (order.credit > 0) moveBalance(world, customer, null, -order.credit);
  emit(world, "credit_note.created", note);
  return note;
}

/** Notes the amount on the invoice; an open one is paid when nothing is left of it. */
function lower(world: StripeWorld, invoice: Invoice, amount: number, isPaid: boolean): void {
  const before = plain(world, invoice);
  if (isPaid) {
    invoice.post_payment_credit_notes_amount += amount;
    emitUpdate(world, "invoice.updated", invoice, before);
    return;
  }
  invoice.pre_payment_credit_notes_amount += amount;
  invoice.amount_due -= amount;
  invoice.amount_remaining -= amount;
  for (const payment of invoice.sim.payments) {
    if (payment.status !== "open") continue;
    payment.amount_requested = invoice.amount_due;
    get(world, "payment_intent", payment.payment.payment_intent).amount = invoice.amount_due;
  }
  emitUpdate(world, "invoice.updated", invoice, before);
  if (invoice.amount_due === 0) markPaid(world, invoice);
}

/** Voids a note of an open invoice: what it lowered is due again (docs.stripe.com/api/credit_notes/void). */
export function voidCreditNote(world: StripeWorld, note: CreditNote): CreditNote {
  const invoice = get(world, "invoice", note.invoice);
  if (note.status === "void") throw refused("This credit note has already been voided.");
  if (invoice.status !== "open") throw refused("You can only void credit notes of open invoices.");
  const before = plain(world, invoice);
  note.status = "void";
  note.voided_at = nowFor(world, note.customer);
  invoice.pre_payment_credit_notes_amount -= note.amount;
  invoice.amount_due += note.amount;
  invoice.amount_remaining += note.amount;
  emitUpdate(world, "invoice.updated", invoice, before);
  emit(world, "credit_note.voided", note);
  return note;
}

/** The charge that paid an invoice. @throws StripeFault when no card paid it */
function chargeOf(world: StripeWorld, invoice: Invoice) {
  const payment = invoice.sim.payments.find(({ status }) => status === "paid");
  const intent = find(world, "payment_intent", payment?.payment.payment_intent ?? null);
  if (!intent?.latest_charge) throw refused("There is no payment of this invoice that could be refunded.");
  return get(world, "charge", intent.latest_charge);
}

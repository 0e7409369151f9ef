import { z } from "zod";
import type { Correction, CorrectionState, PaymentProvider } from "#connectors/contract/payment-provider.ts";
import type { StripeDeps } from "./client.ts";
import { asking, read } from "./failures.ts";
import { correctedChargeForm, creditNoteForm, disputeForm, type refundForm } from "./forms.ts";

/** Charges and credit notes that are looked at; older ones are beyond refund and dispute. */
const NEWEST = 100;

/**
 * Refunds, disputes and credit notes (docs.stripe.com/refunds, /disputes/how-disputes-work, /invoicing/credit-notes). A
 * charge brings its refunds with it. Disputes have no customer, so they are read for the charges that have one.
 */
export function correctionsOf({ stripe }: StripeDeps): Pick<PaymentProvider, "listCorrections"> {
  return {
    listCorrections: async (customer) => {
      const [charges, notes] = await Promise.all([
        asking(() => stripe.charges.list({ customer, limit: NEWEST, expand: ["data.refunds"] })),
        asking(() => stripe.creditNotes.list({ customer, limit: NEWEST })),
      ]);
      const { data } = read(z.looseObject({ data: z.array(correctedChargeForm) }), charges);
      const disputed = data.filter((charge) => charge.disputed);
      const disputes = await Promise.all(
        disputed.map(({ id: charge }) => asking(() => stripe.disputes.list({ charge, limit: 10 }))),
      );
      return [
        ...data.flatMap(({ refunds }) => (refunds?.data ?? []).map(toRefund)),
        ...disputes.flatMap((answer) =>
          read(z.looseObject({ data: z.array(disputeForm) }), answer).data.map(toDispute),
        ),
        ...read(z.looseObject({ data: z.array(creditNoteForm) }), notes).data.map(toCreditNote),
      ].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    },
  };
}

/** A state that is not known takes no right away: it counts as undecided. */
const REFUND_STATES: Readonly<Record<string, CorrectionState>> = {
  succeeded: "done",
  failed: "failed",
  canceled: "failed",
};
const DISPUTE_STATES: Readonly<Record<string, CorrectionState>> = {
  lost: "lost",
  won: "won",
  prevented: "won",
  // An inquiry that never became a dispute (docs.stripe.com/disputes/how-disputes-work).
  warning_closed: "won",
};

function toRefund(form: z.output<typeof refundForm>): Correction {
  return {
    ...common(form),
    kind: "refund",
    state: REFUND_STATES[form.status ?? ""] ?? "pending",
    refundedCents: form.amount,
    intentId: form.payment_intent,
  };
}

function toDispute(form: z.output<typeof disputeForm>): Correction {
  return {
    ...common(form),
    kind: "dispute",
    state: DISPUTE_STATES[form.status] ?? "open",
    refundedCents: 0,
    intentId: form.payment_intent,
  };
}

function toCreditNote(form: z.output<typeof creditNoteForm>): Correction {
  return {
    ...common(form),
    kind: "credit_note",
    state: form.status === "void" ? "failed" : "done",
    cents: form.total,
    refundedCents: form.refunds.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
    invoiceId: form.invoice,
    number: form.number,
    pdfUrl: form.pdf,
  };
}

function common(form: { id: string; amount: number; currency: string; created: number }) {
  const { id, amount: cents, currency, created: createdAt } = form;
  return { id, cents, currency, createdAt, intentId: null, invoiceId: null, number: null, pdfUrl: null };
}

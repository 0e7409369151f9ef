import { z } from "zod";
import { defaultMethod, forgiveDebt, markPaid, payInvoice, voidOnOrder } from "../collect.ts";
import { endpoint } from "../endpoint.ts";
import { declined, refused } from "../errors.ts";
import { emit, emitUpdate } from "../events.ts";
import { finalizeInvoice } from "../invoices.ts";
import { page } from "../lists.ts";
import { bool, id, listParams, metadata, params, text } from "../params.ts";
import { plain } from "../render.ts";
import type { StripeWorld } from "../state.ts";
import { all, find, get, nowFor } from "../store.ts";
import type { Invoice } from "../things/subscriptions.ts";
import { methodOf } from "./cards.ts";
import { merged } from "./customers.ts";

const status = z.enum(["draft", "open", "paid", "uncollectible", "void"]);

export const invoiceRoutes = [
  endpoint("GET /v1/invoices/{id}", params({}), ({ world, id }) => get(world, "invoice", id)),
  endpoint(
    "GET /v1/invoices",
    listParams({
      customer: id.optional(),
      subscription: id.optional(),
      status: status.optional(),
      collection_method: z.enum(["charge_automatically", "send_invoice"]).optional(),
    }),
    (call) => {
      const { customer, subscription, status, collection_method: how } = call.params;
      const found = all(call.world, "invoice").filter(
        (each) =>
          (customer ?? each.customer) === each.customer &&
          (subscription ?? each.sim.subscription) === each.sim.subscription &&
          (how ?? each.collection_method) === each.collection_method &&
          (status ?? each.status) === each.status,
      );
      return page(found, call.params, call.url);
    },
  ),
  endpoint("GET /v1/invoices/{id}/lines", listParams({}), ({ world, id, params, url }) =>
    page(get(world, "invoice", id).lines.data, params, url),
  ),
  endpoint("GET /v1/invoice_payments", listParams({ invoice: id.optional() }), ({ world, params, url }) => {
    const found = all(world, "invoice").filter((each) => (params.invoice ?? each.id) === each.id);
    return page(
      found.flatMap(({ sim }) => sim.payments),
      params,
      url,
    );
  }),
  endpoint(
    "POST /v1/invoices/{id}",
    params({ auto_advance: bool.optional(), description: text.optional(), metadata: metadata.optional() }),
    ({ world, id, params }) => {
      const invoice = get(world, "invoice", id);
      const before = plain(world, invoice);
      invoice.auto_advance = params.auto_advance ?? invoice.auto_advance;
      if (params.auto_advance === false) {
        invoice.automatically_finalizes_at = null;
        invoice.next_payment_attempt = null;
      }
      if (params.description !== undefined) Object.assign(invoice, { description: params.description });
      invoice.metadata = merged(invoice.metadata, params.metadata);
      emitUpdate(world, "invoice.updated", invoice, before);
      return invoice;
    },
  ),
  endpoint(
    "POST /v1/invoices/{id}/finalize",
    params({ auto_advance: bool.optional() }),
    ({ world, id, params }) => {
      const invoice = demandStatus(world, id, ["draft"], "finalized");
      invoice.auto_advance = params.auto_advance ?? invoice.auto_advance;
      finalizeInvoice(world, invoice, get(world, "subscription", invoice.sim.subscription));
      if (invoice.amount_due === 0) markPaid(world, invoice);
      return invoice;
    },
  ),
  endpoint("POST /v1/invoices/{id}/send", params({}), ({ world, id }) => {
    const invoice = get(world, "invoice", id);
    if (invoice.collection_method !== "send_invoice") {
      throw refused("You can only manually send an invoice if its collection method is 'send_invoice'.");
    }
    if (invoice.status === "draft") {
      finalizeInvoice(world, invoice, get(world, "subscription", invoice.sim.subscription));
    }
    emit(world, "invoice.sent", invoice);
    return invoice;
  }),
  endpoint("POST /v1/invoices/{id}/void", params({}), ({ world, id }) => {
    const invoice = demandStatus(world, id, ["open", "uncollectible"], "voided");
    voidOnOrder(world, invoice);
    return invoice;
  }),
  endpoint("POST /v1/invoices/{id}/mark_uncollectible", params({}), ({ world, id }) => {
    const invoice = demandStatus(world, id, ["open"], "marked as uncollectible");
    invoice.status = "uncollectible";
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
    invoice.status_transitions.marked_uncollectible_at = nowFor(world, invoice.customer);
    emit(world, "invoice.marked_uncollectible", invoice);
    forgiveDebt(world, invoice);
    return invoice;
  }),
  endpoint(
    "POST /v1/invoices/{id}/pay",
    params({
      payment_method: id.optional(),
      off_session: bool.optional(),
      paid_out_of_band: bool.optional(),
    }),
    ({ world, id, params }) => pay(world, id, params),
  ),
  endpoint("GET /v1/charges/{id}", params({}), ({ world, id }) => get(world, "charge", id)),
  endpoint(
    "GET /v1/charges",
    listParams({ customer: id.optional(), payment_intent: id.optional() }),
    (call) => {
      const { customer, payment_intent: intent } = call.params;
      const found = all(call.world, "charge").filter(
        (each) =>
          (customer ?? each.customer) === each.customer &&
          (intent ?? each.payment_intent) === each.payment_intent,
      );
      return page(found, call.params, call.url);
    },
  ),
];

function demandStatus(world: StripeWorld, id: string, wanted: Invoice["status"][], verb: string): Invoice {
  const invoice = get(world, "invoice", id);
  if (wanted.includes(invoice.status)) return invoice;
  const already = invoice.status === "paid" ? "Invoice is already paid" : `This invoice is ${invoice.status}`;
  throw refused(`${already}: it can't be ${verb}.`, { code: "invoice_not_editable" });
}

type PayOrder = {
  payment_method?: string | undefined;
  off_session?: boolean | undefined;
  paid_out_of_band?: boolean | undefined;
};

/** Pays an invoice now. Off-session unless the call says otherwise (api/invoices/pay). */
function pay(world: StripeWorld, id: string, order: PayOrder): Invoice {
  const invoice = get(world, "invoice", id);
  if (invoice.status === "paid") throw refused("Invoice is already paid");
  const subscription = get(world, "subscription", invoice.sim.subscription);
  if (invoice.status === "draft") finalizeInvoice(world, invoice, subscription);
  demandStatus(world, id, ["open", "uncollectible"], "paid");
  if (order.paid_out_of_band) {
    markPaid(world, invoice);
    return invoice;
  }
  const method =
    order.payment_method === undefined
      ? defaultMethod(world, subscription)
      : methodOf(world, order.payment_method);
  if (method !== null && method.customer !== invoice.customer) {
    throw refused("The payment method does not belong to the customer of this invoice.", {
      param: "payment_method",
    });
  }
  const attempt = payInvoice(world, invoice, { method, isOffSession: order.off_session ?? true });
  if (attempt.kind === "succeeded") return invoice;
  const intent = invoice.sim.payments[0]?.payment.payment_intent ?? "";
  const shown = { payment_intent: plain(world, find(world, "payment_intent", intent)) };
  if (attempt.kind === "declined") throw declined(attempt.error, shown);
  throw declined(
    {
      type: "card_error",
      code: "invoice_payment_intent_requires_action",
      message:
        "This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.",
    },
    shown,
  );
}

import { z } from "zod";
import { issueCreditNote, voidCreditNote } from "../credit-notes.ts";
import { closeDispute } from "../disputes.ts";
import { endpoint } from "../endpoint.ts";
import { page } from "../lists.ts";
import { id, int, listParams, metadata, params, text } from "../params.ts";
import { refundCharge } from "../refunds.ts";
import type { StripeWorld } from "../state.ts";
import { all, get } from "../store.ts";
import type { Charge } from "../things/payments.ts";

const cents = int.pipe(z.number().min(1));

/** Refunds, disputes and credit notes. */
export const correctionRoutes = [
  endpoint(
    "POST /v1/refunds",
    params({
      charge: id.optional(),
      payment_intent: id.optional(),
      amount: cents.optional(),
      reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
      metadata: metadata.optional(),
    }),
    ({ world, params }) => {
      const charge = chargeOf(world, params);
      return refundCharge(world, charge, params.amount ?? null, params.reason ?? null, params.metadata ?? {});
    },
  ),
  endpoint("GET /v1/refunds/{id}", params({}), ({ world, id }) => get(world, "refund", id)),
  endpoint(
    "GET /v1/refunds",
    listParams({ charge: id.optional(), payment_intent: id.optional() }),
    ({ world, params, url }) => {
      const found = all(world, "refund").filter(
        (each) =>
          (params.charge ?? each.charge) === each.charge &&
          (params.payment_intent ?? each.payment_intent) === each.payment_intent,
      );
      return page(found, params, url);
    },
  ),
  endpoint("GET /v1/disputes/{id}", params({}), ({ world, id }) => get(world, "dispute", id)),
  endpoint(
    "GET /v1/disputes",
    listParams({ charge: id.optional(), payment_intent: id.optional() }),
    ({ world, params, url }) => {
      const found = all(world, "dispute").filter(
        (each) =>
          (params.charge ?? each.charge) === each.charge &&
          (params.payment_intent ?? each.payment_intent) === each.payment_intent,
      );
      return page(found, params, url);
    },
  ),
  // To close one is to give in (docs.stripe.com/api/disputes/close).
  endpoint("POST /v1/disputes/{id}/close", params({}), ({ world, id }) =>
    closeDispute(world, get(world, "dispute", id), "lost"),
  ),
  endpoint(
    "POST /v1/credit_notes",
    params({
      invoice: id,
      amount: cents,
      refund_amount: cents.optional(),
      credit_amount: cents.optional(),
      out_of_band_amount: cents.optional(),
      reason: z.enum(["duplicate", "fraudulent", "order_change", "product_unsatisfactory"]).optional(),
      memo: text.optional(),
      metadata: metadata.optional(),
    }),
    ({ world, params }) =>
      issueCreditNote(world, get(world, "invoice", params.invoice), {
        amount: params.amount,
        refund: params.refund_amount ?? 0,
        credit: params.credit_amount ?? 0,
        outOfBand: params.out_of_band_amount ?? 0,
        reason: params.reason ?? null,
        memo: params.memo ?? null,
        metadata: params.metadata ?? {},
      }),
  ),
  endpoint("GET /v1/credit_notes/{id}", params({}), ({ world, id }) => get(world, "credit_note", id)),
  endpoint("POST /v1/credit_notes/{id}/void", params({}), ({ world, id }) =>
    voidCreditNote(world, get(world, "credit_note", id)),
  ),
  endpoint(
    "GET /v1/credit_notes",
    listParams({ customer: id.optional(), invoice: id.optional() }),
    ({ world, params, url }) => {
      const found = all(world, "credit_note").filter(
        (each) =>
          (params.customer ?? each.customer) === each.customer &&
          (params.invoice ?? each.invoice) === each.invoice,
      );
      return page(found, params, url);
    },
  ),
];

function chargeOf(
  world: StripeWorld,
  order: { charge?: string | undefined; payment_intent?: string | undefined },
): Charge {
  if (order.charge !== undefined) return get(world, "charge", order.charge);
  const intent = get(world, "payment_intent", order.payment_intent ?? "");
  return get(world, "charge", intent.latest_charge ?? "");
}

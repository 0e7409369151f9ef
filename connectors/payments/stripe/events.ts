import Stripe from "stripe";
import { z } from "zod";
import { PaymentError, type PaymentProvider } from "#connectors/contract/payment-provider.ts";
import { isLiveKey, type StripeDeps } from "./client.ts";
import { read, unless } from "./failures.ts";
import { idOf } from "./forms.ts";

/** Events older than this are refused (docs.stripe.com/webhooks/signature). Zero would switch the check off. */
const TOLERANCE_SECONDS = 300;

const eventForm = z.looseObject({
  id: z.string().regex(/^evt_\w{1,200}$/),
  type: z.string().max(200),
  created: z.int(),
  livemode: z.boolean(),
  data: z.looseObject({
    object: z.looseObject({ object: z.string(), id: z.string().optional(), customer: idOf, charge: idOf }),
    previous_attributes: z.looseObject({ customer: idOf }).nullish(),
  }),
});

/**
 * Reads an event. Only its id, its type and its customer are used: events arrive late, twice and in any order, so the state
 * is always read from the provider (docs.stripe.com/webhooks#event-ordering).
 */
export function eventsOf({ stripe, settings, clock }: StripeDeps): Pick<PaymentProvider, "readEvent"> {
  /** A dispute names only its charge (docs.stripe.com/api/disputes/object). */
  const customerOfCharge = async (charge: string | null) => {
    if (charge === null) return null;
    const answer = await unless(["resource_missing"], () => stripe.charges.retrieve(charge));
    return answer && read(z.looseObject({ customer: idOf }), answer).customer;
  };
  return {
    readEvent: async (body, signature) => {
      if (settings.STRIPE_WEBHOOK_SECRET === "")
        throw new PaymentError("forged", "No webhook secret is configured.");
      const claimed = await stripe.webhooks
        .constructEventAsync(
          body,
          signature,
          settings.STRIPE_WEBHOOK_SECRET,
          TOLERANCE_SECONDS,
          Stripe.createSubtleCryptoProvider(),
          clock.now(),
        )
        .catch((cause: unknown) => {
          throw new PaymentError("forged", "The event's signature does not fit or is too old.", {
            cause,
          });
        });
      const event = read(eventForm, claimed);
      if (event.livemode !== isLiveKey(settings.STRIPE_SECRET_KEY))
        throw new PaymentError("forged", "The event is of the other mode, live or test.");
      const { object, previous_attributes: before } = event.data;
      const customerId =
        object.object === "customer"
          ? (object.id ?? null)
          : (object.customer ?? before?.customer ?? (await customerOfCharge(object.charge)));
      return { id: event.id, type: event.type, customerId, createdAt: event.created * 1000 };
    },
  };
}

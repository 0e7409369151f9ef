import type { PaymentProvider } from "#connectors/contract/payment-provider.ts";
import type { Clock } from "#core/kernel/clock.ts";
import { openStripe, type StripeSettings } from "./client.ts";
import { correctionsOf } from "./corrections.ts";
import { customersOf } from "./customers.ts";
import { eventsOf } from "./events.ts";
import { invoicesOf } from "./invoices.ts";
import { offersOf } from "./offers.ts";
import { subscriptionsOf } from "./subscriptions.ts";

/** Payments through Stripe. No other folder imports its SDK. */
export function createStripe(
  settings: StripeSettings,
  deps: { clock: Clock; fetch: typeof globalThis.fetch },
): PaymentProvider {
  const stripe = openStripe(settings, deps);
  return {
    ...customersOf(stripe),
    ...subscriptionsOf(stripe),
    ...invoicesOf(stripe),
    ...correctionsOf(stripe),
    ...offersOf(stripe),
    ...eventsOf(stripe),
  };
}

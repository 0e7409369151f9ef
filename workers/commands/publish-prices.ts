import { publishCatalogue } from "#connectors/payments/stripe/catalogue.ts";
import { openStripe } from "#connectors/payments/stripe/client.ts";
import { PRICES } from "#core/billing/index.ts";
import { systemClock } from "#core/kernel/clock.ts";

/**
 * Puts the catalogue into the payment provider that these variables name. Done again, it changes nothing. Without a secret
 * key nothing is sold, and nothing is done.
 *
 * @returns The keys of the prices that were created; null without a secret key
 */
export async function publishPrices(vars: Readonly<Record<string, string>>): Promise<string[] | null> {
  const { STRIPE_SECRET_KEY = "", STRIPE_API_URL = "https://api.stripe.com" } = vars;
  if (STRIPE_SECRET_KEY === "") return null;
  const settings = { STRIPE_API_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: "" };
  return publishCatalogue(openStripe(settings, { clock: systemClock, fetch: globalThis.fetch }), PRICES);
}

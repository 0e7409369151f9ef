import { publishCatalogue } from "#connectors/payments/stripe/catalogue.ts";
import { openStripe } from "#connectors/payments/stripe/client.ts";
import { ensurePortal } from "#connectors/payments/stripe/portal.ts";
import { PRICES } from "#core/billing/index.ts";
import { systemClock } from "#core/kernel/clock.ts";

/**
 * Puts the catalogue and the portal's configuration into the payment provider that these variables name. Done again, it
 * changes nothing. Without a secret key nothing is sold, and nothing is done.
 *
 * @returns The keys of the prices that were created; null without a secret key
 */
export async function setUpPayments(vars: Readonly<Record<string, string>>): Promise<string[] | null> {
  const { STRIPE_SECRET_KEY = "", STRIPE_API_URL = "https://api.stripe.com" } = vars;
  if (STRIPE_SECRET_KEY === "") return null;
  const settings = { STRIPE_API_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: "" };
  const provider = openStripe(settings, { clock: systemClock, fetch: globalThis.fetch });
  await ensurePortal(provider);
  return publishCatalogue(provider, PRICES);
}

import Stripe from "stripe";
import type { Clock } from "#core/kernel/clock.ts";

/** The only place that names the API version. It is the one of the pinned SDK, and the one that the simulator speaks. */
export const API_VERSION = "2026-10-28.endive";

export type StripeSettings = {
  STRIPE_API_URL: string;
  STRIPE_SECRET_KEY: string;
  STRIPE_WEBHOOK_SECRET: string;
};

/** What every part of this connector uses. */
export type StripeDeps = { stripe: Stripe; settings: StripeSettings; clock: Clock };

/** Temporary failures are repeated with the same idempotency key this often (SDK README, "Network retries"). */
const NETWORK_RETRIES = 2;
const TIMEOUT_MS = 20_000;

/** Opens the SDK on the configured address. */
export function openStripe(
  settings: StripeSettings,
  deps: { clock: Clock; fetch: typeof globalThis.fetch },
): StripeDeps {
  const { protocol, hostname, port } = new URL(settings.STRIPE_API_URL);
  const stripe = new Stripe(settings.STRIPE_SECRET_KEY, {
    apiVersion: API_VERSION,
    httpClient: Stripe.createFetchHttpClient(deps.fetch),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
    maxNetworkRetries: NETWORK_RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
  });
  return { stripe, settings, clock: deps.clock };
}

/** Live keys make live objects; their events say so (docs.stripe.com/keys). */
export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey);
}

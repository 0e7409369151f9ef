import type { RunningSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";
import { type StripeSimulator, startStripeSimulator } from "./stripe-simulator.ts";

/**
 * Starts a Stripe and returns the settings that point the product at it.
 * @param order.webhookUrl where the product takes events; absent = nothing is sent by itself
 */
export async function startSimulator(order: {
  port: number;
  directory?: string | undefined;
  webhookUrl?: string | undefined;
}): Promise<RunningSimulator> {
  const { port, directory, webhookUrl = null } = order;
  const simulator = await startStripeSimulator({ port, directory, settings: { webhookUrl } });
  return { url: simulator.url, vars: stripeVars(simulator), stop: simulator.stop };
}

/** The settings that point the product at a simulated Stripe. */
export function stripeVars({ url, world }: StripeSimulator): Record<string, string> {
  return {
    STRIPE_API_URL: url,
    STRIPE_SECRET_KEY: world.settings.secretKey,
    STRIPE_PUBLISHABLE_KEY: world.settings.publishableKey,
    STRIPE_WEBHOOK_SECRET: world.settings.webhookSecret,
    STRIPE_JS_URL: `${url}/v3/`,
  };
}

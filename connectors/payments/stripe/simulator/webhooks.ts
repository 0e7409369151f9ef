import { createHmac } from "node:crypto";
import type { Delivery, StripeWorld } from "./state.ts";
import { clockNow, find } from "./store.ts";

/** How long Stripe tries again (docs.stripe.com/webhooks#retries): here after these many minutes, for three days. */
const RETRY_MINUTES = [5, 30, 120, 300, 600, 1_200, 2_063];

/** An event as its endpoint gets it, for tests that hand it over themselves. */
export type SignedDelivery = { id: string; type: string; url: string; signature: string; body: string };

/**
 * The signature header: a time, and the HMAC SHA-256 of time and body (docs.stripe.com/webhooks/signature). The time is
 * the machine's, for the receiver checks its age.
 */
export function signatureOf(secret: string, body: string, at = Math.floor(Date.now() / 1000)): string {
  const mac = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  return `t=${at},v1=${mac}`;
}

/** The deliveries that wait, signed now. */
export function waitingDeliveries(world: StripeWorld): SignedDelivery[] {
  return world.state.deliveries.flatMap((delivery) => {
    const endpoint = find(world, "webhook_endpoint", delivery.endpoint);
    if (delivery.state !== "waiting" || endpoint === null) return [];
    const { id, type, body } = delivery;
    return [{ id, type, url: endpoint.url, signature: signatureOf(endpoint.sim.secret, body), body }];
  });
}

/** Takes deliveries out of the queue, as if they had arrived. */
export function takeDeliveries(world: StripeWorld): SignedDelivery[] {
  const taken = waitingDeliveries(world);
  for (const delivery of world.state.deliveries) if (delivery.state === "waiting") delivery.state = "sent";
  world.save();
  return taken;
}

/**
 * Sends what waits or is due again, by the ordered mode: late, several times, in another order, or not at all.
 * @param isOrdered sends although the mode holds everything back
 */
export async function sendDeliveries(world: StripeWorld, isOrdered = false): Promise<void> {
  const { mode, deliveries } = world.state;
  if (mode.isHeld && !isOrdered) return;
  const now = clockNow(world);
  for (const delivery of deliveries) {
    if (delivery.state === "failed" && delivery.retryAt !== null && delivery.retryAt <= now)
      delivery.state = "waiting";
  }
  const waiting = deliveries.filter(({ state }) => state === "waiting");
  for (const delivery of waiting) delivery.state = "sent";
  const kept = waiting.filter(() => {
    if (mode.drops <= 0) return true;
    mode.drops -= 1;
    return false;
  });
  const copies = kept.flatMap((delivery) => Array.from({ length: mode.copies }, () => delivery));
  const ordered = mode.isShuffled ? shuffled(copies) : copies;
  if (mode.delayMs > 0 && ordered.length > 0)
    await new Promise((resolve) => setTimeout(resolve, mode.delayMs));
  for (const delivery of ordered) await send(world, delivery);
  world.state.deliveries = deliveries.slice(-2_000);
  world.save();
}

async function send(world: StripeWorld, delivery: Delivery): Promise<void> {
  const endpoint = find(world, "webhook_endpoint", delivery.endpoint);
  if (endpoint === null) return;
  delivery.attempts += 1;
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Stripe-Signature": signatureOf(endpoint.sim.secret, delivery.body),
    "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
  };
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(endpoint.url, {
    method: "POST",
    headers,
    body: delivery.body,
    signal,
    redirect: "manual",
  }).catch(() => null);
  await answer?.arrayBuffer().catch(() => undefined);
  delivery.status = answer?.status ?? null;
  if (answer?.ok) {
    delivery.state = "sent";
    return;
  }
  const minutes = RETRY_MINUTES[delivery.attempts - 1];
  delivery.state = "failed";
  delivery.retryAt = minutes === undefined ? null : clockNow(world) + minutes * 60;
}

/** Another order, without a bias. */
function shuffled<T>(things: readonly T[]): T[] {
  const all = [...things];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}

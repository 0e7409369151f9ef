import { isDeepStrictEqual } from "node:util";
import { type Json, plain } from "./render.ts";
import type { Delivery, StripeWorld } from "./state.ts";
import { all, find, newId, nowFor, nowOf, put } from "./store.ts";
import type { WebhookEndpoint } from "./things/account.ts";

/** The API version of every answer and event. */
export const API_VERSION = "2026-10-28.endive";

/**
 * Records that something happened and queues it for the endpoints that want it (docs.stripe.com/api/events).
 * @param before the object as `plain` gave it before an update; the event then names what changed
 */
export function emit(world: StripeWorld, type: string, thing: { object: string }, before?: unknown): void {
  const object = plain(world, thing) as Json;
  const created = momentOf(world, object);
  const data =
    before === undefined ? { object } : { object, previous_attributes: changesOf(before as Json, object) };
  const wanting = all(world, "webhook_endpoint").filter((endpoint) => wants(endpoint, type));
  const event = put(world, "event", {
    id: newId("evt"),
    object: "event",
    created,
    livemode: false,
    type,
    data,
    ...{
      api_version: API_VERSION,
      pending_webhooks: wanting.length,
      request: { id: null, idempotency_key: null },
    },
  });
  const body = JSON.stringify(event, null, 2);
  for (const endpoint of wanting) {
    world.state.deliveries.push({
      ...{ id: newId("whd"), event: event.id, type, endpoint: endpoint.id, body },
      ...{ attempts: 0, state: "waiting", status: null, retryAt: null },
    } satisfies Delivery);
  }
}

function momentOf(world: StripeWorld, object: Json): number {
  const invoice = typeof object.invoice === "string" ? find(world, "invoice", object.invoice) : null;
  const clock = object.test_clock ?? invoice?.test_clock;
  if (typeof clock === "string") return nowOf(world, clock);
  const customer = object.object === "customer" ? object.id : object.customer;
  return nowFor(world, typeof customer === "string" ? customer : null);
}

/** `emit` for a change of an object; nothing when it is as before. */
export function emitUpdate(
  world: StripeWorld,
  type: string,
  thing: { object: string },
  before: unknown,
): void {
  if (!isDeepStrictEqual(plain(world, thing), before)) emit(world, type, thing, before);
}

/** The former values of the fields that changed. */
function changesOf(before: Json, after: Json): Json {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(names.map((name) => [name, before[name] ?? null]));
}

/** `customer.*` is no pattern of Stripe's; only `*` is. */
function wants({ status, enabled_events: wanted }: WebhookEndpoint, type: string): boolean {
  return status === "enabled" && (wanted.includes("*") || wanted.includes(type));
}

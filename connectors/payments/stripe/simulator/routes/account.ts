import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { refused } from "../errors.ts";
import { API_VERSION, emit } from "../events.ts";
import { page } from "../lists.ts";
import { bool, id, int, listParams, metadata, params, strings, text } from "../params.ts";
import { boundary } from "../periods.ts";
import type { StripeWorld } from "../state.ts";
import { all, clockNow, get, newId, nowOf, put } from "../store.ts";
import type { TestClock, WebhookEndpoint } from "../things/account.ts";
import { runUntil } from "../timeline.ts";
import { merged } from "./customers.ts";

const KEPT_SECONDS = 30 * 86_400;

/** Events, webhook endpoints and test clocks. */
export const accountRoutes = [
  endpoint("GET /v1/events/{id}", params({}), ({ world, id }) => get(world, "event", id)),
  endpoint(
    "GET /v1/events",
    listParams({ type: id.optional(), types: strings.optional(), delivery_success: bool.optional() }),
    (call) => {
      const { type, types, delivery_success: isDelivered } = call.params;
      const open = call.world.state.deliveries.filter(({ state }) => state !== "sent");
      const undelivered = new Set(open.map(({ event }) => event));
      const oldest = nowOf(call.world) - KEPT_SECONDS;
      const found = all(call.world, "event").filter(
        (each) =>
          each.created >= oldest &&
          (type ?? each.type) === each.type &&
          (types?.includes(each.type) ?? true) &&
          (isDelivered === undefined || isDelivered !== undelivered.has(each.id)),
      );
      return page(found, call.params, call.url);
    },
  ),
  endpoint(
    "POST /v1/webhook_endpoints",
    params({
      url: z.url(),
      enabled_events: strings.min(1),
      api_version: id.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
    }),
    ({ world, params }) => {
      const made = createWebhookEndpoint(world, {
        url: params.url,
        events: params.enabled_events,
        secret: newId("whsec", 32),
        description: params.description ?? null,
      });
      made.metadata = params.metadata ?? {};
      // The secret is returned only here.
      return { ...made, secret: made.sim.secret };
    },
  ),
  endpoint("GET /v1/webhook_endpoints/{id}", params({}), ({ world, id }) =>
    get(world, "webhook_endpoint", id),
  ),
  endpoint(
    "POST /v1/webhook_endpoints/{id}",
    params({
      url: z.url().optional(),
      enabled_events: strings.min(1).optional(),
      disabled: bool.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
    }),
    ({ world, id, params }) => {
      const found = get(world, "webhook_endpoint", id);
      found.url = params.url ?? found.url;
      found.enabled_events = params.enabled_events ?? found.enabled_events;
      if (params.disabled !== undefined) found.status = params.disabled ? "disabled" : "enabled";
      if (params.description !== undefined) found.description = params.description;
      found.metadata = merged(found.metadata, params.metadata);
      return found;
    },
  ),
  endpoint("GET /v1/webhook_endpoints", listParams({}), ({ world, params, url }) =>
    page(all(world, "webhook_endpoint"), params, url),
  ),
  endpoint("DELETE /v1/webhook_endpoints/{id}", params({}), ({ world, id }) => {
    get(world, "webhook_endpoint", id);
    delete world.state.tables.webhook_endpoint[id];
    return { id, object: "webhook_endpoint", deleted: true };
  }),
  endpoint(
    "POST /v1/test_helpers/test_clocks",
    params({ frozen_time: int, name: text.optional() }),
    ({ world, params }) =>
      put(world, "test_helpers.test_clock", {
        id: newId("clock"),
        object: "test_helpers.test_clock",
        created: clockNow(world),
        frozen_time: params.frozen_time,
        livemode: false,
        name: params.name ?? null,
        status: "ready",
        ...{ deletes_after: clockNow(world) + KEPT_SECONDS, status_details: {} },
      }),
  ),
  endpoint("GET /v1/test_helpers/test_clocks/{id}", params({}), ({ world, id }) =>
    get(world, "test_helpers.test_clock", id),
  ),
  endpoint("GET /v1/test_helpers/test_clocks", listParams({}), ({ world, params, url }) =>
    page(all(world, "test_helpers.test_clock"), params, url),
  ),
  endpoint(
    "POST /v1/test_helpers/test_clocks/{id}/advance",
    params({ frozen_time: int }),
    ({ world, id, params }) => advance(world, get(world, "test_helpers.test_clock", id), params.frozen_time),
  ),
];

/** Creates an endpoint for events with a given secret. */
export function createWebhookEndpoint(
  world: StripeWorld,
  {
    url,
    events,
    secret,
    description,
  }: { url: string; events: string[]; secret: string; description: string | null },
): WebhookEndpoint {
  return put(world, "webhook_endpoint", {
    id: newId("we"),
    object: "webhook_endpoint",
    created: clockNow(world),
    description,
    enabled_events: events,
    livemode: false,
    metadata: {},
    status: "enabled",
    url,
    sim: { secret },
    ...{ api_version: API_VERSION, application: null },
  });
}

/**
 * Moves a test clock. The answer says `advancing`; everything has happened when it comes
 * (docs.stripe.com/billing/testing/test-clocks).
 * @throws StripeFault for a step back, or of more than two intervals of the shortest subscription
 */
function advance(world: StripeWorld, clock: TestClock, to: number): unknown {
  if (to <= clock.frozen_time) {
    throw refused("The `frozen_time` must be later than the test clock's current frozen time.", {
      param: "frozen_time",
    });
  }
  const limits = all(world, "subscription")
    .filter(({ test_clock }) => test_clock === clock.id)
    .flatMap(({ items }) => items.data.map(({ price }) => get(world, "price", price).recurring))
    .map((recurring) =>
      boundary(clock.frozen_time, recurring ?? { interval: "month", interval_count: 1 }, 2),
    );
  if (to > Math.min(...limits)) {
    throw refused(
      "You cannot advance a test clock by more than two intervals from its current frozen time, based on the shortest subscription interval.",
      { param: "frozen_time" },
    );
  }
  runUntil(world, to, clock.id);
  clock.frozen_time = to;
  emit(world, "test_helpers.test_clock.ready", clock);
  return { ...clock, status: "advancing", status_details: { advancing: { target_frozen_time: to } } };
}

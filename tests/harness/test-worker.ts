/**
 * The Worker as the test runner loads it. Durable Objects load at once; the rest loads with the first request, because
 * most tests call the product's functions directly and screens are the slowest part to load.
 */
import { DurableObject } from "cloudflare:workers";
import { heldLimits } from "./held-limits.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";

/** Tests run jobs themselves. The product's own runner would load the whole product. */
export class Runner extends DurableObject {}

const load = async () => (await import("#workers/app.ts")).default;

/** Each request and tick is its own invocation, with its own limits. */
export default {
  fetch: async (request, env, context) =>
    heldLimits.invocation(async () => (await load()).fetch(request, env, context)),
  // Tests deliver messages themselves. A message that the queue delivers may belong to a test that has ended.
  queue: async (batch) => batch.ackAll(),
  scheduled: async (event, env) => heldLimits.invocation(async () => (await load()).scheduled(event, env)),
} satisfies ExportedHandler<Env>;

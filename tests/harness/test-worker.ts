/**
 * The Worker as the runner loads it: its objects at once, the rest with the first request, because most tests call the
 * product's functions and need no screens, which are the slowest thing to load.
 */
import { DurableObject } from "cloudflare:workers";
import { heldLimits } from "./held-limits.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";

/** Tests do the jobs themselves; the product's own runner would load all of it. */
export class Runner extends DurableObject {}

const load = async () => (await import("#workers/app.ts")).default;

/** Each request and tick is an invocation of its own, which the limits count by. */
export default {
  fetch: async (request, env, context) =>
    heldLimits.invocation(async () => (await load()).fetch(request, env, context)),
  // Tests deliver messages themselves. What a queue brings by itself belongs to a test that may have ended already.
  queue: async (batch) => batch.ackAll(),
  scheduled: async (event, env) => heldLimits.invocation(async () => (await load()).scheduled(event, env)),
} satisfies ExportedHandler<Env>;

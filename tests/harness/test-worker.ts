/**
 * The Worker as the runner loads it: its objects at once, the rest with the first request, because most tests call the
 * product's functions and need no screens, which are the slowest thing to load.
 */
import { heldLimits } from "./held-limits.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";

/** Each request and tick is an invocation of its own, which the limits count by. */
const load = async () => (await import("#workers/app.ts")).default;

export default {
  fetch: async (request, env, context) =>
    heldLimits.invocation(async () => (await load()).fetch(request, env, context)),
  // Tests deliver messages themselves. What a queue brings by itself belongs to a test that may have ended already.
  queue: async (batch) => batch.ackAll(),
  scheduled: async (event, env) => heldLimits.invocation(async () => (await load()).scheduled(event, env)),
} satisfies ExportedHandler<Env>;

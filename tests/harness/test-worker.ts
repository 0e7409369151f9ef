/**
 * The Worker as the runner loads it before every test file: its objects at once, the rest with the first event, because
 * most tests call the product's functions and need no screens, which are the slowest thing to load.
 */
import { configureLogging } from "#workers/logging.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";

configureLogging();

const load = async () => (await import("#workers/app.ts")).default;

export default {
  fetch: async (request, env, context) => (await load()).fetch(request, env, context),
  queue: async (batch, env) => (await load()).queue(batch, env),
  scheduled: async (event, env) => (await load()).scheduled(event, env),
} satisfies ExportedHandler<Env>;

import { onTick } from "./crons/index.ts";
import { http } from "./http.ts";
import { configureLogging } from "./logging.ts";
import { consume } from "./queues/consume.ts";
import { buildServices } from "./services.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";
export { Runner } from "./queues/runner.ts";

configureLogging();

export default {
  fetch: http.fetch,
  queue: (batch, env) => consume(buildServices(env), batch),
  scheduled: (event, env) => onTick(buildServices(env), event.cron),
} satisfies ExportedHandler<Env>;

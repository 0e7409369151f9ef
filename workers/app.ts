import { createRequestHandler } from "@remix-run/cloudflare";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import * as build from "../build/server/index.js";
import { createApi } from "./api/create-api.ts";
import { assertOwnForm } from "./api/middleware/origin.ts";
import { operations } from "./api/operations.ts";
import { downloads } from "./api/routes/downloads.ts";
import { live } from "./api/routes/live.ts";
import { onTick } from "./crons/index.ts";
import { configureLogging } from "./logging.ts";
import { consume } from "./queues/consume.ts";
import { buildServices } from "./services.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";

configureLogging();

const app = createApi({
  core: operations,
  platforms: platforms.map(({ connector: { descriptor }, endpoints }) => ({
    id: descriptor.id,
    label: descriptor.label,
    defaultKind: descriptor.itemKinds[0]?.id ?? "item",
    endpoints,
  })),
});
app.route("/ws", live);
app.route("/", downloads);

const screens = createRequestHandler(build, "production");
app.all("*", (c) => {
  assertOwnForm(c);
  const { services, member, nonce, requestId } = c.var;
  return screens(c.req.raw, { services, member, nonce, requestId });
});

export default {
  fetch: app.fetch,
  queue: (batch, env) => consume(buildServices(env), batch),
  scheduled: (event, env) => onTick(buildServices(env), event.cron),
} satisfies ExportedHandler<Env>;

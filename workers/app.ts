import { createRequestHandler } from "@remix-run/cloudflare";
import { Hono } from "hono";
import * as build from "../build/server/index.js";
import { onTick } from "./crons/index.ts";
import { consume } from "./queues/consume.ts";
import { buildServices } from "./services.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";

const app = new Hono();
const screens = createRequestHandler(build, "production");
app.all("*", (c) => screens(c.req.raw));

export default {
  fetch: app.fetch,
  queue: (batch, env) => consume(buildServices(env), batch),
  scheduled: (event, env) => onTick(buildServices(env), event.cron),
} satisfies ExportedHandler<Env>;

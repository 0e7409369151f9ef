import { createRequestHandler } from "@remix-run/cloudflare";
import { Hono } from "hono";
import * as build from "../build/server/index.js";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";

const app = new Hono();
const screens = createRequestHandler(build, "production");
app.all("*", (c) => screens(c.req.raw));

export default { fetch: app.fetch };

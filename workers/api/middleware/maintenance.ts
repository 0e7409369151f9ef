import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "#core/kernel/app-error.ts";
import type { ApiEnv } from "../api-env.ts";

/** When clients should retry, in seconds. */
const RETRY_AFTER_SECONDS = "120";

/**
 * While the setting MAINTENANCE is on (spec A-104), page requests get the maintenance screen, and all other requests
 * get the error in the envelope. Both answer 503 without querying a database.
 * @throws AppError `err.maintenance`
 */
export const maintenance = createMiddleware<ApiEnv>(async (c, next) => {
  if (c.var.services.settings.MAINTENANCE === "off") return next();
  c.header("Retry-After", RETRY_AFTER_SECONDS);
  if (!wantsPage(c)) throw new AppError("err.maintenance");
  await next();
  // A page's headers may be immutable; a copy's are not.
  c.res = new Response(c.res.body, c.res);
  c.res.headers.set("Retry-After", RETRY_AFTER_SECONDS);
});

function wantsPage(c: Context<ApiEnv>): boolean {
  if (/^\/(?:api|identity)\//.test(c.req.path)) return false;
  return c.req.method === "GET" && (c.req.header("Accept") ?? "").includes("text/html");
}

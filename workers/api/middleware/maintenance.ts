import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "#core/kernel/app-error.ts";
import type { ApiEnv } from "../api-env.ts";

/** When it is worth coming back, in seconds. */
const RETRY_AFTER_SECONDS = "120";

/**
 * While the setting MAINTENANCE is on (spec A-104), pages go on to their screen and every other request is told so in
 * the envelope. Both answer 503, and no database is asked.
 * @throws AppError `err.maintenance`
 */
export const maintenance = createMiddleware<ApiEnv>(async (c, next) => {
  if (c.var.services.settings.MAINTENANCE === "off") return next();
  c.header("Retry-After", RETRY_AFTER_SECONDS);
  if (!wantsPage(c)) throw new AppError("err.maintenance");
  await next();
  // A page comes with headers of its own, which may not be changed; a copy's can.
  c.res = new Response(c.res.body, c.res);
  c.res.headers.set("Retry-After", RETRY_AFTER_SECONDS);
});

function wantsPage(c: Context<ApiEnv>): boolean {
  if (/^\/(?:api|identity)\//.test(c.req.path)) return false;
  return c.req.method === "GET" && (c.req.header("Accept") ?? "").includes("text/html");
}

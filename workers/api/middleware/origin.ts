import type { Context } from "hono";
import { AppError } from "#core/kernel/app-error.ts";
import type { ApiEnv } from "../api-env.ts";

/**
 * Rejects state-changing calls that another site could have caused. Navigations are always rejected. A call with an
 * Origin must carry ours. A call without one is allowed for API clients (`Authorization`), for fetches that the browser
 * marks same-origin (it sends no Origin on GET), and for public calls, which use no session. Some state-changing calls
 * of the spec are GETs, so SameSite=Lax cookies alone are not enough.
 * @throws AppError `err.request.origin`
 */
export function assertSameOrigin(c: Context<ApiEnv>, { isPublic }: { isPublic: boolean }): void {
  const refuse = () => new AppError("err.request.origin");
  const header = (name: string) => c.req.header(name);
  if (header("Sec-Fetch-Mode") === "navigate") throw refuse();
  const origin = header("Origin");
  if (origin !== undefined) {
    if (origin !== new URL(c.var.services.settings.PUBLIC_URL).origin) throw refuse();
    return;
  }
  const site = header("Sec-Fetch-Site");
  if (site === "same-origin") return;
  if (site !== undefined && site !== "none") throw refuse();
  if (!isPublic && header("Authorization") === undefined) throw refuse();
}

/**
 * Guards the screens' forms. They may be sent as a navigation, but only from our own pages. Browsers send Origin with
 * every non-GET form.
 * @throws AppError `err.request.origin`
 */
export function assertOwnForm(c: Context<ApiEnv>): void {
  if (c.req.method === "GET" || c.req.method === "HEAD") return;
  const origin = c.req.header("Origin");
  const site = c.req.header("Sec-Fetch-Site");
  const isOurs =
    origin === undefined
      ? site === undefined || site === "same-origin"
      : origin === new URL(c.var.services.settings.PUBLIC_URL).origin;
  if (!isOurs) throw new AppError("err.request.origin");
}

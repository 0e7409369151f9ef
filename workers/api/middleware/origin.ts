import type { Context } from "hono";
import { AppError } from "#core/kernel/app-error.ts";
import type { ApiEnv } from "../api-env.ts";

/**
 * Lets a state-changing call through only when no other site can have caused it: never as a navigation; with an
 * Origin that is ours; without one only for API clients (`Authorization`), for fetches the browser itself calls
 * same-origin (it sends no Origin on GET), and for public calls, which use no session. Spec: some state-changing
 * calls are GETs, so SameSite=Lax cookies alone would not do.
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
 * Guards the screens' forms: a form of ours may be sent as a navigation, but only from our own pages. Browsers send
 * Origin with every form that changes something.
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

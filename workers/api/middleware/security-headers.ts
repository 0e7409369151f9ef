import { createMiddleware } from "hono/factory";
import type { Settings } from "#workers/env.ts";
import type { ApiEnv } from "../api-env.ts";

/** Two years, as browsers' preload lists ask. */
const HSTS = "max-age=63072000; includeSubDomains";

/**
 * Headers of every answer, errors included. A websocket's answer has no headers to add to. Answers about a person
 * are kept by nobody unless the route said otherwise.
 */
export const securityHeaders = createMiddleware<ApiEnv>(async (c, next) => {
  await next();
  if (c.res.status === 101) return;
  const set = (name: string, value: string) => c.res.headers.set(name, value);
  // Some answers come with headers that cannot be changed; a copy can.
  c.res = new Response(c.res.body, c.res);
  if (c.var.requestId) set("X-Request-Id", c.var.requestId);
  set("Strict-Transport-Security", HSTS);
  set("X-Content-Type-Options", "nosniff");
  // Pages whose address carries a secret load things too: no request may tell more of them than our origin.
  set("Referrer-Policy", "strict-origin");
  set("Cross-Origin-Opener-Policy", "same-origin");
  set("Cross-Origin-Resource-Policy", "same-origin");
  set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
  set("X-Frame-Options", "DENY");
  if (!c.res.headers.has("Cache-Control")) set("Cache-Control", "no-store");
  if (c.var.services && !c.res.headers.has("Content-Security-Policy"))
    set("Content-Security-Policy", contentSecurityPolicy(c.var.services.settings, c.var.nonce));
});

/**
 * The page's own scripts only, each with the answer's nonce. `style-src` allows inline styles because the component
 * library positions its overlays by style attributes. Forms may lead to consent pages of
 * platforms and to identity providers: browsers check a form's redirects too.
 */
export function contentSecurityPolicy(settings: Settings, nonce: string): string {
  const { origin, host, protocol } = new URL(settings.PUBLIC_URL);
  const socket = `${protocol === "https:" ? "wss" : "ws"}://${host}`;
  const consentPages = Object.entries(settings)
    .filter(([name, value]) => /_(WEB_URL|ISSUER)$/.test(name) && typeof value === "string")
    .map(([, value]) => new URL(String(value)).origin);
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${socket}`,
    "frame-ancestors 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action 'self' ${[origin, ...consentPages].join(" ")}`,
  ].join("; ");
}

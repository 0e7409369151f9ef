import { createMiddleware } from "hono/factory";
import { coversOrigin } from "#connectors/contract/host-app.ts";
import type { Settings } from "#workers/env.ts";
import type { Services } from "#workers/services.ts";
import type { ApiEnv } from "../api-env.ts";

/** Two years, as browsers' preload lists recommend. */
const HSTS = "max-age=63072000; includeSubDomains";

/**
 * Sets the security headers of every response, errors included. WebSocket upgrades are skipped. Responses get
 * `no-store` unless the route sets its own Cache-Control.
 */
export const securityHeaders = createMiddleware<ApiEnv>(async (c, next) => {
  await next();
  if (c.res.status === 101) return;
  const set = (name: string, value: string) => c.res.headers.set(name, value);
  // Some responses have immutable headers; a copy does not.
  c.res = new Response(c.res.body, c.res);
  if (c.var.requestId) set("X-Request-Id", c.var.requestId);
  set("Strict-Transport-Security", HSTS);
  set("X-Content-Type-Options", "nosniff");
  // Some page URLs contain a secret, so requests from a page must only reveal our origin.
  set("Referrer-Policy", "strict-origin");
  set("Cross-Origin-Opener-Policy", "same-origin");
  set("Cross-Origin-Resource-Policy", "same-origin");
  set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
  const ancestors = c.var.services ? frameAncestors(c.var.services, c.req.path) : [];
  if (ancestors.length === 0) set("X-Frame-Options", "DENY");
  if (!c.res.headers.has("Cache-Control")) set("Cache-Control", "no-store");
  if (c.var.services && !c.res.headers.has("Content-Security-Policy"))
    set(
      "Content-Security-Policy",
      contentSecurityPolicy(c.var.services.settings, c.var.nonce, { path: c.req.path, ancestors }),
    );
});

/**
 * The origins that may show the page in a frame: none, except in a host's frame, which its signed call has named, and for the
 * page that asks for that name. Every ancestor must be listed: the app's page, and the customer's site around it.
 */
function frameAncestors(
  { settings, hosts }: Pick<Services, "settings" | "hosts">,
  path: string,
): readonly string[] {
  const { FRAME } = settings;
  const host = hosts.find(({ platform, base }) => path === `${base}/frame` || platform === FRAME?.platform);
  if (!host) return [];
  if (path === `${host.base}/frame`) return [...host.siteOrigins, ...host.shellOrigins];
  if (!FRAME || /^\/(?:api|identity)\//.test(path)) return [];
  // Settings may have changed since the frame was named.
  const { siteOrigin, shellOrigin } = FRAME;
  if (!host.shellOrigins.some((source) => coversOrigin(source, shellOrigin))) return [];
  return [...(siteOrigin === null ? host.siteOrigins : [siteOrigin]), shellOrigin];
}

/**
 * Allows only the page's own scripts, each with the response's nonce. `style-src` allows inline styles because the
 * component library positions overlays with style attributes. `form-action` includes consent pages of platforms and
 * identity providers, because browsers also check a form's redirects. Only the pages with a card form may load the
 * payment provider's script and frames.
 */
export function contentSecurityPolicy(
  settings: Settings,
  nonce: string,
  { path, ancestors = [] }: { path: string; ancestors?: readonly string[] },
): string {
  const { origin, host, protocol } = new URL(settings.PUBLIC_URL);
  const socket = `${protocol === "https:" ? "wss" : "ws"}://${host}`;
  const consentPages = Object.entries(settings)
    .filter(([name, value]) => /_(WEB_URL|ISSUER)$/.test(name) && typeof value === "string")
    .map(([, value]) => new URL(String(value)).origin);
  const pay = hasCardForm(path) ? paymentSources(settings) : null;
  const and = (sources: readonly string[] | undefined) => sources?.map((each) => ` ${each}`).join("") ?? "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${and(pay?.scripts)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${socket}${and(pay?.calls)}`,
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(" ")}`,
    pay ? `frame-src${and(pay.frames)}` : "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action 'self' ${[origin, ...consentPages].join(" ")}`,
  ].join("; ");
}

/** The pages on which a card can be entered. */
const hasCardForm = (path: string) => /^\/(?:checkout|subscriptions|payment|payment-history)\/?$/.test(path);

/** The payment provider's own hosts, used with its own script. */
const PROVIDER = {
  scripts: ["https://js.stripe.com"],
  frames: ["https://js.stripe.com", "https://hooks.stripe.com"],
  calls: ["https://api.stripe.com"],
};

/** Where the configured script comes from, and what it opens: frames, and calls with card numbers. */
function paymentSources({ STRIPE_JS_URL, STRIPE_API_URL }: Settings): typeof PROVIDER {
  const { origin } = new URL(STRIPE_JS_URL);
  if (PROVIDER.scripts.includes(origin)) return PROVIDER;
  return { scripts: [origin], frames: [origin], calls: [origin, new URL(STRIPE_API_URL).origin] };
}

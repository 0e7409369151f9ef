import type { Context } from "hono";
import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { type Host, type HostApp, type HostCall, HostCallError } from "#connectors/contract/host-app.ts";
import { connectSite, exchangeCode, issueCode, noteHostEvent } from "#core/embedding/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import type { ApiEnv } from "../api-env.ts";
import { successEnvelope } from "../envelope.ts";
import { type Api, route } from "../mount-route.ts";
import { readInput } from "../read-input.ts";

const log = logger("hosts");
const tag = "Identity";
const base = "/identity";

/** Events contain the changed object. */
const MOST_BYTES = 512_000;

/** An origin as browsers write it. */
const origin = z.string().regex(/^https?:\/\/[a-z0-9.-]{1,253}(?::\d{1,5})?$/);
const sessionInput = z.strictObject({
  challenge: z.string().regex(/^[0-9a-f]{64}$/),
  origin,
  /** The code is to connect the site by the app's own access. */
  connects: z.boolean().default(false),
});
const secret = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/**
 * Our apps inside platforms. `{base}/session` and `{base}/tick` are called by the host, which signs each call for one site
 * and, from the app's page, one person. `/identity/host/…` is called by our own page in the app's frame.
 */
export function mountHosts(api: Api, apps: readonly Pick<HostApp, "base">[]): void {
  for (const { base } of apps) {
    api.post(`${base}/session`, (c) => openSession(c, base));
    api.post(`${base}/tick`, (c) => takeEvent(c, base));
  }
  for (const mount of FRAME) mount(api);
}

const FRAME = [
  route({
    method: "POST",
    base,
    path: "/host/exchange",
    summary: "Open a session in a platform's frame with the code of the app's page",
    tag,
    input: z.strictObject({ code: secret, verifier: secret, origin }),
    isPublic: true,
    result: z.object({ next: z.string() }),
    refuses: ["err.host.code"],
    handle: async (s, _member, input, c) => {
      const { next, setCookie } = await exchangeCode(s, input, c.req.raw.headers);
      for (const value of setCookie) c.header("Set-Cookie", value, { append: true });
      return { result: { next } };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/host/connect",
    summary:
      "Connect the site of a platform's frame by the app that is installed there, with the code of the app's page",
    tag,
    input: z.strictObject({ code: secret, verifier: secret, origin }),
    result: z.object({ id: z.string() }),
    refuses: ["err.host.code", "err.role.forbidden", "err.plan.required"],
    handle: async (s, member, input) => {
      const host = s.hosts.find(({ platform }) => platform === s.settings.FRAME?.platform);
      if (!host) throw new AppError("err.host.code");
      const { id } = await connectSite(s, member, { ...input, authMethod: host.authMethod });
      return { result: { id } };
    },
  }),
  route({
    method: "GET",
    base,
    path: "/host/frame",
    summary: "Whether the browser keeps our cookies in a platform's frame",
    tag,
    input: z.strictObject({}),
    isPublic: true,
    result: z.object({ is_kept: z.boolean() }),
    handle: async ({ settings }) => ({ result: { is_kept: settings.FRAME !== undefined } }),
  }),
];

/** POST {base}/session — the app's page asks for a one-time code for the person who looks at it. */
async function openSession(c: Context<ApiEnv>, base: string): Promise<Response> {
  const { host, call } = await readCall(c, base);
  const input = sessionInput.safeParse(await readInput(c, { hasBody: true, alsoQuery: false }));
  if (!input.success) throw new AppError("err.request.invalid");
  const { platform, siteOrigins, shellOrigins } = host;
  const { connects, ...asked } = input.data;
  const order = { platform, call, ...asked, origins: { siteOrigins, shellOrigins } };
  if (!connects) return c.json(successEnvelope({ result: await issueCode(c.var.services, order) }));
  const granted = await grantOf(c, host, call);
  const result = "reason" in granted ? granted : await issueCode(c.var.services, { ...order, granted });
  return c.json(successEnvelope({ result }));
}

/** The access to the call's site, or why there is none. The host passes only successful answers on to its page. */
async function grantOf(c: Context<ApiEnv>, host: Host, call: HostCall) {
  const { services: s } = c.var;
  const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
  try {
    const grant = await host.grant(io, call, host.readTokens(c.req.raw.headers));
    return { authMethod: host.authMethod, grant };
  } catch (cause) {
    if (!(cause instanceof ConnectorError)) throw cause;
    return { reason: cause.message };
  }
}

/** POST {base}/tick — the hourly call and events. The host repeats a call that fails. */
async function takeEvent(c: Context<ApiEnv>, base: string): Promise<Response> {
  const { host, call } = await readCall(c, base);
  const body = await readInput(c, { hasBody: true, alsoQuery: false, maxBodyBytes: MOST_BYTES });
  const { app: token } = host.readTokens(c.req.raw.headers);
  await noteHostEvent(c.var.services, host.platform, {
    call,
    event: host.readEvent(body),
    ...(token ? { brought: { authMethod: host.authMethod, token } } : {}),
  });
  return c.json(successEnvelope({ result: null }));
}

/** @throws AppError `err.not.found` while the app is not set up, `err.host.token` */
async function readCall(c: Context<ApiEnv>, base: string): Promise<{ host: Host; call: HostCall }> {
  const { services: s } = c.var;
  const host = s.hosts.find((each) => each.base === base);
  if (!host) throw new AppError("err.not.found");
  const token = /^Bearer (\S{1,8000})$/i.exec(c.req.header("Authorization") ?? "")?.[1];
  if (token === undefined) throw new AppError("err.host.token");
  try {
    return { host, call: await host.readCall({ fetch: s.fetch as typeof fetch, now: s.clock.now }, token) };
  } catch (cause) {
    if (!(cause instanceof HostCallError)) throw cause;
    log.warn("A call was refused: {reason}", { reason: cause.message });
    throw new AppError("err.host.token", { cause });
  }
}

import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, expect, test } from "vitest";
import {
  createForgeIssuer,
  type ForgeCaller,
  type ForgeIssuer,
} from "#connectors/platforms/jira/simulator/forge-tokens.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { publishKeys } from "#tests/harness/outside.ts";
import { http } from "#workers/http.ts";

const ORIGIN = "https://app.example.test";
const APP_ID = "ari:cloud:ecosystem::app/8db33809-1f32-48bb-8c52-5877dab48107";
const SHELL = "https://0a3a7799.cdn.prod.atlassian-dev.net";
const SITE = "https://meridian.atlassian.net";
const VERIFIER = "v".repeat(43);
const PAGE = { Accept: "text/html", "Sec-Fetch-Dest": "iframe" };

let issuer: ForgeIssuer;
let vars: Record<string, string>;
beforeAll(async () => {
  issuer = await createForgeIssuer(APP_ID);
  const FORGE_JWKS_URL = await publishKeys(issuer.jwks);
  vars = { FORGE_APP_ID: APP_ID, FORGE_JWKS_URL, FORGE_SHELL_ORIGINS: SHELL };
});

const callerAt = (cloudId: string): ForgeCaller => ({
  cloudId,
  installationId: `ari:cloud:ecosystem::installation/${cloudId}`,
  siteUrl: SITE,
  accountId: "655362:nora",
});
const freshSite = () => crypto.randomUUID();

type Sent = { method?: "GET" | "POST"; headers?: Record<string, string>; body?: object; settings?: object };

async function ask(path: string, { method, headers = {}, body, settings = vars }: Sent = {}) {
  const context = createExecutionContext();
  const request = new Request(`${ORIGIN}${path}`, {
    method: method ?? (body ? "POST" : "GET"),
    headers: body ? { "Content-Type": "application/json", ...headers } : headers,
    redirect: "manual",
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await heldLimits.invocation(async () =>
    http.fetch(request, { ...env, ...settings } as never, context),
  );
  const text = await answer.text();
  await waitOnExecutionContext(context);
  return { status: answer.status, headers: answer.headers, text };
}

const json = <T>({ text }: { text: string }) => JSON.parse(text) as { code: string | null; result: T };

async function askForCode(caller: ForgeCaller, more: Partial<Sent> & { origin?: string } = {}) {
  const { origin = SHELL, ...sent } = more;
  return ask("/forge/session", {
    headers: { Authorization: `Bearer ${await issuer.sign(caller)}` },
    body: { challenge: await sha256Hex(VERIFIER), origin },
    ...sent,
  });
}

async function exchange(code: string, headers: Record<string, string> = { Origin: ORIGIN }) {
  return ask("/identity/host/exchange", { headers, body: { code, verifier: VERIFIER, origin: SHELL } });
}

/** The browser of a frame: its cookies, and the page that it is sent to. */
async function openFrame(caller: ForgeCaller) {
  const { result } = json<{ code: string }>(await askForCode(caller));
  const answer = await exchange(result.code);
  const Cookie = cookiesOf(answer.headers);
  return { next: json<{ next: string }>(answer).result.next, Cookie };
}

const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .filter((each) => !each.includes("Max-Age=0"))
    .map((each) => each.split(";")[0])
    .join("; ");

/** Signs up and in inside the frame, as a new customer does. */
async function enterAsNew(caller: ForgeCaller) {
  const { Cookie } = await openFrame(caller);
  const email = `host-${crypto.randomUUID().slice(0, 12)}@example.com`;
  const password = "Vq7$mRkT2zLw";
  const headers = { Cookie, Origin: ORIGIN };
  const person = { name: "Ann", family_name: "Example", email, password, auto_confirm: true };
  await ask("/identity/sign-up", { headers, body: person });
  const signedIn = await ask("/identity/sign-in", { headers, body: { email, password } });
  return { Cookie: `${Cookie}; ${cookiesOf(signedIn.headers)}`, email };
}

/** Connects a Jira site, as its authorisation does. */
async function connectSite(email: string): Promise<void> {
  await env.DB.prepare(
    `insert into connection (id, organisation_id, platform, region, external_id, name, account_type, status, details,
       created_at)
     select ?1, organisation_id, 'jira', 'US', ?1, 'meridian', 'site', 'active', '{}', 1
     from member join user on user.id = member.user_id where user.email = ?2`,
  )
    .bind(`con_${crypto.randomUUID()}`, email)
    .run();
}

const policyOf = (headers: Headers) =>
  /frame-ancestors ([^;]*)/.exec(headers.get("Content-Security-Policy") ?? "")?.[1];

test("a call without a valid token gets no code and leaves no installation", async () => {
  const site = freshSite();
  const stranger = await createForgeIssuer(APP_ID);
  const body = { challenge: "0".repeat(64), origin: SHELL };
  const tokens = [
    await stranger.sign(callerAt(site)),
    await issuer.sign(callerAt(site), { exp: 1 }),
    await issuer.sign(callerAt(site), { aud: `${APP_ID}0` }),
    "abc",
  ];
  for (const path of ["/forge/session", "/forge/tick"]) {
    for (const token of tokens) {
      const answer = await ask(path, { headers: { Authorization: `Bearer ${token}` }, body });
      expect([answer.status, json(answer).code]).toEqual([401, "err.host.token"]);
    }
    expect((await ask(path, { body })).status).toBe(401);
  }
  const rows = await env.DB.prepare("select * from host_installation where site_id = ?").bind(site).all();
  expect(rows.results).toEqual([]);
});

test("a call for a page that is not the app's, or with a malformed challenge, gets no code", async () => {
  const caller = callerAt(freshSite());
  expect((await askForCode(caller, { origin: "https://evil.example" })).status).toBe(401);
  expect((await askForCode(caller, { body: { challenge: "short", origin: SHELL } })).status).toBe(400);
  expect((await askForCode(caller, { body: { challenge: "0".repeat(64), origin: "null" } })).status).toBe(
    400,
  );
});

test("only our own page may exchange a code, and once", async () => {
  const { result } = json<{ code: string }>(await askForCode(callerAt(freshSite())));
  for (const headers of [
    { Origin: "https://evil.example" },
    { Origin: SHELL },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
  ] as Record<string, string>[])
    expect((await exchange(result.code, headers)).status).toBe(403);
  expect((await exchange(result.code)).status).toBe(200);
  expect(json(await exchange(result.code)).code).toBe("err.host.code");
});

test("without the app's settings its paths do not exist and nothing may be framed", async () => {
  const caller = callerAt(freshSite());
  const { Cookie } = await openFrame(caller);
  const settings = {};
  expect((await askForCode(caller, { settings })).status).toBe(404);
  expect((await ask("/forge/frame", { headers: PAGE, settings })).status).toBe(404);
  const { headers } = await ask("/auth/login", { headers: { ...PAGE, Cookie }, settings });
  expect([policyOf(headers), headers.get("X-Frame-Options")]).toEqual(["'none'", "DENY"]);
  // Another page of the app is configured since.
  const moved = { ...vars, FORGE_SHELL_ORIGINS: "https://other.cdn.prod.atlassian-dev.net" };
  const late = await ask("/auth/login", { headers: { ...PAGE, Cookie }, settings: moved });
  expect(policyOf(late.headers)).toBe("'none'");
});

test("only the first page and pages in a named frame may be framed, and only by that site and the app", async () => {
  const anywhere = `https://*.atlassian.net ${SHELL}`;
  const door = await ask("/forge/frame", { headers: PAGE });
  expect([door.status, policyOf(door.headers), door.headers.get("X-Frame-Options")]).toEqual([
    200,
    anywhere,
    null,
  ]);
  const { Cookie } = await enterAsNew(callerAt(freshSite()));
  for (const path of ["/app-connector", "/settings", "/no-such-page"]) {
    const framed = await ask(path, { headers: { ...PAGE, Cookie } });
    expect([path, policyOf(framed.headers)]).toEqual([path, `${SITE} ${SHELL}`]);
    expect(framed.headers.get("X-Frame-Options")).toBeNull();
  }
  const forged = Cookie.replace(/frame=([^.]+)\./, "frame=AAAA.");
  for (const headers of [
    PAGE,
    { ...PAGE, Cookie: forged },
    { ...PAGE, Origin: SHELL, Referer: `${SHELL}/` },
  ]) {
    const plain = await ask("/auth/login", { headers });
    expect([policyOf(plain.headers), plain.headers.get("X-Frame-Options")]).toEqual(["'none'", "DENY"]);
  }
  const call = await ask("/api/user/get-user-start-info", { headers: { Cookie } });
  expect([call.status, policyOf(call.headers), call.headers.get("X-Frame-Options")]).toEqual([
    200,
    "'none'",
    "DENY",
  ]);
});

test("a visitor of the frame signs up without a mail and legal links, and is led to the connector", async () => {
  const caller = callerAt(freshSite());
  const { next, Cookie } = await openFrame(caller);
  expect(next).toBe("/auth/login");
  for (const path of ["/auth/login", "/auth/sign-up"]) {
    const framed = await ask(path, { headers: { ...PAGE, Cookie } });
    expect(framed.text, path).not.toMatch(/href="\/(?:terms|privacy|sla)"/);
    expect((await ask(path, { headers: PAGE })).text).toMatch(/href="\/terms"/);
  }
  const entered = await enterAsNew(caller);
  const info = await ask("/api/user/get-user-start-info", { headers: { Cookie: entered.Cookie } });
  expect(json(info).result).toMatchObject({ auto_confirm: true });
  const home = await ask("/", { headers: { Accept: "text/html", Cookie: entered.Cookie } });
  expect(home.headers.get("Location")).toBe("/app-connector?jiraInIframe=true");
  expect((await openFrame(caller)).next).toBe("/");
});

test("pages in the frame ask for a new tab and say what needs the main website", async () => {
  const license = { active: true };
  const { Cookie, email } = await enterAsNew({ ...callerAt(freshSite()), license });
  await connectSite(email);
  const notice = /The backup of attachments needs an authorisation on the main website/;
  const link = /<a [^>]*target="_blank"[^>]*>Open in a new tab<\/a>/;
  for (const path of ["/platform/dashboard/jira", "/", "/settings"]) {
    const framed = await ask(path, { headers: { ...PAGE, Cookie } });
    expect(framed.text, path).toMatch(notice);
    expect(framed.text, path).toMatch(link);
    // The same person outside of the frame.
    const own = Cookie.replace(/[^ ;]*frame=[^;]*/, "x=y");
    expect((await ask(path, { headers: { Accept: "text/html", Cookie: own } })).text).not.toMatch(notice);
  }
});

test("[A-033] [A-034] [A-361] a licence of the marketplace hides what we sell, in the frame alone", async () => {
  const license = { active: true, capabilitySet: "capabilityStandard" };
  const licensed = await enterAsNew({ ...callerAt(freshSite()), license });
  const free = await enterAsNew(callerAt(freshSite()));
  const offersOf = async (Cookie: string) => {
    const { text } = await ask("/settings", { headers: { ...PAGE, Cookie } });
    return ["/subscriptions", "/app-connector", "/checkout"].filter((path) => text.includes(`href="${path}`));
  };
  expect(await offersOf(licensed.Cookie)).toEqual([]);
  const closed = await ask("/subscriptions", { headers: { ...PAGE, Cookie: licensed.Cookie } });
  expect([closed.status, closed.headers.get("Location")]).toEqual([302, "/"]);
  // The plan is the licence's.
  await connectSite(licensed.email);
  const list = await ask("/platform/dashboard/jira", { headers: { ...PAGE, Cookie: licensed.Cookie } });
  expect(list.status).toBe(200);
  expect((await ask("/subscriptions", { headers: { ...PAGE, Cookie: free.Cookie } })).status).toBe(200);
  const own = licensed.Cookie.replace(/[^ ;]*frame=[^;]*/, "x=y");
  const outside = await ask("/subscriptions", { headers: { Accept: "text/html", Cookie: own } });
  expect(outside.status).toBe(200);
});

test("a tick and unknown events keep the installation alive; a broken body is refused", async () => {
  const cloudId = freshSite();
  const { accountId: _, siteUrl: __, ...tick } = callerAt(cloudId);
  const send = async (body: object) =>
    ask("/forge/tick", { headers: { Authorization: `Bearer ${await issuer.sign(tick)}` }, body });
  for (const body of [
    { context: { cloudId, moduleKey: "hourly" }, contextToken: "x" },
    { id: "fff8e466", installerAccountId: "4ad9", app: { id: "a", version: "9.0.0" } },
    { eventType: "avi:jira:deleted:issue", issue: { id: "1", fields: { project: { id: "10002" } } } },
    { eventType: "avi:jira:new:thing", secret: 1 },
  ])
    expect((await send(body)).status).toBe(200);
  const row = await env.DB.prepare(
    "select status, organisation_id as organisationId from host_installation where site_id = ?",
  )
    .bind(cloudId)
    .first();
  expect(row).toEqual({ status: "active", organisationId: null });
});

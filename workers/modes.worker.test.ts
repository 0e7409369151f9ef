import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { makePlatform } from "#tests/harness/people.ts";
import { readVerificationLink } from "#tests/harness/verification-link.ts";
import { http } from "./http.ts";
import { buildServices } from "./services.ts";

const ORIGIN = "https://app.example.test";
const services = buildServices(env);
const PAGE = { Accept: "text/html,application/xhtml+xml" };

type Modes = Partial<
  Record<
    | "MAINTENANCE"
    | "RESTRICTED_MODE"
    | "HELP_URL"
    | "CONTACT_EMAIL"
    | "SECURITY_CONTACT"
    | `ENTERPRISE_${string}`,
    string
  >
>;

async function ask(path: string, modes: Modes, headers: Record<string, string> = PAGE, body?: object) {
  const context = createExecutionContext();
  const request = new Request(`${ORIGIN}${path}`, {
    method: body ? "POST" : "GET",
    headers: body ? { ...headers, "Content-Type": "application/json" } : headers,
    redirect: "manual",
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await heldLimits.invocation(async () => http.fetch(request, { ...env, ...modes }, context));
  const text = await answer.text();
  await waitOnExecutionContext(context);
  return { status: answer.status, headers: answer.headers, text };
}

async function signUp(): Promise<{ Cookie: string; organisationId: string }> {
  const email = `modes-${crypto.randomUUID().slice(0, 12)}@example.com`;
  const password = "Vq7$mRkT2zLw";
  const post = (path: string, body: object, headers = {}) => ask(path, {}, headers, body);
  const person = { name: "Ann", family_name: "Example", email, password };
  const signedUp = await post("/identity/sign-up", person);
  await post("/api/email-verification", await readVerificationLink(email), { Cookie: cookieOf(signedUp) });
  const signedIn = await post("/identity/sign-in", { email, password });
  const organisationId = await env.DB.prepare(
    "select organisation_id from member join user on user.id = member.user_id where user.email = ?",
  )
    .bind(email)
    .first<string>("organisation_id");
  return { Cookie: cookieOf(signedIn), organisationId: organisationId ?? "" };
}

/** The first cookie of an answer, as a `Cookie` header value. */
const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]?.split(";")[0] ?? "";

async function grant(organisationId: string, plan: string, endsAt: number | null): Promise<void> {
  await env.DB.prepare(
    "insert into subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at) values (?, ?, 'github', ?, 10, ?, ?)",
  )
    .bind(`sub_${crypto.randomUUID()}`, organisationId, plan, Date.now(), endsAt)
    .run();
}

/** Adds a place, without which GitHub's list would ask the account for one. */
async function addPlace(organisationId: string): Promise<void> {
  const connectionId = await env.DB.prepare("select id from connection where organisation_id = ?")
    .bind(organisationId)
    .first<string>("id");
  await env.LEDGER_US.prepare(
    "insert into place (id, organisation_id, connection_id, external_id, name, type, created_at) values (?, ?, ?, '1', 'octo', 'User', ?)",
  )
    .bind(services.ids.next("place"), organisationId, connectionId, Date.now())
    .run();
}

test("[A-104] [A-105] in maintenance every page returns 503 with the maintenance screen, and no database is queried", async () => {
  const broken = { ...env, DB: undefined };
  for (const path of ["/", "/settings?tab=2", "/auth/login", "/contact", "/no-such-page"]) {
    const request = new Request(`${ORIGIN}${path}`, {
      headers: { ...PAGE, Cookie: "holdfast.session_token=x" },
    });
    const answer = await http.fetch(
      request,
      { ...broken, MAINTENANCE: "on" } as unknown as Env,
      createExecutionContext(),
    );
    expect(answer.status, path).toBe(503);
    expect(answer.headers.get("Retry-After")).toBe("120");
    const text = await answer.text();
    expect(text).toMatch(/<h1[^>]*>We&#x27;ll be back very soon<\/h1>/);
    expect(text).toContain("The product is under construction. Please try again in a few minutes.");
    // The client router would see a different URL from the one that was rendered.
    expect(text).not.toContain("__remixContext");
  }
});

test("[A-107] the maintenance screen may run its button's script and offers an e-mail to us", async () => {
  const { text, headers } = await ask("/", { MAINTENANCE: "on" });
  expect(text).toMatch(/<button[^>]*id="again"[^>]*>Try again<\/button>/);
  expect(text).toMatch(/<a[^>]*href="mailto:support@holdfast\.example"[^>]*>Contact Us<\/a>/);
  const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1];
  expect(text).toContain(`<script nonce="${nonce}">document.getElementById("again")`);
});

test("in maintenance every call returns 503 in the envelope, whatever it accepts", async () => {
  const calls: [string, Record<string, string>, object?][] = [
    ["/api/user/get-user-start-info", PAGE],
    ["/api/openapi.json", {}],
    ["/identity/sign-in", {}, { email: "a@b.example", password: "x" }],
    ["/ws", {}],
    ["/settings.data", {}],
  ];
  for (const [path, headers, body] of calls) {
    const answer = await ask(path, { MAINTENANCE: "on" }, headers, body);
    expect(answer.status, path).toBe(503);
    expect(JSON.parse(answer.text), path).toMatchObject({ status: "failure", code: "err.maintenance" });
  }
});

test("[A-033] [A-034] [A-073] [A-093] [A-094] [A-095] [A-096] restricted mode hides and blocks everything about sales", async () => {
  const { Cookie, organisationId } = await signUp();
  const headers = { ...PAGE, Cookie };
  const restricted = { RESTRICTED_MODE: "on" };
  await makePlatform(services, { organisationId }, { plan: "essential" });
  await addPlace(organisationId);
  const home = await ask("/", restricted, headers);
  expect(home.status).toBe(200);
  for (const path of ["/subscriptions", "/app-connector", "/checkout", "/audit"]) {
    expect(home.text, path).not.toContain(`href="${path}"`);
    const closed = await ask(path, restricted, headers);
    expect([closed.status, closed.headers.get("Location")], path).toEqual([302, "/"]);
  }
  const pages = ["/platform/dashboard/github", "/contact", "/profile", "/settings", "/settings/payment"];
  for (const page of pages) {
    const { status, text } = await ask(page, restricted, headers);
    expect([page, status]).toEqual([page, 200]);
    for (const path of ["/subscriptions", "/app-connector", "/checkout"]) {
      expect(text.includes(`href="${path}`), `${page} offers ${path}`).toBe(false);
    }
  }
  const jira = await ask("/platform/dashboard/jira", restricted, headers);
  expect(jira.headers.get("Location")).toBe("/");
  expect(home.text).toContain('href="/platform/dashboard/github"');
  const open = await ask("/subscriptions", {}, headers);
  expect(open.status).toBe(200);
  expect(open.text).toContain('href="/audit"');
});

test("[A-034] in restricted mode no notice of a plan offers to buy, in whatever state the plan is", async () => {
  const { Cookie, organisationId } = await signUp();
  const headers = { ...PAGE, Cookie };
  const now = Date.now();
  await makePlatform(services, { organisationId }, { plan: "trial" });
  const set = env.DB.prepare("update subscription set plan = ?, ends_at = ? where organisation_id = ?");
  for (const [plan, endsAt, notice] of [
    ["trial", now + 3 * DAY_MS, "left of your free trial"],
    ["trial", now - DAY_MS, "Your free trial has ended"],
    ["essential", now + HOUR_MS, "Your subscription ends today"],
    ["essential", now - DAY_MS, "Your subscription has ended"],
  ] as const) {
    await set.bind(plan, endsAt, organisationId).run();
    const restricted = await ask("/", { RESTRICTED_MODE: "on" }, headers);
    const normal = await ask("/", {}, headers);
    for (const { status, text } of [restricted, normal]) {
      expect([notice, status]).toEqual([notice, 200]);
      expect(text).toContain(notice);
    }
    expect(normal.text, notice).toContain('href="/checkout"');
    expect(restricted.text, notice).not.toMatch(/href="\/(?:subscriptions|app-connector|checkout)/);
  }
});

test("[A-096] [A-361] [B-099] restricted mode opens the audit trail only with Pro; without restricted mode nothing is hidden", async () => {
  const other = await signUp();
  await grant(other.organisationId, "essential", null);
  const closed = await ask("/audit", { RESTRICTED_MODE: "on" }, { ...PAGE, Cookie: other.Cookie });
  expect([closed.status, closed.headers.get("Location")]).toEqual([302, "/"]);
  const { Cookie, organisationId } = await signUp();
  const headers = { ...PAGE, Cookie };
  await grant(organisationId, "pro", null);
  const restricted = await ask("/contact", { RESTRICTED_MODE: "on" }, headers);
  expect(restricted.text).toContain('href="/audit"');
  expect(restricted.text).not.toContain('href="/subscriptions"');
  expect((await ask("/audit", { RESTRICTED_MODE: "on" }, headers)).status).toBe(200);
  expect((await ask("/contact", {}, headers)).text).toContain('href="/subscriptions"');
});

test("[A-089] [A-090] Support opens the configured help centre, in restricted mode the contact page", async () => {
  const { Cookie, organisationId } = await signUp();
  const headers = { ...PAGE, Cookie };
  await grant(organisationId, "pro", null);
  const HELP_URL = "https://help.holdfast.example/start";
  expect((await ask("/contact", { HELP_URL }, headers)).text).toContain(`href="${HELP_URL}"`);
  const restricted = await ask("/contact", { HELP_URL, RESTRICTED_MODE: "on" }, headers);
  expect(restricted.text).not.toContain(HELP_URL);
  const support = (html: string) => /<a [^>]*href="([^"]*)"[^>]*>(?:(?!<\/a>).)*Support/.exec(html)?.[1];
  expect(support((await ask("/settings", { HELP_URL, RESTRICTED_MODE: "on" }, headers)).text)).toBe(
    "/contact",
  );
  expect(support((await ask("/settings", { HELP_URL }, headers)).text)).toBe(HELP_URL);
});

/** The legal pages that the page links to. */
const legalLinks = (html: string) =>
  [...html.matchAll(/href="(\/(?:terms|privacy|sla))"/g)].map(([, path]) => path);

test("[A-032] [A-035] in restricted mode a visitor's pages have neither legal links nor single sign-on", async () => {
  const company = {
    ENTERPRISE_ISSUER: "https://sso.meridian.example",
    ENTERPRISE_CLIENT_ID: "holdfast",
    ENTERPRISE_CLIENT_SECRET: "s",
    ENTERPRISE_DOMAIN: "meridian.example",
  };
  for (const path of ["/auth/login", "/auth/sign-up", "/auth/password-recovery"]) {
    const normal = await ask(path, company);
    const restricted = await ask(path, { ...company, RESTRICTED_MODE: "on" });
    expect([normal.status, restricted.status], path).toEqual([200, 200]);
    expect(new Set(legalLinks(normal.text)), path).toEqual(new Set(["/terms", "/privacy", "/sla"]));
    expect(legalLinks(restricted.text), path).toEqual([]);
    if (path !== "/auth/login") continue;
    expect(normal.text).toContain('href="/welcome"');
    expect(restricted.text).not.toContain('href="/welcome"');
    expect(normal.text).toContain("Single sign-on");
    expect(restricted.text).not.toContain("Single sign-on");
    expect(restricted.text).toContain('type="password"');
  }
});

test("[A-070] in restricted mode a signed-in person is sent from an auth page to Jira's dashboard", async () => {
  const { Cookie } = await signUp();
  for (const path of ["/auth/login", "/auth/sign-up", "/auth/password-recovery"]) {
    const restricted = await ask(path, { RESTRICTED_MODE: "on" }, { ...PAGE, Cookie });
    expect([restricted.status, restricted.headers.get("Location")], path).toEqual([
      302,
      "/platform/dashboard/jira",
    ]);
    const normal = await ask(path, {}, { ...PAGE, Cookie });
    expect([normal.status, normal.headers.get("Location")], path).toEqual([302, "/"]);
  }
});

test("[A-031] [A-201] only restricted mode lets a sign-up confirm itself, and the person's data show it", async () => {
  const password = "Vq7$mRkT2zLw";
  const enter = async (modes: Modes) => {
    const email = `modes-${crypto.randomUUID().slice(0, 12)}@example.com`;
    const person = { name: "Ann", family_name: "Example", email, password, auto_confirm: true };
    const signedUp = JSON.parse((await ask("/identity/sign-up", modes, {}, person)).text);
    const signedIn = await ask("/identity/sign-in", modes, {}, { email, password });
    const info = await ask("/api/user/get-user-start-info", modes, { Cookie: cookieOf(signedIn) });
    return { signedUp: signedUp.result, signIn: signedIn.status, info: JSON.parse(info.text).result };
  };
  const restricted = await enter({ RESTRICTED_MODE: "on" });
  expect(restricted.signedUp).toEqual({ is_confirmed: true });
  expect(restricted.info).toMatchObject({ auto_confirm: true });
  const normal = await enter({});
  expect(normal.signedUp).toEqual({ is_confirmed: false });
  expect(normal.signIn).toBe(403);
});

test("[A-075] inside a Jira frame the link to the connector has a marker", async () => {
  const { Cookie } = await signUp();
  const framed = await ask("/", {}, { ...PAGE, Cookie, "Sec-Fetch-Dest": "iframe" });
  expect(framed.headers.get("Location")).toBe("/app-connector?jiraInIframe=true");
  const own = await ask("/", {}, { ...PAGE, Cookie, "Sec-Fetch-Dest": "document" });
  expect(own.headers.get("Location")).toBe("/app-connector");
});

test("[A-040] [A-072] a member without a right to a platform is redirected to the dashboard from its pages, set up or not", async () => {
  const { Cookie, organisationId } = await signUp();
  await env.DB.prepare(
    `update member set role = 'member', platform_roles = '{"github":"user"}' where organisation_id = ?`,
  )
    .bind(organisationId)
    .run();
  const pages = ["trello", "notion"].flatMap((id) => [
    `/platform/dashboard/${id}`,
    `/platform/backups/${id}?id=1`,
  ]);
  for (const path of pages) {
    const answer = await ask(path, {}, { ...PAGE, Cookie });
    expect([answer.status, answer.headers.get("Location")], path).toEqual([302, "/"]);
  }
});

test("[A-112] a platform that the installation is not set up for shows that its backups are coming soon", async () => {
  const { Cookie } = await signUp();
  const answer = await ask("/platform/dashboard/notion", {}, { ...PAGE, Cookie });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain("Notion backups coming soon");
  const app = { NOTION_CLIENT_ID: "test-client", NOTION_CLIENT_SECRET: "test-client-secret" };
  const open = await ask("/platform/dashboard/notion", app, { ...PAGE, Cookie });
  expect([open.status, open.headers.get("Location")]).toEqual([302, "/app-connector?platform=notion"]);
});

test("[A-012] no screen offers Asana: connector, settings, checkout, sign-up or its own page", async () => {
  const { Cookie } = await signUp();
  for (const path of ["/app-connector", "/settings", "/checkout", "/subscriptions", "/contact"]) {
    const answer = await ask(path, {}, { ...PAGE, Cookie });
    expect([path, answer.status]).toEqual([path, 200]);
    if (path === "/app-connector") expect(answer.text).toContain("GitHub");
    expect(answer.text, path).not.toMatch(/\basana\b/i);
  }
  const signUpPage = await ask("/auth/sign-up", {});
  for (const name of ["GitHub", "GitLab", "Trello", "Jira", "Notion"])
    expect(signUpPage.text).toContain(name);
  expect(signUpPage.text).not.toMatch(/\basana\b/i);
  for (const path of ["/platform/dashboard/asana", "/platform/backups/asana?id=1"]) {
    expect((await ask(path, {}, { ...PAGE, Cookie })).status, path).not.toBe(200);
  }
});

test("security.txt has contact, expiry and canonical URL (RFC 9116)", async () => {
  const fieldsOf = async (modes: Modes) => {
    const answer = await ask("/.well-known/security.txt", modes, {});
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/plain; charset=utf-8"]);
    return new Map(
      answer.text
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/: (.*)/s) as [string, string]),
    );
  };
  const plain = await fieldsOf({ CONTACT_EMAIL: "help@meridian.example" });
  expect(plain.get("Contact")).toBe("mailto:help@meridian.example");
  expect(plain.get("Canonical")).toBe(`${ORIGIN}/.well-known/security.txt`);
  expect(plain.get("Preferred-Languages")).toBe("en");
  const expires = plain.get("Expires") ?? "";
  expect(new Date(expires).toISOString().replace(".000", "")).toBe(expires);
  // Less than a year ahead, as the standard recommends, but long enough for maintainers.
  const aheadDays = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(aheadDays).toBeGreaterThan(30);
  expect(aheadDays).toBeLessThan(365);
  const contact = "https://meridian.example/security";
  expect((await fieldsOf({ SECURITY_CONTACT: contact })).get("Contact")).toBe(contact);
  expect((await fieldsOf({ SECURITY_CONTACT: "mailto:sec@meridian.example" })).get("Contact")).toBe(
    "mailto:sec@meridian.example",
  );
});

test("[B-096] without a session the audit trail leads to the start page, which leads to the sign-in", async () => {
  for (const path of ["/audit", "/audit?page=2&search=restore"]) {
    const { status, headers } = await ask(path, {});
    expect([path, status, headers.get("Location")]).toEqual([path, 302, "/"]);
  }
  expect((await ask("/", {})).headers.get("Location")).toBe("/auth/login");
  const member = await signUp();
  expect((await ask("/audit", {}, { ...PAGE, Cookie: member.Cookie })).status).toBe(200);
});

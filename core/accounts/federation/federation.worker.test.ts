import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { controlDatabase } from "#core/database/ledgers.ts";
import type { AppError } from "#core/kernel/app-error.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import {
  APP,
  type Browser,
  type FederationWorld,
  freshEmail,
  openFederationWorld,
  START,
} from "#tests/harness/federated-browser.ts";
import { buildServices } from "#workers/services.ts";
import { beginFederation, createPerson, findMember, signIn, signUp } from "../index.ts";
import { createSession } from "../new-session.ts";
import { setPassword } from "../set-password.ts";
import { insertIdentity } from "./federation.store.ts";

let world: FederationWorld;
const services = () => buildServices(env);
beforeAll(async () => {
  world = await openFederationWorld();
});

const memberOf = async (browser: Browser) =>
  (await findMember(services(), browser.headers()))?.member ?? null;

async function accountsOf(email: string) {
  const { results } = await env.DB.prepare(
    "select account.* from account join user on user.id = account.user_id where user.email = ?",
  )
    .bind(email)
    .all<Record<string, unknown>>();
  return results;
}

test("a sign-in starts at the provider's own URL with state, nonce and PKCE, bound to the browser", async () => {
  const browser = world.browser();
  const { status, location, setCookie } = await browser.open(`${START.google}&next=/settings/profile`);
  expect(status).toBe(302);
  const asked = new URL(location);
  expect(`${asked.origin}/google`).toBe(world.providers.vars.GOOGLE_ISSUER);
  const { state = "", nonce = "", ...rest } = Object.fromEntries(asked.searchParams);
  expect(rest).toEqual({
    client_id: world.providers.vars.GOOGLE_CLIENT_ID,
    response_type: "code",
    redirect_uri: `${APP}/identity/federation/callback`,
    scope: "openid email profile",
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
    prompt: "select_account",
  });
  const cookie = setCookie.find((line) => line.includes("federation="))!;
  expect(cookie).toMatch(
    /^__Host-holdfast\.federation=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const secret = /=([\w-]{43})/.exec(cookie)![1]!;
  const row = await env.DB.prepare("select * from federation_attempt where state_hash = ?")
    .bind(await sha256Hex(state))
    .first<Record<string, unknown>>();
  expect(row).toMatchObject({ provider: "google", browser_hash: await sha256Hex(secret), used_at: null });
  for (const plain of [state, nonce, secret, "/settings/profile"]) {
    expect(JSON.stringify(row)).not.toContain(plain);
  }
});

test("[A-381] a new person returns from Google signed in with an organisation, and no Google token is stored", async () => {
  const browser = world.browser();
  const email = freshEmail("elsewhere.example");
  const end = await browser.signIn(
    `${START.google}&next=${encodeURIComponent("/platform/dashboard/github?page=2")}`,
    {
      email,
      name: "Ann van Lee",
    },
  );
  expect(end).toBe("/platform/dashboard/github?page=2");
  const userId = expect.stringMatching(/^usr_/);
  expect(await memberOf(browser)).toMatchObject({ email, userId, name: "Ann van Lee", role: "owner" });
  const person = await env.DB.prepare("select name, family_name, email_verified from user where email = ?")
    .bind(email)
    .first();
  expect(person).toEqual({ name: "Ann", family_name: "van Lee", email_verified: 1 });
  const accounts = await accountsOf(email);
  expect(accounts).toHaveLength(1);
  expect(accounts[0]).toMatchObject({
    provider_id: "google",
    account_id: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/google#[0-9a-f]{24}$/),
    access_token: null,
    refresh_token: null,
    id_token: null,
    password: null,
  });
});

test("[A-382] the company's domain leads to its single sign-on and back, signed in", async () => {
  const browser = world.browser();
  const email = freshEmail("meridian.example");
  const started = await browser.open(START.enterprise);
  expect(started.location.startsWith(`${world.providers.vars.ENTERPRISE_ISSUER}/`)).toBe(true);
  expect(new URL(started.location).searchParams.get("state")).toMatch(/^[\w-]{43}$/);
  expect(await browser.signIn(START.enterprise, { email, name: "Ivo Petrov" })).toBe("/");
  expect(await memberOf(browser)).toMatchObject({ email, name: "Ivo Petrov" });
});

test("the alternative configuration has its own issuer, client and people", async () => {
  const browser = world.browser();
  const email = freshEmail("northwind.example");
  const { location } = await browser.open(START.okta);
  expect(location.startsWith(`${world.providers.vars.OKTA_ISSUER}/`)).toBe(true);
  expect(new URL(location).searchParams.get("client_id")).toBe(world.providers.vars.OKTA_CLIENT_ID);
  expect(await browser.signIn(START.okta, { email })).toBe("/");
  expect(await memberOf(browser)).toMatchObject({ email });
});

test("a person is identified by issuer and subject, even if the e-mail address changes", async () => {
  const email = freshEmail("gmail.com");
  const first = world.browser();
  const subject = `sub-${email}`;
  await world.providers.putPerson("google", { subject, email });
  await first.signIn(START.google, { subject });
  const moved = freshEmail("elsewhere.example");
  await world.providers.putPerson("google", { subject, email: moved, isEmailVerified: false });
  const second = world.browser();
  expect(await second.signIn(START.google, { subject })).toBe("/");
  expect(await memberOf(second)).toEqual(await memberOf(first));
  // The same subject at another issuer is another person.
  await world.providers.putPerson("okta", { subject, email: freshEmail("northwind.example") });
  const third = world.browser();
  await third.signIn(START.okta, { subject });
  expect((await memberOf(third))?.userId).not.toBe((await memberOf(first))?.userId);
});

test.each([
  ["another domain", "provider=enterprise&domain=elsewhere.example", "failure=err.federation.domain"],
  ["no domain", "provider=enterprise", "failure=err.federation.domain"],
  ["26 characters", `provider=enterprise&domain=${"a".repeat(18)}.example`, "failure=err.federation.domain"],
  [
    "another domain beside okta",
    "provider=okta&domain=elsewhere.example",
    "failure=err.federation.domain&okta=1",
  ],
  ["an unknown provider", "provider=facebook", "failure=err.federation.absent"],
  ["no provider", "", "failure=err.federation.absent"],
  [
    "somewhere to go",
    "provider=x&next=/settings/profile",
    "failure=err.federation.absent&next=%2Fsettings%2Fprofile",
  ],
])("a start with %s redirects to the sign-in page", async (_what, query, end) => {
  const before = await env.DB.prepare("select count(*) as n from federation_attempt").first();
  const { status, location, setCookie } = await world.browser().open(`/identity/federation/start?${query}`);
  expect({ status, location, setCookie }).toEqual({
    status: 302,
    location: `/auth/login?${end}`,
    setCookie: [],
  });
  expect(await env.DB.prepare("select count(*) as n from federation_attempt").first()).toEqual(before);
});

test("a provider without a client is not offered, and an unreachable one starts no sign-in", async () => {
  const absent = world.browser({ GOOGLE_CLIENT_ID: "" });
  expect((await absent.open(START.google)).location).toBe("/auth/login?failure=err.federation.absent");
  await world.providers.fault({
    match: { path: "okta/.well-known" },
    action: { kind: "answer", status: 503 },
  });
  const browser = world.browser();
  expect((await browser.open(START.okta)).location).toBe("/auth/login?failure=err.federation.failed&okta=1");
  expect(browser.cookies.size).toBe(0);
});

test("a next URL on another site is ignored", async () => {
  const browser = world.browser();
  const next = encodeURIComponent("//evil.example/");
  expect(await browser.signIn(`${START.google}&next=${next}`, { email: freshEmail("x.example") })).toBe("/");
});

test("a cookie that is none of ours is replaced, and the sign-in arrives", async () => {
  const browser = world.browser();
  browser.cookies.set("__Host-holdfast.federation", "guessable");
  expect(await browser.signIn(START.google, { email: freshEmail("gmail.com") })).toBe("/");
  expect(browser.cookies.get("__Host-holdfast.federation")).toMatch(/^[\w-]{43}$/);
});

test("two sign-ins side by side in one browser both arrive", async () => {
  const browser = world.browser();
  const email = freshEmail("meridian.example");
  const one = await browser.comeBack(`${START.enterprise}&next=/one`, { email });
  const two = await browser.comeBack(`${START.enterprise}&next=/two`, { email });
  expect((await browser.open(two.href)).location).toBe("/two");
  expect((await browser.open(one.href)).location).toBe("/one");
});

test("a callback signs in only once, even when repeated concurrently", async () => {
  const browser = world.browser();
  const failed = "/auth/login?failure=err.federation.failed";
  const back = await browser.comeBack(START.enterprise, { email: freshEmail("meridian.example") });
  const ends = await Promise.all([1, 2, 3].map(() => browser.open(back.href)));
  expect(ends.map(({ location }) => location).sort()).toEqual(["/", failed, failed]);
  const { userId } = (await memberOf(browser))!;
  expect((await browser.open(back.href)).location).toBe(failed);
  expect((await memberOf(browser))?.userId).toBe(userId);
  const sessions = env.DB.prepare("select count(*) as n from session where user_id = ?").bind(userId);
  expect(await sessions.first("n")).toBe(1);
});

test("an IP address may start two hundred sign-ins per quarter of an hour", async () => {
  const begin = (address: string) =>
    beginFederation(
      {
        ...buildServices({ ...env, ...world.providers.vars }),
        fetch: async () => new Response(null, { status: 503 }),
      },
      { provider: "google", domain: null, next: null },
      new Headers({ "CF-Connecting-IP": address }),
    ).catch((error: AppError) => error.code);
  for (let i = 0; i < 200; i++) expect(await begin("203.0.113.9")).toBe("err.federation.failed");
  expect(await begin("203.0.113.9")).toBe("err.attempts.limit");
  expect(await begin("203.0.113.10")).toBe("err.federation.failed");
});

test("with a second factor the callback leads to the code, and no session exists yet", async () => {
  const email = freshEmail("meridian.example");
  await world.browser().signIn(START.enterprise, { email });
  await env.DB.prepare(
    "insert into two_factor (user_id, sealed_secret, enabled_at, created_at) select id, 'sealed', 1, 1 from user where email = ?",
  )
    .bind(email)
    .run();
  const browser = world.browser();
  const end = await browser.signIn(`${START.enterprise}&next=/settings/profile`, { email });
  expect(end).toBe("/auth/login?challenge=1&next=%2Fsettings%2Fprofile");
  expect(browser.cookies.get("__Host-holdfast.challenge")).toMatch(/^[\w-]{43}$/);
  expect(browser.cookies.has("__Host-holdfast.session_token")).toBe(false);
});

test("signing in as another person ends the browser's previous session", async () => {
  const browser = world.browser();
  await browser.signIn(START.enterprise, { email: freshEmail("meridian.example") });
  const old = browser.headers();
  await browser.signIn(START.enterprise, { email: freshEmail("meridian.example") });
  expect(await findMember(services(), old)).toBeNull();
  expect(await memberOf(browser)).not.toBeNull();
});

test("an e-mail address that the provider has not verified creates no account", async () => {
  const unverified = freshEmail("gmail.com");
  const foreign = freshEmail("elsewhere.example");
  const end = "/auth/login?failure=err.federation.unverified";
  expect(await world.browser().signIn(START.google, { email: unverified, isVerified: false })).toBe(end);
  expect(await world.browser().signIn(START.enterprise, { email: foreign })).toBe(end);
  expect(await world.browser().signIn(START.okta, { email: foreign })).toBe(`${end}&okta=1`);
  const { results } = await env.DB.prepare("select id from user where email in (?, ?)")
    .bind(unverified, foreign)
    .all();
  expect(results).toEqual([]);
});

/** A person who signed up with a password. */
async function withPassword(email: string, isEmailVerified = true) {
  const { userId } = await createPerson(services(), { email, name: "Ann", familyName: "Lee" });
  await setPassword(services(), { userId, password: 'Blue7$kettle"River' });
  // An earlier release stored people before they confirmed.
  if (!isEmailVerified) {
    await env.DB.prepare("update user set email_verified = 0 where id = ?").bind(userId).run();
  }
  return { userId };
}

test("an existing account is opened only if the provider hosts the mailbox and the address was confirmed here", async () => {
  const joined = "/";
  const refused = "/auth/login?failure=err.federation.email";
  const cases = [
    ["google", "elsewhere.example", {}, true, refused],
    ["google", "workspace.example", { isHosted: true }, true, joined],
    ["google", "gmail.com", {}, true, joined],
    ["google", "gmail.com", {}, false, refused],
    ["enterprise", "meridian.example", {}, true, joined],
    ["enterprise", "meridian.example", {}, false, refused],
    ["okta", "northwind.example", {}, true, joined],
  ] as const;
  for (const [provider, domain, more, isConfirmed, end] of cases) {
    const email = freshEmail(domain);
    const { userId } = await withPassword(email, isConfirmed);
    const browser = world.browser();
    expect([provider, domain, await browser.signIn(START[provider], { email, ...more })]).toEqual([
      provider,
      domain,
      end,
    ]);
    const providersOf = (await accountsOf(email)).map(({ provider_id }) => provider_id);
    expect(providersOf).toEqual(end === joined ? ["credential", provider] : ["credential"]);
    expect((await memberOf(browser))?.userId ?? null).toBe(end === joined ? userId : null);
  }
});

test("an unconfirmed sign-up does not block signing in through a provider", async () => {
  const email = freshEmail("elsewhere.example");
  const password = 'Blue7$kettle"River';
  await signUp(services(), { email, name: "Mallory", familyName: "Lee", password });
  const browser = world.browser();
  expect(await browser.signIn(START.google, { email, name: "Ann Lee" })).toBe("/");
  expect(await memberOf(browser)).toMatchObject({ email, name: "Ann Lee", role: "owner" });
  expect((await accountsOf(email)).map(({ provider_id }) => provider_id)).toEqual(["google"]);
  const attempt = signIn(services(), { email, password, rememberMe: false });
  await expect(attempt).rejects.toMatchObject({ code: "err.credentials.unconfirmed" });
});

test("the owner of an account is notified once when a provider is linked to it", async () => {
  const mailsTo = async (email: string) =>
    (
      await env.DB.prepare("select message, occasion, organisation_id from mail_outbox where recipient = ?")
        .bind(email)
        .all<{ message: string; occasion: string; organisation_id: string }>()
    ).results.filter(({ message }) => message === "identity-linked");
  const email = freshEmail("meridian.example");
  await withPassword(email);
  const browser = world.browser();
  for (let i = 0; i < 2; i++) expect(await browser.signIn(START.enterprise, { email })).toBe("/");
  const link = (await accountsOf(email)).find(({ provider_id }) => provider_id === "enterprise");
  expect(await mailsTo(email)).toEqual([
    {
      message: "identity-linked",
      occasion: `identity-linked:${link?.id}`,
      organisation_id: (await memberOf(browser))?.organisationId,
    },
  ]);
  const newcomer = freshEmail("meridian.example");
  expect(await world.browser().signIn(START.enterprise, { email: newcomer })).toBe("/");
  expect(await mailsTo(newcomer)).toEqual([]);
  const refused = freshEmail("elsewhere.example");
  await withPassword(refused);
  expect(await world.browser().signIn(START.google, { email: refused })).toContain("failure");
  expect(await mailsTo(refused)).toEqual([]);
});

test("a reused e-mail address gives no access to its previous owner's account", async () => {
  const email = freshEmail("meridian.example");
  await world.providers.putPerson("enterprise", { subject: `leaver-${email}`, email });
  await world.providers.putPerson("enterprise", { subject: `newcomer-${email}`, email });
  expect(await world.browser().signIn(START.enterprise, { subject: `leaver-${email}` })).toBe("/");
  const newcomer = world.browser();
  expect(await newcomer.signIn(START.enterprise, { subject: `newcomer-${email}` })).toBe(
    "/auth/login?failure=err.federation.email",
  );
  expect(await memberOf(newcomer)).toBeNull();
});

test("an invited person gets no organisation of their own while the invitation is valid", async () => {
  const email = freshEmail("meridian.example");
  const host = world.browser();
  await host.signIn(START.enterprise, { email: freshEmail("meridian.example") });
  const { organisationId, userId } = (await memberOf(host))!;
  await env.DB.prepare(
    "insert into invitation (id, organisation_id, email, code_hash, platform_roles, invited_by, created_at, expires_at) values (?, ?, ?, 'x', '{}', ?, 1, ?)",
  )
    .bind(`inv_${email}`, organisationId, email, userId, Date.now() + MINUTE_MS)
    .run();
  const end = await world.browser().signIn(START.enterprise, { email });
  expect(end).toBe("/auth/login?failure=err.federation.invited");
  expect(await accountsOf(email)).toEqual([]);
  await env.DB.prepare("update invitation set expires_at = 1 where id = ?").bind(`inv_${email}`).run();
  expect(await world.browser().signIn(START.enterprise, { email })).toBe("/");
});

test("two concurrent first sign-ins create one person with one organisation", async () => {
  const email = freshEmail("meridian.example");
  const browsers = [world.browser(), world.browser(), world.browser()];
  const backs = await Promise.all(browsers.map((browser) => browser.comeBack(START.enterprise, { email })));
  const ends = await Promise.all(browsers.map((browser, i) => browser.open(backs[i]!.href)));
  expect(ends.map(({ location }) => location)).toEqual(["/", "/", "/"]);
  const members = await Promise.all(browsers.map(memberOf));
  expect(new Set(members.map((member) => member?.userId)).size).toBe(1);
  expect(new Set(members.map((member) => member?.organisationId)).size).toBe(1);
  expect(await accountsOf(email)).toHaveLength(1);
});

test("the next sign-in completes a first one that failed before its identity was stored", async () => {
  const email = freshEmail("elsewhere.example");
  const { userId } = await createPerson(services(), { email, name: "Ann", familyName: "" });
  const browser = world.browser();
  expect(await browser.signIn(START.google, { email })).toBe("/");
  expect((await memberOf(browser))?.userId).toBe(userId);
});

test("an identity belongs to the first person it was linked to", async () => {
  const control = controlDatabase(env);
  const [ann, bob] = await Promise.all([
    withPassword(freshEmail("a.example")),
    withPassword(freshEmail("b.example")),
  ]);
  const identity = {
    id: `federated-${ann.userId}`,
    providerId: "google",
    accountId: `x#${ann.userId}`,
    now: 1,
  };
  await insertIdentity(control, { ...identity, userId: ann.userId });
  await insertIdentity(control, { ...identity, userId: bob.userId });
  const { results } = await env.DB.prepare("select user_id from account where id = ?")
    .bind(identity.id)
    .all();
  expect(results).toEqual([{ user_id: ann.userId }]);
});

test("a name that sign-up would reject is replaced by a valid one", async () => {
  const email = freshEmail("gmail.com");
  await world.providers.putPerson("google", {
    subject: `s-${email}`,
    email,
    givenName: "https://evil.example",
    familyName: "x".repeat(80),
  });
  const browser = world.browser();
  await browser.signIn(START.google, { subject: `s-${email}` });
  expect((await memberOf(browser))?.name).toBe(email.split("@")[0]);
});

test("a password session is unaffected by sign-ins in other browsers", async () => {
  const email = freshEmail("meridian.example");
  const { userId } = await withPassword(email);
  const { token } = await createSession(services(), { userId, isRemembered: false });
  await world.browser().signIn(START.enterprise, { email });
  expect(await findMember(services(), new Headers({ Authorization: token }))).not.toBeNull();
});

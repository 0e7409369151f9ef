import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { HostCall, HostLicence } from "#connectors/contract/host-app.ts";
import {
  confirmPassword,
  createSession,
  type Frame,
  findMember,
  forgotPassword,
  readFrame,
  signIn,
  signUp,
} from "#core/accounts/index.ts";
import { ledgerDatabase } from "#core/database/ledgers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import type { CoreSettings } from "#core/services.ts";
import {
  accounts,
  codeOf,
  join,
  newPerson,
  OTHER_PASSWORD,
  PASSWORD,
  sessionOf,
  type TestAccounts,
  withCookies,
  withToken,
} from "#tests/harness/accounts.ts";
import { readMailData } from "#tests/harness/verification-link.ts";
import { endSilentHosts, exchangeCode, issueCode, noteHostCall, noteHostEvent } from "./index.ts";
import { SILENT_MS } from "./limits.ts";

const PLATFORM = "jira";
const SHELL = "https://shell.cdn.host.example";
const ORIGINS = { siteOrigins: ["https://*.host.example"], shellOrigins: [SHELL] };
const SECRET = "v".repeat(43);
const PAID: HostLicence = { isActive: true, isTrial: false, isAdvanced: true, endsAt: null };

const callOf = (siteId: string, more: Partial<HostCall> = {}): HostCall => ({
  siteId,
  siteUrl: "https://meridian.host.example/",
  installationId: "installation-1",
  accountId: "account-1",
  licence: null,
  ...more,
});
/** The sites of these tests have no access by the app, so no connector and no further setting is used. */
const withConnections = (deps: TestAccounts) => ({
  ...deps,
  settings: deps.settings as TestAccounts["settings"] & CoreSettings,
  connectors: new Map(),
  ledger: () => ledgerDatabase(env, "US"),
});
const freshSite = () => `site-${crypto.randomUUID()}`;

async function issue(
  deps: TestAccounts,
  call: HostCall,
  { origin = SHELL, verifier = SECRET }: { origin?: string; verifier?: string } = {},
): Promise<string> {
  const challenge = await sha256Hex(verifier);
  return (await issueCode(deps, { platform: PLATFORM, call, challenge, origin, origins: ORIGINS })).code;
}

const exchange = (
  deps: TestAccounts,
  code: string,
  { origin = SHELL, verifier = SECRET, headers = new Headers() } = {},
) => exchangeCode(deps, { code, verifier, origin }, headers);

/** Opens the frame and returns it with the identity services of its requests. */
async function openFrame(deps: TestAccounts, call: HostCall) {
  const { next, setCookie } = await exchange(deps, await issue(deps, call));
  const headers = withCookies(setCookie);
  const frame = (await readFrame(deps, headers)) as Frame;
  return { next, setCookie, headers, frame, framed: inFrame(deps, frame) };
}

const inFrame = (deps: TestAccounts, FRAME: Frame): TestAccounts => ({
  ...deps,
  settings: { ...deps.settings, FRAME },
});

const subscriptionOf = (organisationId: string) =>
  env.DB.prepare(
    "select plan, quantity, ends_at as endsAt from subscription where organisation_id = ? and platform = ?",
  )
    .bind(organisationId, PLATFORM)
    .first<{ plan: string; quantity: number; endsAt: number | null }>();

test("a person signs in once in the frame; afterwards the host's word opens a session", async () => {
  const deps = accounts();
  const site = freshSite();
  const ann = await join(deps);
  const first = await openFrame(deps, callOf(site));
  expect([first.next, first.setCookie.length]).toEqual(["/auth/login", 1]);
  expect(first.frame).toMatchObject({
    siteId: site,
    accountId: "account-1",
    siteOrigin: "https://meridian.host.example",
    shellOrigin: SHELL,
    isLicensed: false,
  });
  await createSession(first.framed, { userId: ann.member.userId, isRemembered: false });
  const second = await openFrame(deps, callOf(site));
  expect(second.next).toBe("/");
  expect((await findMember(deps, second.headers))?.member.userId).toBe(ann.member.userId);
  // Cookies of a frame are partitioned to the host's pages, also over http on this machine.
  for (const cookie of second.setCookie.filter((each) => !each.includes("Max-Age=0")))
    expect(cookie).toMatch(/HttpOnly; Secure; SameSite=None; Partitioned$/);
});

test("a code is for one use, one frame, one page, one minute", async () => {
  const deps = accounts();
  const call = callOf(freshSite());
  const refused = (code: string, order = {}) => codeOf(exchange(deps, code, order));
  const code = await issue(deps, call);
  expect(await refused(code, { verifier: "w".repeat(43) })).toBe("err.host.code");
  expect(await refused(code, { origin: "https://other.cdn.host.example" })).toBe("err.host.code");
  expect(await refused("x".repeat(43))).toBe("err.host.code");
  await exchange(deps, code);
  expect(await refused(code)).toBe("err.host.code");
  const [one, other] = await Promise.all([issue(deps, call), issue(deps, call)]);
  const twice = await Promise.all([refused(one), refused(one)]);
  expect(twice.sort()).toEqual(["err.host.code", "no error"]);
  deps.clock.at += MINUTE_MS + 1;
  expect(await refused(other)).toBe("err.host.code");
});

test("a code is issued only to a person and to the app's own page, and only its hash is stored", async () => {
  const deps = accounts();
  const call = callOf(freshSite());
  expect(await codeOf(issue(deps, { ...call, accountId: null }))).toBe("err.host.token");
  for (const origin of ["https://evil.example", "https://meridian.host.example", `${SHELL}.evil.example`])
    expect(await codeOf(issue(deps, call, { origin })), origin).toBe("err.host.token");
  const code = await issue(deps, call);
  const rows = await env.DB.prepare("select * from host_code").all();
  expect(JSON.stringify(rows.results)).not.toContain(code);
});

test("another site's person, or another person of the site, is nobody we know", async () => {
  const deps = accounts();
  const site = freshSite();
  const ann = await join(deps);
  const { framed } = await openFrame(deps, callOf(site));
  await createSession(framed, { userId: ann.member.userId, isRemembered: false });
  expect((await openFrame(deps, callOf(freshSite()))).next).toBe("/auth/login");
  expect((await openFrame(deps, callOf(site, { accountId: "account-2" }))).next).toBe("/auth/login");
});

test("a session that the frame carried ends, so that none can be planted", async () => {
  const deps = accounts();
  const ann = await join(deps);
  const planted = await sessionOf(deps, { email: ann.email, password: PASSWORD });
  const carried = withToken(planted.token);
  await exchange(deps, await issue(deps, callOf(freshSite())), { headers: carried });
  expect(await findMember(deps, carried)).toBeNull();
});

test("a forged, changed or old frame is none", async () => {
  const deps = accounts();
  const { headers, frame } = await openFrame(deps, callOf(freshSite()));
  expect(await readFrame(deps, headers)).toEqual(frame);
  const cookie = headers.get("Cookie") ?? "";
  const [, value = "", mac = ""] = /frame=([^.]+)\.([^;]+)/.exec(cookie) ?? [];
  const other = btoa(JSON.stringify({ ...frame, accountId: "account-2" })).replaceAll("=", "");
  for (const forged of [`${other}.${mac}`, `${value}.${"A".repeat(43)}`, value, `${value}.`])
    expect(
      await readFrame(deps, new Headers({ Cookie: cookie.replace(`${value}.${mac}`, forged) })),
    ).toBeNull();
  const elsewhere = accounts({ AUTH_SECRET: "another secret of this length, at least" });
  expect(await readFrame(elsewhere, headers)).toBeNull();
  deps.clock.at += 12 * HOUR_MS;
  expect(await readFrame(deps, headers)).toBeNull();
});

test("[A-031] [A-201] a sign-up in a frame confirms itself and belongs to the host's account", async () => {
  const deps = accounts();
  const call = callOf(freshSite());
  const { framed } = await openFrame(deps, call);
  const person = newPerson();
  expect(await signUp(framed, { ...person, isAutoConfirmed: true })).toMatchObject({ isConfirmed: true });
  const row = await env.DB.prepare("select is_auto_confirmed as isAutoConfirmed from user where email = ?")
    .bind(person.email)
    .first();
  expect(row).toEqual({ isAutoConfirmed: 1 });
  await signIn(framed, { email: person.email, password: PASSWORD, rememberMe: false });
  expect((await openFrame(deps, call)).next).toBe("/");
  // Outside of a frame nobody confirms themselves.
  expect(await signUp(deps, { ...newPerson(), isAutoConfirmed: true })).toMatchObject({ isConfirmed: false });
});

test("whoever receives an address's mail takes the account from whoever signed up with it in a frame", async () => {
  const deps = accounts();
  const call = callOf(freshSite());
  const { framed } = await openFrame(deps, call);
  const person = newPerson();
  await signUp(framed, { ...person, isAutoConfirmed: true });
  await signIn(framed, { email: person.email, password: PASSWORD, rememberMe: false });
  await forgotPassword(deps, person.email);
  await deps.runJobs();
  const { code } = await readMailData(person.email, "recovery-code");
  await confirmPassword(deps, { email: person.email, code: String(code), newPassword: OTHER_PASSWORD });
  expect((await openFrame(deps, call)).next).toBe("/auth/login");
});

test("a second factor is asked for in the frame too", async () => {
  const deps = accounts();
  const call = callOf(freshSite());
  const ann = await join(deps);
  const { framed } = await openFrame(deps, call);
  await createSession(framed, { userId: ann.member.userId, isRemembered: false });
  await env.DB.prepare(
    "insert into two_factor (user_id, sealed_secret, last_used_step, enabled_at, created_at) values (?, 'x', 0, 1, 1)",
  )
    .bind(ann.member.userId)
    .run();
  const { next, headers } = await openFrame(deps, call);
  expect(next).toBe("/auth/login?challenge=1");
  expect(await findMember(deps, headers)).toBeNull();
});

test("an installation that fell silent is over: its sessions end and its codes open nothing, until it calls again", async () => {
  const deps = accounts();
  const call = callOf(freshSite());
  const ann = await join(deps);
  const { framed } = await openFrame(deps, call);
  const { token, session } = await createSession(framed, { userId: ann.member.userId, isRemembered: false });
  const own = await sessionOf(deps, { email: ann.email, password: PASSWORD });
  deps.clock.at += SILENT_MS - 5 * MINUTE_MS;
  // Sessions end after ten idle minutes; these are kept alive to see which one the silence ends.
  await env.DB.prepare("update session set updated_at = ?, expires_at = ?")
    .bind(deps.clock.at, deps.clock.at + DAY_MS)
    .run();
  await endSilentHosts(withConnections(deps));
  expect(await findMember(deps, withToken(token))).not.toBeNull();
  const code = await issue(deps, { ...call, siteId: call.siteId });
  deps.clock.at += SILENT_MS + 1;
  await env.DB.prepare("update session set updated_at = ?, expires_at = ?")
    .bind(deps.clock.at, deps.clock.at + DAY_MS)
    .run();
  await env.DB.prepare("update host_code set expires_at = ?")
    .bind(deps.clock.at + MINUTE_MS)
    .run();
  await endSilentHosts(withConnections(deps));
  expect(await findMember(deps, withToken(token))).toBeNull();
  expect(await findMember(deps, withToken(own.token))).not.toBeNull();
  expect(deps.disconnected).toContainEqual({ sessionId: session.id });
  expect(await codeOf(exchange(deps, code))).toBe("err.host.code");
  await createSession(framed, { userId: (await join(deps)).member.userId, isRemembered: false });
  await noteHostCall(deps, PLATFORM, { ...call, installationId: "installation-2" });
  // The sign-in while it was silent linked nobody.
  const back = await openFrame(deps, call);
  expect((await findMember(deps, back.headers))?.member.userId).toBe(ann.member.userId);
});

test("the licence is the organisation's plan from the first sign-in on, until it is not active", async () => {
  const deps = accounts();
  const now = deps.clock.at;
  const call = callOf(freshSite(), { licence: PAID });
  const ann = await join(deps);
  const { organisationId } = ann.member;
  const { framed, frame } = await openFrame(deps, call);
  expect(frame.isLicensed).toBe(true);
  expect(await subscriptionOf(organisationId)).toBeNull();
  await createSession(framed, { userId: ann.member.userId, isRemembered: false });
  expect(await subscriptionOf(organisationId)).toEqual({ plan: "pro", quantity: 2_002, endsAt: null });
  const told = (licence: HostLicence | null) => noteHostCall(deps, PLATFORM, { ...call, licence });
  await told({ ...PAID, isAdvanced: false });
  expect(await subscriptionOf(organisationId)).toMatchObject({ plan: "essential", endsAt: null });
  await told({ ...PAID, isTrial: true, endsAt: now + 30 * DAY_MS });
  expect(await subscriptionOf(organisationId)).toMatchObject({ plan: "trial", endsAt: now + 30 * DAY_MS });
  await told(null);
  expect(await subscriptionOf(organisationId)).toMatchObject({ plan: "trial", endsAt: now + 30 * DAY_MS });
  deps.clock.at += HOUR_MS;
  await told({ ...PAID, isActive: false });
  expect(await subscriptionOf(organisationId)).toMatchObject({ plan: "trial", endsAt: now + HOUR_MS });
  expect((await openFrame(deps, { ...call, licence: null })).frame.isLicensed).toBe(false);
  deps.clock.at += HOUR_MS;
  await told({ ...PAID, isActive: false });
  // The days of grace count from the first time.
  expect(await subscriptionOf(organisationId)).toMatchObject({ endsAt: now + HOUR_MS });
  await told(PAID);
  expect(await subscriptionOf(organisationId)).toMatchObject({ plan: "pro", endsAt: null });
});

test("with a silent installation its licence ends, when what was paid is used up", async () => {
  const deps = accounts();
  const now = deps.clock.at;
  const ends = await Promise.all(
    [null, now + 30 * DAY_MS].map(async (endsAt) => {
      const call = callOf(freshSite(), { licence: { ...PAID, endsAt } });
      const ann = await join(deps);
      const { framed } = await openFrame(deps, call);
      await createSession(framed, { userId: ann.member.userId, isRemembered: false });
      return async () => (await subscriptionOf(ann.member.organisationId))?.endsAt;
    }),
  );
  deps.clock.at += SILENT_MS + 1;
  await endSilentHosts(withConnections(deps));
  expect(await Promise.all(ends.map((end) => end()))).toEqual([deps.clock.at, now + 30 * DAY_MS]);
});

test("a licence neither replaces a plan that was bought from us or agreed on nor ends a trial of ours", async () => {
  const deps = accounts();
  const now = deps.clock.at;
  const call = callOf(freshSite(), { licence: PAID });
  const ann = await join(deps);
  const { organisationId } = ann.member;
  await env.DB.prepare(
    `insert into subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at)
     values (?, ?, ?, 'essential', 7, 1, null)`,
  )
    .bind(`sub_${crypto.randomUUID()}`, organisationId, PLATFORM)
    .run();
  const ours = (endsAt: number | null) => ({ plan: "essential", quantity: 7, endsAt });
  const { framed } = await openFrame(deps, call);
  await createSession(framed, { userId: ann.member.userId, isRemembered: false });
  const told = (licence: HostLicence) => noteHostCall(deps, PLATFORM, { ...call, licence });
  await told(PAID);
  expect(await subscriptionOf(organisationId)).toEqual(ours(null));
  await env.DB.prepare("update subscription set ends_at = ? where organisation_id = ?")
    .bind(now + 90 * DAY_MS, organisationId)
    .run();
  const id = `sub-${crypto.randomUUID()}`;
  await env.DB.prepare(
    `insert into stripe_subscription (id, organisation_id, platform, item_id, price_key, plan, period, quantity,
       bought_quantity, status, period_start, period_end, is_cancelled_by_date, collection_method, attempts, created)
     values (?, ?, ?, 'si', 'p', 'essential', 'year', 7, 7, 'active', 1, 2, 0, 'charge', 0, 1)`,
  )
    .bind(id, organisationId, PLATFORM)
    .run();
  await told(PAID);
  expect(await subscriptionOf(organisationId)).toEqual(ours(now + 90 * DAY_MS));
  await env.DB.prepare("update stripe_subscription set status = 'canceled' where id = ?").bind(id).run();
  await told({ ...PAID, isActive: false });
  expect(await subscriptionOf(organisationId)).toEqual(ours(now + 90 * DAY_MS));
  await told(PAID);
  expect(await subscriptionOf(organisationId)).toMatchObject({ plan: "pro", endsAt: null });
});

test("a site's licence stays with the organisation that signed in first", async () => {
  const deps = accounts();
  const call = callOf(freshSite(), { licence: PAID });
  const [ann, bob] = await Promise.all([join(deps), join(deps)]);
  const { framed } = await openFrame(deps, call);
  await createSession(framed, { userId: ann.member.userId, isRemembered: false });
  const other = await openFrame(deps, { ...call, accountId: "account-2" });
  await createSession(other.framed, { userId: bob.member.userId, isRemembered: false });
  expect(await subscriptionOf(ann.member.organisationId)).not.toBeNull();
  expect(await subscriptionOf(bob.member.organisationId)).toBeNull();
  expect((await openFrame(deps, { ...call, accountId: "account-2" })).next).toBe("/");
});

test("a deletion hastens the item of this site alone, and only in the second half of its period", async () => {
  const deps = withConnections(accounts());
  const site = freshSite();
  const now = deps.clock.at;
  const ann = await join(deps);
  const { organisationId, userId } = ann.member;
  const { framed } = await openFrame(deps, callOf(site));
  await createSession(framed, { userId, isRemembered: false });
  const connections = await Promise.all(
    [site, freshSite()].map(async (externalId) => {
      const id = `con_${crypto.randomUUID()}`;
      await env.DB.prepare(
        `insert into connection (id, organisation_id, platform, region, external_id, name, account_type, status, details,
           created_at) values (?, ?, ?, 'US', ?, 'Meridian', 'site', 'active', '{}', 1)`,
      )
        .bind(id, organisationId, PLATFORM, externalId)
        .run();
      return id;
    }),
  );
  const item = async (connectionId: string | undefined, externalId: string, dueAt: number) => {
    const id = `itm_u${crypto.randomUUID()}`;
    await env.LEDGER_US.prepare(
      `insert into item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded,
         visibility, details, status, is_daily, created_at)
       values (?1, ?2, ?3, ?4, 'project', ?5, 'P', 'P', 'p', '', '{}', 'backuped', 1, 1)`,
    )
      .bind(id, organisationId, connectionId, PLATFORM, externalId)
      .run();
    await env.LEDGER_US.prepare(
      `insert into schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
       values (?, ?, ?, ?, ?, ?)`,
    )
      .bind(id, dueAt, DAY_MS, organisationId, connectionId, PLATFORM)
      .run();
    return () =>
      env.LEDGER_US.prepare("select due_at from schedule where item_id = ?").bind(id).first<number>("due_at");
  };
  const [here, elsewhere] = connections;
  const dueAt = {
    late: await item(here, "1", now + 11 * HOUR_MS),
    early: await item(here, "2", now + 13 * HOUR_MS),
    sibling: await item(here, "3", now + 11 * HOUR_MS),
    elsewhere: await item(elsewhere, "1", now + 11 * HOUR_MS),
  };
  for (const itemExternalId of ["1", "2", "unknown"])
    await noteHostEvent(deps, PLATFORM, {
      call: callOf(site, { accountId: null }),
      event: { kind: "changed", itemExternalId },
    });
  expect(await dueAt.late()).toBe(now);
  expect(await dueAt.early()).toBe(now + 13 * HOUR_MS);
  expect(await dueAt.sibling()).toBe(now + 11 * HOUR_MS);
  expect(await dueAt.elsewhere()).toBe(now + 11 * HOUR_MS);
});

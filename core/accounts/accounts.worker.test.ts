import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { getOrganisationKey } from "#core/organisations/index.ts";
import {
  accounts,
  join,
  newPerson,
  PASSWORD,
  sessionOf,
  type TestAccounts,
  withToken,
} from "#tests/harness/accounts.ts";
import {
  endSessions,
  findMember,
  pruneSessions,
  rotateSession,
  signOut,
  signUp,
  updateNames,
} from "./index.ts";

test("the database stores neither session tokens nor passwords", async () => {
  const deps = accounts();
  const { token } = await join(deps);
  const sessions = await env.DB.prepare("select * from session").all();
  const credentials = await env.DB.prepare("select * from account").all();
  expect(sessions.results.length).toBeGreaterThan(0);
  expect(JSON.stringify(sessions.results)).not.toContain(token);
  expect(JSON.stringify(credentials.results)).not.toContain(PASSWORD);
});

test("a session token has 256 random bits", async () => {
  const deps = accounts();
  const person = newPerson();
  const first = await join(deps, person);
  const tokens = [first.token, (await sessionOf(deps, person)).token, (await sessionOf(deps, person)).token];
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(new Set(tokens).size).toBe(3);
});

test("the session cookie is HttpOnly, Lax and on https Secure, and opens the same session as the header", async () => {
  const deps = accounts();
  const { setCookie, member, token } = await join(deps);
  const cookie = setCookie.find((each) => each.includes("session_token"))!;
  expect(cookie).toMatch(/^__Host-holdfast\.session_token=/);
  expect(cookie).toMatch(/HttpOnly/i);
  expect(cookie).toMatch(/SameSite=Lax/i);
  expect(cookie).toMatch(/;\s*Secure/i);
  // Without "remember me" it ends with the browser.
  expect(cookie).not.toMatch(/Max-Age|Expires/i);
  const headers = new Headers({ Cookie: `theme=dark; ${cookie.split(";")[0]}` });
  expect((await findMember(deps, headers))?.member).toEqual(member);
  expect((await findMember(deps, new Headers({ Authorization: token })))?.member).toEqual(member);
  const plain = await join(accounts({ PUBLIC_URL: "http://127.0.0.1:8788" }));
  expect(plain.setCookie.join()).not.toMatch(/;\s*Secure/i);
});

test("a session ends after ten idle minutes and is extended by use", async () => {
  const deps = accounts();
  const { token } = await join(deps);
  for (let i = 0; i < 5; i++) {
    deps.clock.at += 9 * MINUTE_MS;
    expect(await findMember(deps, withToken(token))).not.toBeNull();
  }
  deps.clock.at += 10 * MINUTE_MS + 1;
  expect(await findMember(deps, withToken(token))).toBeNull();
  deps.clock.at -= 10 * MINUTE_MS;
  expect(await findMember(deps, withToken(token))).toBeNull();
});

test("an active session ends after twelve hours, or thirty days if remembered", async () => {
  const deps = accounts();
  const person = newPerson();
  const { token } = await join(deps, person);
  const remembered = await sessionOf(deps, person, { rememberMe: true });
  expect(remembered.setCookie[0]).toContain("Max-Age=2592000");
  const later = async (byMs: number) => {
    deps.clock.at += byMs;
    // Simulates continuous use.
    await env.DB.prepare("update session set updated_at = ?").bind(deps.clock.at).run();
  };
  await later(12 * HOUR_MS - 1);
  expect(await findMember(deps, withToken(token))).not.toBeNull();
  await later(1);
  expect(await findMember(deps, withToken(token))).toBeNull();
  await later(29 * 24 * HOUR_MS);
  expect(await findMember(deps, withToken(remembered.token))).not.toBeNull();
  await later(24 * HOUR_MS);
  expect(await findMember(deps, withToken(remembered.token))).toBeNull();
});

test("rotating a session issues a new token, keeps its end and revokes the old one", async () => {
  const deps = accounts();
  const person = newPerson();
  const { token, session, member } = await join(deps, person);
  const other = await sessionOf(deps, person);
  deps.clock.at += 5 * MINUTE_MS;
  const { userId } = member;
  const fresh = await rotateSession(deps, { userId, sessionId: session.id });
  expect(fresh.token).not.toBe(token);
  expect(fresh.setCookie[0]).not.toContain("Max-Age");
  expect(fresh.session.expiresAt).toBe(session.expiresAt);
  expect(await findMember(deps, withToken(token))).toBeNull();
  expect(await findMember(deps, withToken(other.token))).toBeNull();
  expect((await findMember(deps, withToken(fresh.token)))?.member).toEqual(member);
  const ended = [{ sessionId: session.id }, { sessionId: other.session.id }];
  expect(deps.disconnected).toHaveLength(2);
  expect(deps.disconnected).toEqual(expect.arrayContaining(ended));
  await endSessions(deps, { userId });
  expect(deps.disconnected.at(-1)).toEqual({ userId });
  expect(await findMember(deps, withToken(fresh.token))).toBeNull();
});

test("signing in ends the browser's previous session", async () => {
  const deps = accounts();
  const person = newPerson();
  const first = await join(deps, person);
  const second = await sessionOf(deps, person, { headers: withToken(first.token) });
  expect(await findMember(deps, withToken(first.token))).toBeNull();
  expect(await findMember(deps, withToken(second.token))).not.toBeNull();
  expect(deps.disconnected).toEqual([{ sessionId: first.session.id }]);
});

test("[A-237] [A-374] signing out ends the session on the server, closes its sockets and clears the cookie", async () => {
  const deps = accounts();
  const { token, session } = await join(deps);
  const { setCookie } = await signOut(deps, withToken(token));
  expect(setCookie[0]).toMatch(/session_token=; Max-Age=0/);
  expect(deps.disconnected).toEqual([{ sessionId: session.id }]);
  expect(await findMember(deps, withToken(token))).toBeNull();
});

test("signing in and signing out are each audited once", async () => {
  const deps = accounts();
  const { token, member } = await join(deps);
  await signOut(deps, withToken(token));
  await signOut(deps, withToken(token));
  const { results } = await env.DB.prepare(
    "select action, user_name from audit_entry where organisation_id = ? order by created_at, rowid",
  )
    .bind(member.organisationId)
    .all();
  expect(results).toEqual([
    { action: "login", user_name: "Ann Example" },
    { action: "logout", user_name: "Ann Example" },
  ]);
});

test("a change of names is in the audit trail, whichever changes, and the same names again are none", async () => {
  const deps = accounts();
  const { member, token } = await join(deps);
  const names = [
    { name: "Ann", familyName: "Example" },
    { name: "Anna", familyName: "Example" },
    { name: "Anna", familyName: "Sample" },
    { name: "Anna", familyName: "Sample" },
  ];
  for (const each of names) await updateNames(deps, member, each);
  expect((await findMember(deps, withToken(token)))?.member.name).toBe("Anna Sample");
  const { results } = await env.DB.prepare(
    "select subject from audit_entry where organisation_id = ? and action = 'change-profile' order by rowid",
  )
    .bind(member.organisationId)
    .all();
  expect(results).toEqual([{ subject: "Anna Example" }, { subject: "Anna Sample" }]);
});

test("a sign-up that broke before its organisation is mended by the first sign-in", async () => {
  const deps = accounts();
  const person = newPerson();
  const { member } = await join(deps, person);
  await env.DB.batch([
    env.DB.prepare("delete from member where user_id = ?").bind(member.userId),
    env.DB.prepare("delete from organisation where owner_user_id = ?").bind(member.userId),
  ]);
  const again = await sessionOf(deps, person);
  expect(again.member.organisationId).not.toBe(member.organisationId);
  expect((await getOrganisationKey(deps, again.member.organisationId)).bytes).toHaveLength(32);
});

test("a malformed token matches no session, throws no error and is not looked up", async () => {
  const control = new Proxy({} as TestAccounts["control"], {
    get: () => {
      throw new Error("it was looked up");
    },
  });
  const deps = { ...accounts(), control };
  for (const text of ["", "Bearer", "Bearer ", "Basic YTpi", "x".repeat(5000), "' or 1=1 --", "%00", "ü"]) {
    const headers = new Headers();
    try {
      headers.set("Authorization", text);
    } catch {
      continue;
    }
    expect(await findMember(deps, headers)).toBeNull();
  }
});

test("pruning removes expired rows and keeps the others", async () => {
  const deps = accounts();
  const { token, member } = await join(deps);
  const tables = {
    session: "expires_at",
    verification: "expires_at",
    sign_in_challenge: "expires_at",
    password_reset: "expires_at",
    used_link: "expires_at",
    federation_attempt: "expires_at",
    sign_up: "expires_at",
  };
  const soon = deps.clock.at + MINUTE_MS;
  await env.DB.batch([
    env.DB.prepare("insert into sign_in_challenge values ('c1', ?, 0, 0, ?)").bind(member.userId, soon),
    env.DB.prepare("insert into password_reset values (?, 'h', 0, ?)").bind(member.userId, soon),
    env.DB.prepare("insert into federation_attempt values ('s1', 'google', 'b', 'd', ?, null)").bind(soon),
    env.DB.prepare("insert into used_link values ('l1', 'unsubscribe', 0, ?)").bind(soon),
  ]);
  await signUp(deps, newPerson());
  await pruneSessions(deps);
  expect(await findMember(deps, withToken(token))).not.toBeNull();
  for (const table of Object.keys(tables)) {
    const count = await env.DB.prepare(`select count(*) as n from ${table}`).first<number>("n");
    expect([table, (count ?? 0) > 0]).toEqual([table, true]);
  }
  deps.clock.at += 7 * 24 * HOUR_MS;
  await pruneSessions(deps);
  for (const [table, column] of Object.entries(tables)) {
    const old = env.DB.prepare(`select count(*) as n from ${table} where ${column} <= ?`).bind(deps.clock.at);
    expect([table, await old.first("n")]).toEqual([table, 0]);
  }
});

import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { controlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { getOrganisationKey, listMembers } from "#core/organisations/index.ts";
import { findMember, pruneSessions, signIn, signOut, signUp } from "./index.ts";

const PASSWORD = 'Blue7$kettle"River';

function accounts(publicUrl = "https://app.example.test") {
  const clock = { at: Date.UTC(2026, 10, 3, 9), now: () => clock.at };
  const settings = {
    PUBLIC_URL: publicUrl,
    AUTH_SECRET: env.AUTH_SECRET,
    MASTER_KEYS: env.MASTER_KEYS,
    SESSION_TIMEOFF: "off" as "on" | "off",
  };
  const disconnected: unknown[] = [];
  const live = {
    publish: async () => {},
    disconnect: async (_organisationId: string, whose: unknown) => {
      disconnected.push(whose);
    },
  };
  return { control: controlDatabase(env), clock, ids: randomIds, settings, live, disconnected };
}

let people = 0;
const newPerson = () => ({
  name: "Ann Example",
  email: `ann${++people}-${crypto.randomUUID().slice(0, 8)}@example.com`,
  password: PASSWORD,
});
const withToken = (token: string) => new Headers({ Authorization: `Bearer ${token}` });
const codeOf = async (attempt: Promise<unknown>) =>
  attempt.then(
    () => "no error",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

test("signing up makes a person, their organisation with a vault key of its own, and a session", async () => {
  const deps = accounts();
  const ann = await signUp(deps, newPerson());
  const bob = await signUp(deps, newPerson());
  expect(ann.member).toMatchObject({
    role: "owner",
    name: "Ann Example",
    timeZone: "UTC",
    platformRoles: {},
  });
  expect(ann.member.organisationId).toMatch(/^org_/);
  expect(bob.member.organisationId).not.toBe(ann.member.organisationId);
  const keyOfAnn = await getOrganisationKey(deps, ann.member.organisationId);
  const keyOfBob = await getOrganisationKey(deps, bob.member.organisationId);
  expect(keyOfAnn.bytes).toHaveLength(32);
  expect(keyOfAnn.bytes).not.toEqual(keyOfBob.bytes);
  expect(await listMembers(deps, ann.member.organisationId)).toEqual([ann.member]);
  expect((await findMember(deps, withToken(ann.token)))?.member).toEqual(ann.member);
});

test("the database holds neither a session token nor a password", async () => {
  const deps = accounts();
  const { token } = await signUp(deps, newPerson());
  const sessions = await env.DB.prepare("select * from session").all();
  const credentials = await env.DB.prepare("select * from account").all();
  expect(sessions.results.length).toBeGreaterThan(0);
  expect(JSON.stringify(sessions.results)).not.toContain(token);
  expect(JSON.stringify(credentials.results)).not.toContain(PASSWORD);
});

test("the session cookie is HttpOnly, Lax and on https Secure, and opens the same session as the header", async () => {
  const deps = accounts();
  const { setCookie, member, token } = await signUp(deps, newPerson());
  const cookie = setCookie.find((each) => each.includes("session_token"))!;
  expect(cookie).toMatch(/^__Secure-holdfast\.session_token=/);
  expect(cookie).toMatch(/HttpOnly/i);
  expect(cookie).toMatch(/SameSite=Lax/i);
  expect(cookie).toMatch(/;\s*Secure/i);
  const headers = new Headers({ Cookie: `theme=dark; ${cookie.split(";")[0]}` });
  expect((await findMember(deps, headers))?.member).toEqual(member);
  expect((await findMember(deps, new Headers({ Authorization: token })))?.member).toEqual(member);
  const plain = await signUp(accounts("http://127.0.0.1:8788"), newPerson());
  expect(plain.setCookie.join()).not.toMatch(/;\s*Secure/i);
});

test("a session ends after ten idle minutes and lives on while it is used", async () => {
  const deps = accounts();
  const { token } = await signUp(deps, newPerson());
  for (let i = 0; i < 5; i++) {
    deps.clock.at += 9 * MINUTE_MS;
    expect(await findMember(deps, withToken(token))).not.toBeNull();
  }
  deps.clock.at += 10 * MINUTE_MS + 1;
  expect(await findMember(deps, withToken(token))).toBeNull();
  deps.clock.at -= 10 * MINUTE_MS;
  expect(await findMember(deps, withToken(token))).toBeNull();
});

test("with SESSION_TIMEOFF idle sessions stay, until twelve hours or, remembered, thirty days are over", async () => {
  const deps = accounts();
  deps.settings.SESSION_TIMEOFF = "on";
  const person = newPerson();
  const { token } = await signUp(deps, person);
  const remembered = await signIn(deps, { ...person, rememberMe: true });
  expect(remembered.setCookie.join()).toContain("Max-Age=2592000");
  deps.clock.at += 11 * HOUR_MS;
  expect(await findMember(deps, withToken(token))).not.toBeNull();
  deps.clock.at += HOUR_MS;
  expect(await findMember(deps, withToken(token))).toBeNull();
  deps.clock.at += 28 * 24 * HOUR_MS;
  expect(await findMember(deps, withToken(remembered.token))).not.toBeNull();
  deps.clock.at += 2 * 24 * HOUR_MS;
  expect(await findMember(deps, withToken(remembered.token))).toBeNull();
});

test("signing out ends the session on the server, closes its sockets and clears the cookie", async () => {
  const deps = accounts();
  const { token, session } = await signUp(deps, newPerson());
  const { setCookie } = await signOut(deps, withToken(token));
  expect(setCookie[0]).toMatch(/session_token=; Max-Age=0/);
  expect(deps.disconnected).toEqual([{ sessionId: session.id }]);
  expect(await findMember(deps, withToken(token))).toBeNull();
});

test("a wrong password and an unknown address are answered alike", async () => {
  const deps = accounts();
  const person = newPerson();
  await signUp(deps, person);
  const wrong = await codeOf(
    signIn(deps, { email: person.email, password: "Wrong7$kettle", rememberMe: false }),
  );
  const unknown = await codeOf(
    signIn(deps, { email: newPerson().email, password: PASSWORD, rememberMe: false }),
  );
  expect(wrong).toBe("err.credentials.wrong");
  expect(unknown).toBe(wrong);
});

test("an address that is taken cannot sign up again", async () => {
  const deps = accounts();
  const person = newPerson();
  await signUp(deps, person);
  expect(await codeOf(signUp(deps, person))).toBe("err.email.taken");
});

test("the eleventh password within fifteen minutes is not checked, even when it is right", async () => {
  const deps = accounts();
  const person = newPerson();
  await signUp(deps, person);
  const attempt = (password: string) =>
    codeOf(signIn(deps, { email: person.email, password, rememberMe: false }));
  for (let i = 0; i < 10; i++) expect(await attempt("Wrong7$kettle")).toBe("err.credentials.wrong");
  expect(await attempt(PASSWORD)).toBe("err.credentials.limit");
  deps.clock.at += 15 * MINUTE_MS;
  expect(await attempt(PASSWORD)).toBe("no error");
});

test("a sign-up that broke before its organisation is mended by the first sign-in", async () => {
  const deps = accounts();
  const person = newPerson();
  const { member } = await signUp(deps, person);
  await env.DB.batch([
    env.DB.prepare("delete from member where user_id = ?").bind(member.userId),
    env.DB.prepare("delete from organisation where owner_user_id = ?").bind(member.userId),
  ]);
  const again = await signIn(deps, { ...person, rememberMe: false });
  expect(again.member.organisationId).not.toBe(member.organisationId);
  expect((await getOrganisationKey(deps, again.member.organisationId)).bytes).toHaveLength(32);
});

test("tokens of any other form are nobody's, without an error", async () => {
  const deps = accounts();
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

test("pruning removes ended sessions and keeps the living", async () => {
  const deps = accounts();
  const { token } = await signUp(deps, newPerson());
  await pruneSessions(deps);
  expect(await findMember(deps, withToken(token))).not.toBeNull();
  deps.clock.at += 12 * HOUR_MS;
  await pruneSessions(deps);
  const { results } = await env.DB.prepare("select id from session where expires_at <= ?")
    .bind(deps.clock.at)
    .all();
  expect(results).toEqual([]);
});

test("a password is hashed by the runtime's native scrypt, as the library's slow one would exhaust the CPU", async () => {
  const { hashPassword } = await import("better-auth/crypto");
  expect(await hashPassword(PASSWORD)).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  expect(hashPassword.toString()).not.toContain("noble");
});

import { env } from "cloudflare:workers";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { livePublisher } from "#durable-objects/stubs.ts";
import { PLATFORM } from "#tests/harness/flow-world.ts";
import { type LiveListener, listenTo } from "#tests/harness/live-listener.ts";
import {
  askToSignIn,
  enableTwoFactorForReal,
  freshPassword,
  post,
  type RealPerson,
  resultOf,
  signInForReal,
  signUpForReal,
  succeed,
} from "./real-person.ts";
import { httpBindings, ORIGIN, openSecurityWorld, type SecurityWorld, sendTo } from "./security-world.ts";

let world: SecurityWorld;
let person: RealPerson;
beforeAll(async () => {
  world = await openSecurityWorld();
  person = await signUpForReal(world);
});
afterAll(() => world.close());

const whoAmI = async (token: string) =>
  (
    await world.send({
      method: "GET",
      path: "/api/user/get-user-start-info",
      headers: { Authorization: token },
    })
  ).status;
const sessionRow = async (token: string) =>
  env.DB.prepare("SELECT * FROM session WHERE token = ?")
    .bind(await sha256Hex(token))
    .first();

test("a token has 256 random bits and the database has only its hash", async () => {
  const tokens: string[] = [];
  for (let i = 0; i < 3; i++) tokens.push((await signInForReal(world, person)).token);
  expect(new Set(tokens).size).toBe(3);
  for (const token of tokens) {
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await sessionRow(token)).not.toBeNull();
  }
  const { results } = await env.DB.prepare("SELECT * FROM session").all();
  for (const token of tokens) expect(JSON.stringify(results)).not.toContain(token);
  // The stored tokens do not work as session tokens.
  for (const row of results) expect(await whoAmI(String(row.token))).toBe(423);
});

test("the browser's cookie is inaccessible to scripts, other sites, sibling domains and plain http", async () => {
  const { cookies } = await signInInBrowser(person);
  const cookie = cookies.find((each) => each.includes("session_token"))!;
  for (const each of cookies) expect(each).toMatch(/^__Host-holdfast\./);
  for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"])
    expect(cookie).toContain(attribute);
  expect(cookie).not.toMatch(/Domain=/i);
  const sent = { Cookie: cookie.split(";")[0]! };
  const ask = (headers: Record<string, string>) =>
    world.send({ method: "POST", path: "/api/user/user-action", body: { action: "login" }, headers });
  expect((await ask({ ...sent, Origin: ORIGIN })).status).toBe(200);
  const foreign: Record<string, string>[] = [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Mode": "navigate", Origin: ORIGIN },
    {},
  ];
  for (const headers of foreign) {
    const answer = await ask({ ...sent, ...headers });
    expect([headers, answer.json?.code]).toEqual([headers, "err.request.origin"]);
  }
});

test("[A-363] a browser's response contains neither token nor challenge; that of a token client sets no cookie", async () => {
  const other = await signUpForReal(world);
  const { answer, cookies } = await signInInBrowser(other);
  const tokenIn = (lines: readonly string[]) =>
    /session_token=([\w-]{43})/.exec(lines.find((each) => each.includes("session_token=")) ?? "")?.[1];
  const first = tokenIn(cookies)!;
  expect(answer.text).not.toContain(first);
  const headers = { Cookie: cookies[0]!.split(";")[0]!, Origin: ORIGIN };
  const change = { oldPassword: other.password, newPassword: await freshPassword() };
  const changed = await succeed(post(world, "/api/user/change-user-password", change, headers));
  const second = tokenIn(changed.headers.getSetCookie())!;
  expect(second).not.toBe(first);
  expect(changed.json?.result).toEqual({});
  other.password = change.newPassword;

  const asked = await askToSignIn(world, other);
  expect(asked.headers.getSetCookie()).toEqual([]);
  await enableTwoFactorForReal(world, resultOf<{ token: string }>(asked).token);
  const challenged = await signInInBrowser(other);
  expect(challenged.answer.json?.result).toEqual({ kind: "two_factor", expires_at: expect.any(Number) });
  const challenge = /challenge=([\w-]{43})/.exec(challenged.cookies[0]!)![1]!;
  expect(await whoAmI(challenge)).toBe(423);
});

/** Signs in as a browser does. */
async function signInInBrowser({ email, password }: RealPerson) {
  const answer = await succeed(post(world, "/identity/sign-in", { email, password }));
  return { answer, cookies: answer.headers.getSetCookie() };
}

test("a session ends after ten idle minutes, at its absolute end, and permanently", async () => {
  for (const [column, at] of [
    ["updated_at", Date.now() - 10 * MINUTE_MS - 1],
    ["expires_at", Date.now() - 1],
  ] as const) {
    const { token } = await signInForReal(world, person);
    expect(await whoAmI(token)).toBe(200);
    await env.DB.prepare(`UPDATE session SET ${column} = ? WHERE token = ?`)
      .bind(at, await sha256Hex(token))
      .run();
    expect([column, await whoAmI(token)]).toEqual([column, 423]);
    expect([column, await sessionRow(token)]).toEqual([column, null]);
  }
});

test("signing in again ends the browser's previous session", async () => {
  const first = await signInForReal(world, person);
  const second = await signInForReal(world, person, { Authorization: first.token });
  expect(second.token).not.toBe(first.token);
  expect([await whoAmI(first.token), await whoAmI(second.token)]).toEqual([423, 200]);
});

test("changing the password rotates the session and ends every other one", async () => {
  const here = await signInForReal(world, person);
  const there = await signInForReal(world, person);
  const newPassword = await freshPassword();
  const answer = await succeed(
    post(
      world,
      "/api/user/change-user-password",
      { oldPassword: person.password, newPassword },
      { Authorization: here.token },
    ),
  );
  person.password = newPassword;
  const { token } = resultOf<{ token: string }>(answer);
  expect([await whoAmI(here.token), await whoAmI(there.token), await whoAmI(token)]).toEqual([423, 423, 200]);
});

test("turning on the second factor rotates the session and ends every other one", async () => {
  const other = await signUpForReal(world);
  const here = await signInForReal(world, other);
  const there = await signInForReal(world, other);
  const { token, recoveryCodes } = await enableTwoFactorForReal(world, here.token);
  expect([await whoAmI(here.token), await whoAmI(there.token), await whoAmI(token)]).toEqual([423, 423, 200]);
  // The password alone no longer opens a session. A recovery code works once.
  const challenged = await askToSignIn(world, other);
  const { kind, challenge } = resultOf<{ kind: string; challenge: string }>(challenged);
  expect(kind).toBe("two_factor");
  expect(await whoAmI(challenge)).toBe(423);
  const answer = () => post(world, "/identity/two-factor/answer", { code: recoveryCodes[0], challenge });
  expect((await succeed(answer())).json?.status).toBe("success");
  expect((await answer()).status).not.toBe(200);
});

test("the live connection receives nothing more and closes once its session or its person's rights end", async () => {
  const { owner } = world.members;
  const ends: Record<string, (token: string, userId: string) => Promise<unknown>> = {
    "sign-out": (token) => post(world, "/identity/sign-out", {}, { Authorization: token }),
    removal: (_token, userId) =>
      world.ask("owner", {
        method: "DELETE",
        path: "/api/user/organization-user",
        body: { targetUserSub: userId },
      }),
    "other rights": (_token, userId) =>
      world.ask("owner", {
        method: "PUT",
        path: "/api/user/organization-user",
        body: { targetUserSub: userId, roles: [] },
      }),
  };
  for (const [name, end] of Object.entries(ends)) {
    const colleague = await world.join(owner.organisationId, { [PLATFORM]: "user" });
    const bystander = await world.join(owner.organisationId, { [PLATFORM]: "user" });
    const socket = await openSocket(colleague);
    const other = await openSocket(bystander);
    await end(colleague.token, colleague.userId);
    // Published right after the response. A socket that still receives it was closed too late.
    const said: LiveEvent = { method: "items-changed", platform: PLATFORM, ids: [`after ${name}`] };
    await livePublisher(env).publish(owner.organisationId, [said]);
    const hears = ({ heard }: LiveListener) => heard.some(({ event }) => isDeepStrictEqual(event, said));
    await other.until(() => hears(other));
    await socket.until(() => socket.closedWith !== null);
    expect([name, hears(socket)]).toEqual([name, false]);
    expect([name, other.closedWith]).toEqual([name, null]);
    expect([name, await whoAmI(colleague.token)]).toEqual([name, name === "other rights" ? 200 : 423]);
    other.socket.close();
    await world.ask("owner", {
      method: "DELETE",
      path: "/api/user/organization-user",
      body: { targetUserSub: bystander.userId },
    });
  }
});

async function openSocket({ userId, token }: { userId: string; token: string }): Promise<LiveListener> {
  const answer = await sendTo(httpBindings(world.flow), {
    method: "GET",
    path: "/ws",
    query: { sub: userId },
    headers: { Authorization: token, upgrade: "websocket" },
  });
  const screen = listenTo({ webSocket: answer.webSocket, status: answer.status } as Response);
  await screen.until(() => screen.heard[0]?.method === "welcome");
  return screen;
}

test("a live connection opens only for its own person, and a foreign sub is treated as missing", async () => {
  const open = async (actor: "reader" | "other owner" | "anonymous" | "expired session", sub: string) => {
    const { status, text } = await world.ask(actor, { method: "GET", path: "/ws", query: { sub } });
    return [status, text];
  };
  const { owner, otherOwner } = world.members;
  for (const actor of ["reader", "other owner"] as const) {
    const foreign = await open(actor, actor === "reader" ? otherOwner.userId : owner.userId);
    expect([actor, foreign]).toEqual([actor, await open(actor, "usr_00000000000000000000000000")]);
    expect(foreign[0]).toBe(403);
  }
  for (const actor of ["anonymous", "expired session"] as const)
    expect([actor, (await open(actor, owner.userId))[0]]).toEqual([actor, 423]);
});

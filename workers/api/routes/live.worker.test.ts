import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/member.ts";
import { CLOSE_RECONNECT, CLOSE_REVOKED } from "#durable-objects/account-hub.ts";
import { formatSocketOwner, SOCKET_HEADER } from "#durable-objects/live-socket.ts";
import { accountHub } from "#durable-objects/stubs.ts";
import { listenTo } from "#tests/harness/live-listener.ts";
import { makeMember, makeOwner, makeSession } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { type LiveDoorEnv, live } from "./live.ts";

const services = buildServices(Object.assign({}, env, { PUBLIC_URL: "https://app.holdfast.example" }));
const owner = await makeOwner(services);
const reader = await makeMember(services, owner, { beta: "user" });
const tokens = new Map([
  [owner.userId, await makeSession(services, owner)],
  [reader.userId, await makeSession(services, reader)],
]);

/** Opens the live route as this member. `meanwhile` runs after the session was read. */
async function knock(
  member: Member | null,
  sub: string,
  headers: Record<string, string> = {},
  meanwhile: () => Promise<unknown> = async () => {},
) {
  const app = new Hono<LiveDoorEnv>();
  app.onError((error, c) => {
    if (!(error instanceof AppError)) throw error;
    return c.json({ code: error.code }, error.status as 400);
  });
  app.use(async (c, next) => {
    c.set("services", services);
    c.set("member", member);
    c.set("sessionId", "ses_1");
    await meanwhile();
    await next();
  });
  app.route("/ws", live);
  const authorization = tokens.get(member?.userId ?? "");
  const all = { upgrade: "websocket", ...(authorization ? { authorization } : {}), ...headers };
  return app.request(`/ws?sub=${sub}`, { headers: all }, env);
}

test("[P-413] a websocket needs the user's own sub and a session", async () => {
  const screen = listenTo(await knock(owner, owner.userId, { origin: "https://app.holdfast.example" }));
  await screen.until(() => screen.heard[0]?.method === "welcome");
  expect((await knock(owner, reader.userId)).status).toBe(403);
  expect((await knock(owner, "")).status).toBe(403);
  expect((await knock(null, owner.userId)).status).toBe(423);
});

test("another site cannot open a socket with the visitor's session", async () => {
  for (const origin of [
    "https://evil.example",
    "null",
    "http://app.holdfast.example",
    "https://app.holdfast.example.evil.example",
  ]) {
    const answer = await knock(owner, owner.userId, { origin });
    expect(answer.status).toBe(403);
    expect(answer.webSocket).toBeNull();
  }
});

test("a request without an upgrade gets an error that says so", async () => {
  expect((await knock(owner, owner.userId, { upgrade: "h2c" })).status).toBe(400);
});

test("rights come from the session: a forged header has no effect", async () => {
  const forged = formatSocketOwner({ userId: reader.userId, sessionId: "x", platforms: "all" });
  const screen = listenTo(await knock(reader, reader.userId, { [SOCKET_HEADER]: forged }));
  await screen.until(() => screen.heard.length === 1);
  const event = { method: "items-changed" as const, ids: ["itm_1"] };
  await accountHub(env, owner.organisationId).publish([
    { ...event, platform: "alpha" },
    { ...event, platform: "beta" },
  ]);
  await screen.until(() => screen.heard.length === 2);
  expect(screen.heard[1]).toMatchObject({ event: { platform: "beta" } });
});

test("a right revoked while the socket opens closes it, and it may reconnect with the remaining rights", async () => {
  const bo = await makeMember(services, owner, { beta: "user" });
  tokens.set(bo.userId, await makeSession(services, bo));
  const setRights = (rights: object) =>
    env.DB.prepare("UPDATE member SET platform_roles = ? WHERE user_id = ?")
      .bind(JSON.stringify(rights), bo.userId)
      .run();
  const kept = listenTo(await knock(bo, bo.userId));
  await kept.until(() => kept.heard.length === 1);
  const lost = listenTo(await knock(bo, bo.userId, {}, () => setRights({})));
  await lost.until(() => lost.closedWith !== null);
  expect(lost.closedWith).toBe(CLOSE_RECONNECT);
  const gone = listenTo(
    await knock({ ...bo, platformRoles: {} }, bo.userId, {}, () =>
      env.DB.prepare("DELETE FROM session WHERE user_id = ?").bind(bo.userId).run(),
    ),
  );
  await gone.until(() => gone.closedWith !== null);
  expect(gone.closedWith).toBe(CLOSE_REVOKED);
});

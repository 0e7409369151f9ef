import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/member.ts";
import { formatSocketOwner, SOCKET_HEADER } from "#durable-objects/live-socket.ts";
import { accountHub } from "#durable-objects/stubs.ts";
import { listenTo } from "#tests/harness/live-listener.ts";
import { settingsSchema } from "#workers/env.ts";
import { type LiveDoorEnv, live } from "./live.ts";

const settings = settingsSchema.parse({
  PUBLIC_URL: "https://app.holdfast.example",
  MASTER_KEYS: "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  LINK_KEYS: "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  AUTH_SECRET: "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8",
});
const owner: Member = {
  userId: "usr_ada",
  organisationId: "org_door",
  name: "Ada",
  email: "ada@example.com",
  role: "owner",
  platformRoles: {},
  timeZone: "UTC",
};
const reader: Member = { ...owner, userId: "usr_bo", role: "member", platformRoles: { beta: "user" } };

/** Knocks at the door as this member. */
async function knock(member: Member | null, sub: string, headers: Record<string, string> = {}) {
  const app = new Hono<LiveDoorEnv>();
  app.onError((error, c) => {
    if (!(error instanceof AppError)) throw error;
    return c.json({ code: error.code }, error.status as 400);
  });
  app.use(async (c, next) => {
    c.set("services", { settings });
    c.set("member", member);
    c.set("sessionId", "ses_1");
    await next();
  });
  app.route("/ws", live);
  return app.request(`/ws?sub=${sub}`, { headers: { upgrade: "websocket", ...headers } }, env);
}

test("[P-413] a websocket is opened with the user's sub, and a foreign sub or a missing session is refused", async () => {
  const screen = listenTo(await knock(owner, "usr_ada", { origin: "https://app.holdfast.example" }));
  await screen.until(() => screen.heard[0]?.method === "welcome");
  expect((await knock(owner, "usr_bo")).status).toBe(403);
  expect((await knock(owner, "")).status).toBe(403);
  expect((await knock(null, "usr_ada")).status).toBe(423);
});

test("another site cannot open a socket with the visitor's session", async () => {
  for (const origin of [
    "https://evil.example",
    "null",
    "http://app.holdfast.example",
    "https://app.holdfast.example.evil.example",
  ]) {
    const answer = await knock(owner, "usr_ada", { origin });
    expect(answer.status).toBe(403);
    expect(answer.webSocket).toBeNull();
  }
});

test("a request that is no upgrade is told so", async () => {
  expect((await knock(owner, "usr_ada", { upgrade: "h2c" })).status).toBe(400);
});

test("rights come from the session: a header that poses as the door's changes nothing", async () => {
  const forged = formatSocketOwner({ userId: "usr_bo", sessionId: "x", platforms: "all" });
  const screen = listenTo(await knock(reader, "usr_bo", { [SOCKET_HEADER]: forged }));
  await screen.until(() => screen.heard.length === 1);
  const event = { method: "items-changed" as const, ids: ["itm_1"] };
  await accountHub(env, "org_door").publish([
    { ...event, platform: "alpha" },
    { ...event, platform: "beta" },
  ]);
  await screen.until(() => screen.heard.length === 2);
  expect(screen.heard[1]).toMatchObject({ event: { platform: "beta" } });
});

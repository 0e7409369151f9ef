import { afterAll, beforeAll, expect, test } from "vitest";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { PLATFORM } from "#tests/harness/flow-world.ts";
import { howToRepeat, isSampled } from "#tests/harness/sample.ts";
import { routePath } from "#workers/form-paths.ts";
import * as build from "../../build/server/index.js";
import { verdictOf } from "./access-policy.ts";
import {
  ACTORS,
  type Actor,
  MISSING,
  ORIGIN,
  openSecurityWorld,
  type SecurityWorld,
  signedPaths,
} from "./security-world.ts";

let world: SecurityWorld;
beforeAll(async () => {
  world = await openSecurityWorld();
});
afterAll(() => world.close());

/** Screens that lead visitors to the start page, which asks them to sign in (spec B-096). */
const STARTS_AT_HOME: ReadonlySet<string> = new Set(["/audit"]);

/** Screens with data of an organisation. A member without a role on the platform is redirected to the dashboard. */
const INSIDE: Readonly<Record<string, "members" | "users">> = {
  "/": "members",
  "/app-connector": "members",
  "/audit": "members",
  "/bulk-restore": "members",
  "/checkout": "members",
  "/payment": "members",
  "/payment-history": "members",
  "/profile": "members",
  "/runs": "members",
  "/subscriptions": "members",
  "/settings/:tab?": "members",
  "/platform/dashboard/:platform": "users",
  "/platform/coverage/:platform": "users",
  "/platform/backups/:platform": "users",
  "/platform/backups/:platform/version": "users",
  "/platform/backups/:platform/version/board": "users",
  "/platform/backups/:platform/version/board/card": "users",
  "/platform/backups/:platform/version/files": "users",
  "/platform/backups/:platform/version/pages": "users",
  "/platform/backups/:platform/version/records": "users",
  "/platform/backups/:platform/version/table": "users",
  "/platform/backups/:platform/version/thread": "users",
  "/platform/backups/:platform/compare": "users",
  "/platform/backups/:platform/restored": "users",
};

/** Public screens. They show nothing of an organisation. */
const OUTSIDE =
  /^\/(\*|:host\/frame|auth(\/.*)?|invite|verify-email|subscribeToMail|wait|welcome|contact|maintenance|terms.*|privacy.*|sla.*|legal.*|cookies?.*|login|sign-up.*)$/i;

const pathOf = (route: Parameters<typeof routePath>[1]) => routePath(build.routes, route);
const routes = Object.values(build.routes).flatMap((route) => route ?? []);

/** The path of every screen in the build. */
const screens = routes
  .filter((route) => route.module.default !== undefined && (route.path !== undefined || route.index))
  .map(pathOf);

test("every screen is listed as public or private", () => {
  expect(screens.length).toBeGreaterThan(5);
  const unknown = screens.filter((path) => !(path in INSIDE) && !OUTSIDE.test(path));
  expect(unknown).toEqual([]);
  expect(Object.keys(INSIDE).filter((path) => !screens.includes(path))).toEqual([]);
});

/**
 * React hydrates a `Suspense` boundary after the rest, when idle. A state change before that discards the server's
 * markup and logs an error; Remix makes such a change at every navigation.
 */
test("no screen has a boundary that hydrates later than the rest", async () => {
  for (const screen of screens) {
    const path = screen.replace(":platform", PLATFORM).replace("/:tab?", "");
    const { text } = await world.ask("owner", { method: "GET", path });
    expect([screen, text.match(/<!--\$.?-->/)?.[0]]).toEqual([screen, undefined]);
  }
});

test.each(Object.entries(INSIDE))("%s is shown only to permitted members", async (screen, may) => {
  const path = screen.replace(":platform", PLATFORM).replace("/:tab?", "");
  for (const actor of ACTORS) {
    const { item, snapshot } = await world.own(actor, false);
    const query: Record<string, string> = screen.includes("/backups/")
      ? { id: item, version: snapshot, to: snapshot }
      : {};
    const { status, headers, text } = await world.ask(actor, { method: "GET", path, query });
    const location = headers.get("Location")?.split("?")[0] ?? null;
    const verdict = verdictOf(may, actor);
    if (verdict === "in") expect([actor, status < 400, location]).not.toEqual([actor, true, "/auth/login"]);
    else {
      const there = verdict === "sign in" && !STARTS_AT_HOME.has(screen) ? "/auth/login" : "/";
      expect([actor, status, location]).toEqual([actor, 302, there]);
      expect(text).not.toMatch(/nora-lindqvist|canary-yellow/);
    }
    if (verdict === "in") expect([actor, status]).toEqual([actor, location === null ? 200 : 302]);
  }
});

/** All routes with a loader. A browser requests the data by their ids. */
const loaders = routes.filter((route) => route.module.loader);

/**
 * A normal run requests the screen's own loaders and one in this many of the others, which vary by screen and actor.
 */
const LOADER_PARTS = 5;

test.each(Object.entries(INSIDE).map(([screen, may], turn) => [screen, may, turn] as const))(
  "%s: its data alone, requested without its parent routes, is shown only to permitted members",
  async (screen, may, turn) => {
    const path = screen.replace(":platform", PLATFORM).replace("/:tab?", "");
    const data = path === "/" ? "/_root.data" : `${path}.data`;
    for (const [index, actor] of ACTORS.entries()) {
      if (verdictOf(may, actor) === "in") continue;
      const named = loaders.filter(
        (route, i) => screen.startsWith(pathOf(route)) || isSampled(turn + index + i, LOADER_PARTS),
      );
      const { item, snapshot } = await world.own(actor, false);
      const ids: Record<string, string> = screen.includes("/backups/")
        ? { id: item, version: snapshot, to: snapshot }
        : {};
      // The frame's loader checks the session. A browser may skip it and request one loader alone.
      for (const only of [null, ...named.map(({ id }) => id)]) {
        const query: Record<string, string> = { ...ids, ...(only === null ? {} : { _routes: only }) };
        const { status, text } = await world.ask(actor, { method: "GET", path: data, query });
        expect([actor, only, status < 500], howToRepeat()).toEqual([actor, only, true]);
        expect(text, `${actor} ${only}, ${howToRepeat()}`).not.toMatch(/nora-lindqvist|canary-yellow/);
      }
    }
  },
);

test("forms of screens are refused for members without permission, and foreign ids have no effect", async () => {
  const send = (actor: Actor, path: string, fields: Record<string, string>, query: Record<string, string>) =>
    world.ask(actor, {
      ...{ method: "POST", path: `${path}.data`, query, body: new URLSearchParams(fields) },
      // A browser always sends the host; the screens compare the origin with it.
      headers: { Origin: ORIGIN, Host: new URL(ORIGIN).host },
    });
  const clone = (actor: Actor, { item, snapshot }: { item: string; snapshot: string }) =>
    send(
      actor,
      `/platform/backups/${PLATFORM}`,
      { intent: "clone", itemId: item, snapshotId: snapshot },
      { id: item },
    );
  const real = { item: world.item.id, snapshot: (await newestSnapshot(world.flow, world.item.id)).id };
  expect((await clone("owner", real)).text).toMatch(/\/clone\//);
  for (const actor of ACTORS) {
    if (verdictOf("managers", actor) !== "in" || actor === "other owner")
      expect([actor, (await clone(actor, real)).text]).not.toEqual([
        actor,
        expect.stringContaining("/clone/"),
      ]);
    const foreign = await world.foreign(actor, false);
    expect((await clone(actor, foreign)).text).not.toContain("/clone/");
  }
});

test.each([
  ["", {}],
  ["/version", { version: MISSING.snapshot }],
  ["/compare", { version: MISSING.snapshot, to: MISSING.snapshot }],
  ["/restored", { run: "run_00000000000000000000000000" }],
])("a version history%s of another organisation is treated as missing for everybody", async (below, more) => {
  const path = `/platform/backups/${PLATFORM}${below}`;
  for (const actor of ACTORS) {
    const { item } = await world.foreign(actor, false);
    const ask = async (id: string) => {
      const answer = await world.ask(actor, { method: "GET", path, query: { id, ...more } });
      const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("Content-Security-Policy") ?? "")?.[1] ?? "";
      const requestId = answer.headers.get("X-Request-Id") ?? nonce;
      const said = [id, nonce, requestId].reduce((text, each) => text.replaceAll(each, "{}"), answer.text);
      return [
        actor,
        answer.status,
        answer.headers.get("Location")?.replaceAll(id, "{}"),
        said.replace(/\d{13}(\.\d+)?/g, "{now}"),
      ];
    };
    expect(await ask(item)).toEqual(await ask(MISSING.item));
  }
});

test("a signed URL opens only what it was signed for", async () => {
  const { services, member } = world.flow;
  const { download, clone } = await signedPaths(world);
  const status = async (path: string) => (await world.send({ method: "GET", path })).status;
  expect([await status(download), await status(`${clone}/info/refs`)]).toEqual([200, 200]);
  const [, , token = ""] = download.split("/");
  const [, , cloneToken = "", name = ""] = clone.split("/");
  const spoiled = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
  const forged = [
    "a.b",
    token.split(".")[0]!,
    `${token}.x`,
    cloneToken,
    ...Array.from({ length: 20 }, (_, i) => spoiled(token, Math.floor((i * (token.length - 2)) / 20))),
  ];
  for (const each of forged) expect([each, await status(`/download/${each}`)]).toEqual([each, 403]);
  const pack = async (path: string) =>
    (await world.send({ method: "POST", path: `${path}/git-upload-pack` })).status;
  expect(await pack(clone)).toBe(200);
  for (const each of [token, spoiled(cloneToken, 5), "a.b"]) {
    const path = `/clone/${each}/${name}`;
    expect([each, await status(`${path}/info/refs`), await pack(path)]).toEqual([each, 403, 403]);
  }
  // The person who signed the links loses the role.
  await services.control.$client
    .prepare("UPDATE member SET role = 'member', platform_roles = '{}' WHERE user_id = ?")
    .bind(member.userId)
    .run();
  expect(await status(download)).toBeGreaterThanOrEqual(400);
  expect(await status(`${clone}/info/refs`)).toBeGreaterThanOrEqual(400);
  expect(await pack(clone)).toBeGreaterThanOrEqual(400);
  await services.control.$client
    .prepare("UPDATE member SET role = 'owner' WHERE user_id = ?")
    .bind(member.userId)
    .run();
});

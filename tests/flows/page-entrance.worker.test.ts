import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { endSessions, rotateSession, signOut } from "#core/accounts/index.ts";
import { removeInvitee, updateInvitee } from "#core/organisations/index.ts";
import { LEASE_MS } from "#durable-objects/session-copies.ts";
import { accountHub, livePublisher, type ObjectBindings } from "#durable-objects/stubs.ts";
import { countingTrips } from "#tests/harness/count-trips.ts";
import { PLATFORM } from "#tests/harness/flow-world.ts";
import {
  evictHub,
  productOf,
  settle,
  tokenHashOf,
  type Visitor,
  visit,
  withHub,
} from "#tests/harness/page-visitor.ts";
import { ORIGIN, openSecurityWorld, type SecurityWorld, sendTo } from "#tests/security/security-world.ts";

const LIST = `/platform/dashboard/${PLATFORM}`;
const ITEM = "canary-yellow";

let world: SecurityWorld;
beforeAll(async () => {
  world = await openSecurityWorld();
});
/** Colleagues of one test. An organisation has ten members at most. */
const joined: string[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const userId of joined.splice(0))
    await env.DB.prepare("DELETE FROM member WHERE user_id = ?").bind(userId).run();
});
afterAll(() => world.close());

const owner = () => visit(world, world.members.owner.userId);
/** A colleague who has just signed in. */
async function newColleague(): Promise<Visitor> {
  const { userId } = await world.join(world.members.owner.organisationId, { [PLATFORM]: "admin" });
  joined.push(userId);
  return visit(world, userId);
}

/** A colleague whose session has a lease in the hub. */
async function colleague(): Promise<Visitor> {
  const visitor = await newColleague();
  await settle(visitor);
  return visitor;
}

const isSignedOut = ({ status, headers }: { status: number; headers: Headers }) =>
  status === 302 && headers.get("Location")?.startsWith("/auth/login") === true;

const revocations: [string, (visitor: Visitor) => Promise<unknown>][] = [
  ["signing out", (visitor) => signOut(productOf(world).services, visitor.headers())],
  ["ending every session", (visitor) => endSessions(productOf(world).services, visitor)],
  ["a changed password or factor", (visitor) => rotateSession(productOf(world).services, visitor)],
  [
    "being removed from the organisation",
    ({ userId }) => removeInvitee(productOf(world).services, world.members.owner, { targetId: userId }),
  ],
];

test.each(revocations)("after %s no page is drawn from the hub's copy", async (_, revoke) => {
  const visitor = await colleague();
  expect((await visitor.open(LIST)).text).toContain(ITEM);
  await revoke(visitor);
  const copy = await accountHub(env, visitor.organisationId).enter(await tokenHashOf(visitor));
  expect(copy.kind).toBe("unknown");
  expect(isSignedOut(await visitor.open(LIST))).toBe(true);
});

test("a right that was taken away is gone from the next page", async () => {
  const visitor = await colleague();
  expect((await visitor.open(LIST)).text).toContain(ITEM);
  await updateInvitee(productOf(world).services, world.members.owner, {
    targetId: visitor.userId,
    roles: [],
  });
  const page = await visitor.open(LIST);
  expect([page.status, page.headers.get("Location")]).toEqual([302, "/"]);
});

test("a session that ends between the hub's answer and the page's reads opens no later page", async () => {
  const visitor = await colleague();
  const { bindings, services } = productOf(world);
  const through = withHub(bindings, {
    enter: async (call, ...values) => {
      const answer = await call(...values);
      await endSessions(services, visitor);
      return answer;
    },
  });
  await visitor.open(LIST, through);
  expect(isSignedOut(await visitor.open(LIST))).toBe(true);
});

test("a copy without a lease is confirmed before anything is answered", async () => {
  const visitor = await colleague();
  await evictHub(visitor);
  // The revocation died between its commit and the hub.
  await env.DB.prepare("DELETE FROM session WHERE id = ?").bind(visitor.sessionId).run();
  const entrance = await accountHub(env, visitor.organisationId).enter(await tokenHashOf(visitor));
  expect(entrance).toMatchObject({ kind: "known", isLeased: false });
  const page = await visitor.open(LIST);
  expect(isSignedOut(page)).toBe(true);
  expect(page.text).not.toContain(ITEM);
});

test("a copy that was read before a revocation is refused after it", async () => {
  const visitor = await newColleague();
  const { bindings, services } = productOf(world);
  let learned: unknown = null;
  const through = withHub(bindings, {
    learn: async (call, ...values) => {
      await endSessions(services, visitor);
      learned = await call(...values);
      return learned;
    },
  });
  await visitor.open(LIST, through);
  await vi.waitFor(() => expect(learned).toEqual({ kind: "refused" }));
  expect(isSignedOut(await visitor.open(LIST))).toBe(true);
});

test("with a hub that fails, the control database answers", async () => {
  const visitor = await colleague();
  const away = () => Promise.reject(new Error("the hub is away"));
  const { bindings } = productOf(world);
  const through = withHub(bindings, { enter: away, learn: away, closed: away, opensAt: away, changed: away });
  expect((await visitor.open(LIST, through)).text).toContain(ITEM);
  await env.DB.prepare("DELETE FROM session WHERE id = ?").bind(visitor.sessionId).run();
  expect(isSignedOut(await visitor.open(LIST, through))).toBe(true);
});

test("a copy of another release is no copy", async () => {
  const visitor = await colleague();
  const hub = accountHub(env, visitor.organisationId);
  const key = await tokenHashOf(visitor);
  for (const facts of ['{"version":99}', '{"version":1,"more":true}']) {
    const { ticket } = await hub.enter(key);
    expect(await hub.learn(key, ticket, { ...visitor, facts })).toEqual({ kind: "learned" });
    expect((await visitor.open(LIST)).text).toContain(ITEM);
    await settle(visitor);
  }
});

test("a hint of another organisation or session is not followed, and is replaced", async () => {
  const [visitor, stranger] = [await owner(), await visit(world, world.members.otherOwner.userId)];
  await settle(visitor);
  await settle(stranger);
  const name = [...visitor.cookies.keys()].find((each) => each.endsWith("holdfast.hub"))!;
  const own = visitor.cookies.get(name)!;
  const foreign = stranger.cookies.get(name)!;
  const [, mac = ""] = own.split(".");
  for (const hint of [foreign, `${stranger.organisationId}.${mac}`, "org_x", `${visitor.organisationId}.`]) {
    visitor.cookies.set(name, hint);
    const { bindings } = productOf(world);
    const named: string[] = [];
    const getByName = (hub: string) => {
      named.push(hub);
      return bindings.ACCOUNT_HUB.getByName(hub);
    };
    const page = await visitor.open(LIST, { ...bindings, ACCOUNT_HUB: { getByName } } as unknown as Env);
    expect([hint, page.status, page.text.includes(ITEM)]).toEqual([hint, 200, true]);
    expect(named.filter((hub) => hub !== visitor.organisationId)).toEqual([]);
    expect(visitor.cookies.get(name)).toBe(own);
  }
});

test("a hub answers only for its own organisation, whatever it has learned", async () => {
  const [visitor, stranger] = [await owner(), await visit(world, world.members.otherOwner.userId)];
  await settle(stranger);
  const theirs = await accountHub(env, stranger.organisationId).enter(await tokenHashOf(stranger));
  if (theirs.kind === "unknown") throw new Error("the hub has learned the session");
  const { bindings } = productOf(world);
  const through = withHub(bindings, { enter: async () => theirs });
  const page = await visitor.open("/settings", through);
  expect([page.status, page.text.includes(world.members.otherOwner.email)]).toEqual([200, false]);
});

test("a revocation whose hub stays away returns when no lease can be left", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
  const asked: number[] = [];
  const revoke = async () => {
    asked.push(Date.now());
    throw new Error("the hub is away");
  };
  const bindings = { ACCOUNT_HUB: { getByName: () => ({ revoke }) } } as unknown as ObjectBindings;
  const begun = Date.now();
  let endedAt = 0;
  const ending = livePublisher(bindings)
    .disconnect("org_away", { sessionId: "ses_1" })
    .then(() => {
      endedAt = Date.now();
    });
  await vi.advanceTimersByTimeAsync(LEASE_MS - 1_000);
  expect(endedAt).toBe(0);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  await ending;
  expect(endedAt - begun).toBeGreaterThan(LEASE_MS);
  expect(asked.length).toBeGreaterThan(10);
});

/** The page as it reads without what is new in every answer. */
const nonceOf = ({ headers }: { headers: Headers }) =>
  /'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1] ?? "";

test("a kept page has the nonce and the request id of its own answer", async () => {
  const visitor = await owner();
  await settle(visitor);
  const first = await visitor.open(LIST);
  const { env: counted, trips } = countingTrips(productOf(world).bindings);
  const second = await visitor.open(LIST, counted);
  expect(trips().databases).toEqual([["hub: enter"]]);
  expect(nonceOf(second)).not.toBe(nonceOf(first));
  expect(second.text).not.toContain(nonceOf(first));
  expect(second.text).not.toContain(first.headers.get("X-Request-Id")!);
  expect(second.text).toContain(`nonce="${nonceOf(second)}"`);
  expect(second.text.replaceAll(nonceOf(second), "").length).toBe(
    first.text.replaceAll(nonceOf(first), "").length,
  );
});

test("what a person does shows on their next page, and other addresses, cookies and people have pages of their own", async () => {
  const visitor = await owner();
  await settle(visitor);
  await visitor.open(LIST);
  const drawn = async (who: Visitor, path: string) => {
    const { env: counted, trips } = countingTrips(productOf(world).bindings);
    await who.open(path, counted);
    return trips().databases.length > 1;
  };
  expect(await drawn(visitor, LIST)).toBe(false);
  expect(await drawn(visitor, `${LIST}?sort=-name`)).toBe(true);
  const again = await owner();
  await settle(again);
  expect(await drawn(again, LIST)).toBe(true);
  visitor.cookies.set("rail", "min");
  expect(await drawn(visitor, LIST)).toBe(true);
  await settle(visitor);
  const { bindings } = productOf(world);
  const renamed = await sendTo(bindings, {
    method: "PATCH",
    path: "/api/items/none",
    headers: { ...Object.fromEntries(visitor.headers()), Origin: ORIGIN },
    body: {},
  });
  expect(renamed.status).toBeLessThan(500);
  expect(await drawn(visitor, LIST)).toBe(true);
});

test("a page is at most a minute old after a change without a new revision", async () => {
  const visitor = await owner();
  await settle(visitor);
  const shows = async (name: string) => (await visitor.open(LIST)).text.includes(name);
  expect(await shows(ITEM)).toBe(true);
  const rename = (from: string, to: string) =>
    world.flow.ledger.prepare("UPDATE item SET name = ?2 WHERE name = ?1").bind(from, to).run();
  await rename(ITEM, "canary-blue");
  expect(await shows("canary-blue")).toBe(false);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + LEASE_MS + 1 });
  expect(await shows("canary-blue")).toBe(true);
  vi.useRealTimers();
  await rename("canary-blue", ITEM);
});

import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { listAllConnections } from "#core/connections/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { makeOwner, makePlatform } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { countSeats, queueSeatCounts, totalSeats } from "./index.ts";

const START = Date.UTC(2026, 10, 3, 9);

let world: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  await emptyEverything();
  world = await open();
});

/** An owner with a site whose platform counts people, and with an account of one that counts items. */
async function open() {
  const clock = { at: START, now: () => clock.at };
  const queued: JobMessage[] = [];
  const events: LiveEvent[] = [];
  const site: { answer: () => number } = { answer: () => 120 };
  const services = buildServices(env);
  const jira = { ...services.connectors.get("jira")!, countSeats: async () => site.answer() };
  const deps = {
    ...services,
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    connectors: new Map([...services.connectors, ["jira", jira]]),
    queue: { send: async (jobs: readonly JobMessage[]) => void queued.push(...jobs) },
    live: {
      publish: async (_: string, published: readonly LiveEvent[]) => void events.push(...published),
      disconnect: async () => undefined,
    },
  };
  const owner = await makeOwner(deps);
  await makePlatform(deps, owner, { platform: "jira", plan: "essential" });
  await makePlatform(deps, owner, { platform: "github", plan: "essential" });
  /** Runs the tick and the jobs that it queued. */
  const tick = async () => {
    await queueSeatCounts(deps);
    const jobs = queued.splice(0);
    for (const { job, payload } of jobs) if (job === "count-seats") await countSeats(deps, payload);
    return jobs.length;
  };
  const seats = async () => {
    const all = await listAllConnections(deps, owner);
    return Object.fromEntries(all.map(({ platform, seats: found }) => [platform, found]));
  };
  return { deps, clock, owner, site, events, tick, seats };
}

const refused = (kind: "forbidden" | "unauthorized" | "unavailable", message: string) => () => {
  throw new ConnectorError(kind, message);
};

test("people are counted once a day where the plan counts them, and screens learn of another number", async () => {
  const { clock, site, events, tick, seats } = world;
  expect(await seats()).toEqual({ jira: { count: null, readAt: null, problem: null }, github: undefined });
  expect(await tick()).toBe(1);
  expect(await seats()).toMatchObject({ jira: { count: 120, readAt: START, problem: null } });
  expect(events).toEqual([{ method: "subscription-changed", platform: "jira" }]);
  site.answer = () => 130;
  clock.at = START + DAY_MS - MINUTE_MS;
  expect(await tick()).toBe(0);
  clock.at = START + DAY_MS;
  expect(await tick()).toBe(1);
  expect(await seats()).toMatchObject({ jira: { count: 130, readAt: START + DAY_MS } });
  expect(events).toHaveLength(2);
  clock.at += DAY_MS;
  await tick();
  expect(events).toHaveLength(2);
});

test.each(["forbidden", "unauthorized"] as const)(
  "a refusal (%s) keeps the last count, says why, and leaves the connection as it is",
  async (kind) => {
    const { deps, clock, owner, site, events, tick, seats } = world;
    await tick();
    site.answer = refused(kind, "Only Jira administrators can access license details.");
    clock.at += DAY_MS;
    await tick();
    const problem = "Only Jira administrators can access license details.";
    expect(await seats()).toMatchObject({ jira: { count: 120, readAt: START, problem } });
    expect((await listAllConnections(deps, owner)).map(({ status }) => status)).toEqual(["active", "active"]);
    expect(events).toHaveLength(2);
    site.answer = () => 120;
    clock.at += DAY_MS;
    await tick();
    expect(await seats()).toMatchObject({ jira: { count: 120, readAt: START + 2 * DAY_MS, problem: null } });
    expect(events).toHaveLength(3);
  },
);

test("a failure that passes is tried again an hour later", async () => {
  const { clock, site, tick, seats } = world;
  site.answer = refused("unavailable", "Jira cannot be reached.");
  await tick();
  expect(await seats()).toMatchObject({ jira: { count: null, problem: null } });
  site.answer = () => 7;
  clock.at += HOUR_MS - 1;
  expect(await tick()).toBe(0);
  clock.at += 1;
  expect(await tick()).toBe(1);
  expect(await seats()).toMatchObject({ jira: { count: 7 } });
});

test("another organisation's account, and one that is gone or lost, is not counted", async () => {
  const { deps, owner, tick, seats } = world;
  const jira = (await listAllConnections(deps, owner)).find(({ platform }) => platform === "jira")!;
  const other = await makeOwner(deps);
  await countSeats(deps, { organisationId: other.organisationId, connectionId: jira.id });
  expect(await seats()).toMatchObject({ jira: { count: null } });
  await env.DB.prepare("UPDATE connection SET status = 'revoked' WHERE id = ?").bind(jira.id).run();
  await countSeats(deps, { organisationId: owner.organisationId, connectionId: jira.id });
  expect(await tick()).toBe(0);
  expect(await seats()).toMatchObject({ jira: { count: null } });
});

test("the seats of several accounts are added up, and a sum that lacks one is not known", () => {
  const account = (count: number | null, isConfirmed = true, problem: string | null = null) => ({
    isConfirmed,
    seats: { count, readAt: null, problem },
  });
  expect(totalSeats([])).toEqual({ count: null, problem: null });
  expect(totalSeats([account(100), account(20, true, "No.")])).toEqual({ count: 120, problem: "No." });
  expect(totalSeats([account(100), account(null)])).toEqual({ count: null, problem: null });
  expect(totalSeats([account(0)])).toEqual({ count: 0, problem: null });
  expect(totalSeats([account(100), account(null, false)])).toEqual({ count: 100, problem: null });
});

import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requestBackup } from "#core/backups/index.ts";
import { openForReading } from "#core/browsing/index.ts";
import { listAllConnections } from "#core/connections/index.ts";
import { addItems } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { queuePeopleReports, reportPeople } from "#core/privacy/index.ts";
import { saveNews } from "#core/privacy/people.store.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { callbackOf, connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideJira, openJira } from "#tests/harness/outside.ts";

const NORA = "nora@meridian.example";
const IVO = "ivo@meridian.example";
const ASA = "asa@meridian.example";
const NAME = "Ivo Petrov";
const REPORTS = "/app/report-accounts/";

let world: FlowWorld;
let jira: OutsideJira;
let site: string;
let itemId: string;

beforeEach(async () => {
  jira = await openJira(callbackOf("jira"));
  world = await openFlowWorld({ isConnected: false, vars: jira.vars });
  const { sites } = await jira.control<{ sites: { slug: string; cloudId: string }[] }>("sites");
  site = sites.find(({ slug }) => slug === "meridian")?.cloudId ?? "";
});
afterEach(async () => {
  await world.close();
  await jira.close();
});

/** Connects the site, and backs up a project in which Ivo has written. */
async function protect(): Promise<void> {
  await connect(world, "jira", NORA, { site });
  const project = await jira.control<{ id: string }>("sites/meridian/projects", {
    key: "YARD",
    name: "Yard",
  });
  await jira.control("sites/meridian/projects/YARD/issues", { summary: "Paint the gate", login: IVO });
  await jira.control("sites/meridian/issues/YARD-1/comments", { text: "Which colour?", login: IVO });
  const { services, member } = world;
  const { added } = await addItems(services, member, {
    ...{ platform: "jira", kind: "project", placeId: null },
    externals: [{ externalId: project.id }],
  });
  itemId = added[0]!.id;
  await world.drain();
}

async function backUpNow(): Promise<void> {
  world.clock.advance(DAY_MS);
  await requestBackup(world.services, world.member, { platform: "jira", itemId });
  await world.drain();
}

/** Lets time pass, and a tick queue what is due. */
async function report(afterMs = 0): Promise<void> {
  world.clock.advance(afterMs);
  await world.tick(queuePeopleReports);
  await world.drain();
}

const reports = async () => (await jira.requests()).filter(({ path }) => path.startsWith(REPORTS));

/** The records of the newest version that have a text, also in their titles. */
async function holding(text: string): Promise<string[]> {
  const { id } = await newestSnapshot(world, itemId);
  const { view } = await openForReading(world.services, world.member, { itemId, snapshotId: id });
  const found: string[] = [];
  for await (const { path, type, title } of view.list()) {
    const value = type === "record" ? JSON.stringify(await view.readRecord(path)) : "";
    if (`${title} ${value}`.includes(text)) found.push(path);
  }
  return found;
}

const peopleRows = async () =>
  (await env.DB.prepare("SELECT external_id, state FROM held_person ORDER BY state DESC").all()).results;
const problem = async () =>
  env.DB.prepare("SELECT people_problem AS problem FROM connection").first<string>("problem");

test("a closed account: within a week it is reported, and the next backup holds no name", async () => {
  await protect();
  expect((await holding(NAME)).length).toBeGreaterThan(2);
  await report();
  expect(await reports()).toMatchObject([{ method: "POST", status: 204 }]);
  await report(DAY_MS + HOUR_MS);
  expect(await reports()).toHaveLength(1);
  await jira.control(`people/${IVO}/close`, {});
  await backUpNow();
  await report(6 * DAY_MS);
  expect(await reports()).toMatchObject([{ status: 204 }, { status: 200 }]);
  expect(await peopleRows()).toContainEqual({ external_id: expect.any(String), state: "closed" });
  await backUpNow();
  expect(await holding(NAME)).toEqual([]);
  expect((await holding("Former user")).length).toBeGreaterThan(2);
  await report(8 * DAY_MS);
  expect((await reports()).at(-1)).toMatchObject({ status: 204 });
  await jira.control("sites/meridian/issues/YARD-1/comments", { text: "Green.", login: NORA });
  await backUpNow();
  expect(await holding(NAME)).toEqual([]);
  expect(await jira.refusals()).toEqual([]);
});

test("a renamed person: the next backup has the new name everywhere", async () => {
  await protect();
  const named = await holding(NAME);
  await jira.control(`people/${IVO}/edit`, { displayName: "Ivo Marinov" });
  await report(HOUR_MS);
  await backUpNow();
  expect(await holding(NAME)).toEqual([]);
  expect(await holding("Ivo Marinov")).toEqual(named);
  await report(8 * DAY_MS);
  expect((await reports()).map(({ status }) => status)).toEqual([200, 204]);
});

test("the new name of the connection's owner is read, also when the first attempt fails", async () => {
  await protect();
  const fullNames = async () =>
    (await listAllConnections(world.services, world.member)).map(({ fullName }) => fullName);
  const before = await fullNames();
  await jira.control(`people/${NORA}/edit`, { displayName: "Nora Holm" });
  const match = { path: "/user/bulk" };
  await jira.fault({ action: { kind: "rate-limit", shape: "global", retryAfter: "3600" }, match });
  await report();
  expect(await fullNames()).toEqual(before);
  await report(2 * HOUR_MS);
  expect(await fullNames()).toEqual(["Nora Holm"]);
});

test("news that comes while a backup runs waits for the next one", async () => {
  await protect();
  await report();
  await env.DB.prepare("UPDATE held_person SET state = 'closed', told_at = ?1")
    .bind(world.clock.now() + DAY_MS + HOUR_MS)
    .run();
  await backUpNow();
  expect(await holding(NAME)).not.toEqual([]);
  await backUpNow();
  expect(await holding(NAME)).toEqual([]);
});

/** Adds items whose newest versions cannot be opened. */
async function addBroken(count: number): Promise<void> {
  const copy = async (table: string, changed: Readonly<Record<string, string>>) => {
    const columns = await world.rows<{ name: string }>(`PRAGMA table_info(${table})`);
    const values = columns.map(({ name }) => changed[name] ?? name);
    await world.rows(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
       INSERT INTO ${table} SELECT ${values.join(", ")}
       FROM (SELECT * FROM ${table} WHERE ${table === "item" ? "id" : "item_id"} = ?2 LIMIT 1), number`,
      count,
      itemId,
    );
  };
  await copy("item", { id: "'itm_broken' || n", external_id: "'broken' || n" });
  await copy("snapshot", {
    id: "'snp_broken' || n",
    item_id: "'itm_broken' || n",
    run_id: "'run_broken' || n",
  });
}

/** The times since when names may be held, and how many people there are. */
const heldSince = async () =>
  env.DB.prepare(
    "SELECT min(held_since) AS first, max(held_since) AS last, count(*) AS people FROM held_person",
  ).first<{ first: number; last: number; people: number }>();

test("a connection of more than a thousand items is gathered in several messages, and reported once", async () => {
  await protect();
  await addBroken(1_100);
  await report();
  expect(await reports()).toMatchObject([{ method: "POST", status: 204 }]);
  expect((await peopleRows()).length).toBeGreaterThan(1);
});

test("a message of the gathering that comes twice reports nobody twice", async () => {
  await protect();
  const { organisationId } = world.member;
  await report();
  const { id: connectionId, since } = (await env.DB.prepare(
    "SELECT id, people_gathered_at AS since FROM connection",
  ).first<{ id: string; since: number }>())!;
  await reportPeople(world.services, { organisationId, connectionId, since, after: "", isWhole: true });
  await reportPeople(world.services, { organisationId, connectionId });
  expect(await reports()).toHaveLength(1);
});

test("who is found after a report that could not read all versions may be held since the site was connected", async () => {
  await protect();
  const createdAt = await env.DB.prepare("SELECT created_at AS at FROM connection").first<number>("at");
  await addBroken(1);
  await report();
  const { people } = (await heldSince())!;
  await world.rows("DELETE FROM snapshot WHERE item_id = 'itm_broken1'");
  await world.rows("DELETE FROM item WHERE id = 'itm_broken1'");
  await jira.control("sites/meridian/issues/YARD-1/comments", { text: "Green.", login: ASA });
  await backUpNow();
  await report(8 * DAY_MS);
  expect(await heldSince()).toEqual({ first: createdAt, last: createdAt, people: people + 1 });
});

test("a version that notes nobody is not taken for one without people", async () => {
  await protect();
  const { organisationId } = world.member;
  const connectionId = (await env.DB.prepare("SELECT id FROM connection").first<string>("id"))!;
  const real = world.services.connectors.get("jira")!;
  const jiraBefore = { ...real, people: { ...real.people!, listPeople: async function* () {} } };
  const connectors = new Map([...world.services.connectors, ["jira", jiraBefore]]);
  await reportPeople({ ...world.services, connectors }, { organisationId, connectionId });
  const createdAt = await env.DB.prepare("SELECT created_at AS at FROM connection").first<number>("at");
  await report(8 * DAY_MS);
  expect(await heldSince()).toMatchObject({ first: createdAt, last: createdAt });
  expect((await heldSince())!.people).toBeGreaterThan(1);
});

test("a full batch of news takes few queries, and cannot reopen a report that has ended", async () => {
  await protect();
  await report();
  const { organisationId } = world.member;
  const connectionId = (await env.DB.prepare("SELECT id FROM connection").first<string>("id"))!;
  const rows = Array.from({ length: 90 }, (_, index) => ({
    externalId: `a:${index}`,
    state: "closed" as const,
  }));
  await env.DB.prepare(
    `INSERT INTO held_person (connection_id, external_id, organisation_id, held_since, seen_at)
     SELECT ?1, json_extract(value, '$.externalId'), ?2, 0, 0 FROM json_each(?3)`,
  )
    .bind(connectionId, organisationId, JSON.stringify(rows))
    .run();
  const account = { organisationId, connectionId };
  const toldAt = world.clock.now();
  await world.limits.invocation(async () => {
    // As many batches as one message reports.
    for (let calls = 0; calls < 20; calls++) {
      await saveNews(world.services.control, account, { news: rows, upTo: "a:9", now: toldAt });
    }
  });
  const closed = (await peopleRows()).filter(({ state }) => state === "closed");
  expect(closed).toHaveLength(90);
  expect(
    await env.DB.prepare("SELECT people_told_up_to AS at FROM connection").first<string>("at"),
  ).toBeNull();
});

test("a 429 waits for its time, and is no problem; reports go on in batches of ninety", async () => {
  await protect();
  await jira.fault({ action: { kind: "rate-limit", shape: "global" }, match: { path: REPORTS } });
  await report();
  expect(await reports()).toMatchObject([{ status: 429 }]);
  expect(await problem()).toBeNull();
  const { organisationId } = world.member;
  const connectionId = await env.DB.prepare("SELECT id FROM connection").first<string>("id");
  const many = Array.from({ length: 200 }, (_, index) => `a:${String(index).padStart(3, "0")}`);
  await env.DB.prepare(
    `INSERT INTO held_person (connection_id, external_id, organisation_id, held_since, seen_at)
     SELECT ?1, value, ?2, 0, 0 FROM json_each(?3)`,
  )
    .bind(connectionId, organisationId, JSON.stringify(many))
    .run();
  await report(2 * HOUR_MS);
  expect((await reports()).slice(1).map(({ status }) => status)).toEqual([204, 204, 204]);
  expect(await jira.refusals()).toEqual([]);
});

test("an access without the scope is refused, tried again after a week, and stays as it is", async () => {
  await protect();
  await jira.control("withdraw-scope", { scope: "report:personal-data" });
  await report();
  expect(await reports()).toMatchObject([{ status: 401 }]);
  const told = async () =>
    (await listAllConnections(world.services, world.member)).map(({ peopleProblem }) => peopleProblem);
  expect(await told()).toEqual([expect.stringContaining("report of accounts")]);
  expect((await listAllConnections(world.services, world.member)).map(({ status }) => status)).toEqual([
    "active",
  ]);
  await report(2 * DAY_MS);
  expect(await reports()).toHaveLength(1);
  await report(6 * DAY_MS);
  expect(await reports()).toHaveLength(2);
  // Another consent brings the scope, and the next tick reports.
  await connect(world, "jira", NORA, { site });
  await report();
  expect((await reports()).at(-1)).toMatchObject({ status: 204 });
  expect(await told()).toEqual([null]);
});

test("no report is queued for a platform that does not ask for one, nor for a connection that is lost", async () => {
  await connect(world);
  await world.tick(queuePeopleReports);
  expect(world.queue.letters).toEqual([]);
  await protect();
  await env.DB.prepare("UPDATE connection SET status = 'revoked' WHERE platform = 'jira'").run();
  await report(8 * DAY_MS);
  expect(await reports()).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlatformPlace, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { expectPlanKept } from "#tests/conformance/expect-plan-kept.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, testSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import { createGroup, createUser, findNamespace, findUser } from "./simulator/namespaces.ts";
import type { Group, Project } from "./simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld } from "./test-world.ts";

let world: GitlabTestWorld;
let token: string;
let version: MemorySnapshot;
beforeAll(async () => {
  world = await openGitlabWorld("project", { issueLimit: 100_000, noteLimit: 100_000, rateLimit: 1_000_000 });
  token = await world.issueToken();
  const project = await world.makeProject("with-gaps");
  const at = `/projects/${project.id}`;
  for (const iid of [2, 5]) {
    const created_at = `2025-0${iid}-02T10:00:00.000Z`;
    await world.ask("POST", `${at}/issues`, { iid, title: `Issue ${iid}`, created_at });
    await world.ask("POST", `${at}/issues/${iid}/notes`, { body: "Seen", created_at });
  }
  version = await versionOf(project);
});
afterAll(() => world.stop());

const session = () => testSession({ config: world.config, token, accountName: world.accountName });
const listAll = async () => (await connector.listPlaces(session(), { page: 0, perPage: 1_000 })).items;

async function versionOf(project: Project): Promise<MemorySnapshot> {
  const item = await connector.getItem(session(), { kind: "project", ...world.reference(project) });
  return takeSnapshot(connector.backUp(session(), { item, previous: null, cursor: null }));
}

async function placeNamed(name: string): Promise<PlatformPlace> {
  const found = (await listAll()).find((place) => place.name === name);
  if (found === undefined) throw new Error(`There is no place ${name}`);
  return found;
}

function groupOf(path: string): Group {
  const found = findNamespace(world.simulator.world, path);
  if (found?.kind !== "group") throw new Error(`There is no group ${path}`);
  return found.group;
}

/** A group in which Nora has a role. */
function join(path: string, level: number, more: Partial<Group> = {}): Group {
  const userId = findUser(world.simulator.world, world.accountName)?.id ?? 0;
  const members = [{ userId, level, createdAt: "2025-01-01T00:00:00.000Z", expiresAt: null }];
  return createGroup(world.simulator.world, { path, name: path, members, ...more });
}

async function restoreInto(place: PlatformPlace | null, name: string) {
  const order = asNew(name, { place });
  const by = session();
  const plan = await connector.planRestore({ accountName: world.accountName }, version, order);
  const { item, events } = await runRestore(connector.restore(by, version, order, memoryJournal()));
  expectPlanKept(plan, { events, session: by, apiUrl: `${world.simulator.url}/api/` });
  const issues = await world.ask<{ iid: number; created_at: string }[]>(
    "GET",
    `/projects/${item.externalId}/issues?order_by=created_at&sort=asc`,
  );
  return { item, issues, changed: changesOf(events), planned: plan.changed.map(({ what }) => what) };
}

const changesOf = (events: readonly RestoreEvent[]) => [
  ...new Set(events.flatMap((event) => (event.type === "changed" ? [event.what] : []))),
];

test("places are the own namespace and every group, including inherited subgroups, with what a restore may do", async () => {
  join("sandbox", 30);
  join("reading", 20);
  join("closed", 50, { projectCreation: "noone" });
  join("by-admins", 50, { projectCreation: "administrator" });
  join("owners-only", 40, { projectCreation: "owner" });
  join("owners-only-mine", 50, { projectCreation: "owner" });
  join("maintainers", 40, { projectCreation: "maintainer" });
  createGroup(world.simulator.world, { path: "strangers", name: "Strangers", visibility: "public" });
  const places = await listAll();
  expect(places[0]).toMatchObject({ name: world.accountName, type: "User" });
  expect(places.slice(1).map(({ name, restores }) => [name, restores ?? "wholly"])).toEqual([
    ["by-admins", "no"],
    ["closed", "no"],
    ["harbour-works", "partly"],
    ["maintainers", "partly"],
    ["meridian-freight", "wholly"],
    ["meridian-freight/docks", "wholly"],
    ["owners-only", "no"],
    ["owners-only-mine", "wholly"],
    ["reading", "no"],
    ["sandbox", "no"],
  ]);
  expect(new Set(places.map(({ externalId }) => externalId)).size).toBe(places.length);
});

test("a group lists its projects and those of subgroups, without merely public ones", async () => {
  const { world: simulated } = world.simulator;
  const stranger = createUser(simulated, { username: "stranger", name: "Stranger" });
  const open = createGroup(simulated, { path: "open-group", name: "Open", visibility: "public" });
  for (const [name, group] of [
    ["in-freight", "meridian-freight"],
    ["in-docks", "meridian-freight/docks"],
    ["in-harbour", "harbour-works"],
  ] as const) {
    await world.makeProject(name, { namespaceId: groupOf(group).id });
  }
  await world.makeProject("public-of-strangers", {
    namespaceId: open.id,
    creatorId: stranger.id,
    visibility: "public",
  });
  const namesIn = async (place: PlatformPlace | null, name: string | null = null) => {
    const query = { kind: "project", place, name, page: 0, perPage: 100 };
    return (await connector.listItems(session(), query)).items.map((item) => item.name);
  };
  expect(await namesIn(await placeNamed("meridian-freight"))).toEqual(["in-freight", "in-docks"]);
  expect(await namesIn(await placeNamed("meridian-freight/docks"))).toEqual(["in-docks"]);
  expect(await namesIn(await placeNamed("meridian-freight"), "DOCK")).toEqual(["in-docks"]);
  const own = await namesIn(await placeNamed(world.accountName));
  expect(own).toContain("with-gaps");
  expect(own).not.toContain("in-freight");
  expect(await namesIn(null)).toEqual(expect.arrayContaining(["with-gaps", "in-docks", "in-harbour"]));
  const place = { externalId: `group-${open.id}`, name: "x", type: "group", isOwn: false, details: null };
  expect(await namesIn(place)).toEqual([]);
});

test("snippets of a group are those of its projects, and the own namespace has the personal ones", async () => {
  const inside = await world.makeProject("snippet-home", { namespaceId: groupOf("meridian-freight").id });
  await world.makeSnippet("of the group", { projectId: inside.id });
  const titlesIn = async (name: string) => {
    const query = { kind: "snippet", place: await placeNamed(name), name: null, page: 0, perPage: 100 };
    return (await connector.listItems(session(), query)).items.map((item) => item.name);
  };
  expect(await titlesIn("meridian-freight")).toEqual(["of the group"]);
  const own = await titlesIn(world.accountName);
  expect(own).toContain("deploy hook");
  expect(own).not.toContain("of the group");
});

test("in an own group numbers and dates are restored, and its members are named as readers", async () => {
  const { item, issues, changed, planned } = await restoreInto(await placeNamed("meridian-freight"), "kept");
  expect(item.fullName).toBe("meridian-freight/kept");
  expect(issues.map(({ iid, created_at }) => [iid, created_at.slice(0, 7)])).toEqual([
    [2, "2025-02"],
    [5, "2025-05"],
  ]);
  expect(changed).toContain("Seen by the members of meridian-freight");
  expect(planned.filter((what) => /Numbers|Dates/.test(what))).toEqual([]);
  expect(changed.filter((what) => /Numbers|Dates/.test(what))).toEqual([]);
  const twice = await restoreInto(await placeNamed("meridian-freight"), "kept");
  expect(twice.item.fullName).toBe("meridian-freight/kept-2");
});

test("in a group of others numbers and dates are lost, which plan and report state", async () => {
  const { item, issues, changed, planned } = await restoreInto(await placeNamed("harbour-works"), "lost");
  expect(item.fullName).toBe("harbour-works/lost");
  expect(issues.map(({ iid }) => iid)).toEqual([1, 2]);
  expect(issues.every(({ created_at }) => !created_at.startsWith("2025-0"))).toBe(true);
  const lost = ["Numbers of issues", "Dates of issues", "Dates of comments"];
  expect(planned).toEqual(expect.arrayContaining(lost));
  expect(changed).toEqual(expect.arrayContaining(lost));
});

test("by default the project is created in the own namespace and is private", async () => {
  for (const place of [null, await placeNamed(world.accountName)]) {
    const { item, changed } = await restoreInto(place, `mine-${place === null ? 1 : 2}`);
    expect(item.fullName.startsWith(`${world.accountName}/`)).toBe(true);
    expect(changed.some((what) => what.startsWith("Seen by"))).toBe(false);
  }
});

import { afterEach, beforeEach, expect, test } from "vitest";
import type { PersonNews } from "#connectors/contract/people.ts";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { TestSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import { people } from "./people.ts";
import { findPerson } from "./simulator/store.ts";
import { type JiraTestWorld, openJiraWorld, type ProjectReference } from "./test-world.ts";

const IVO = "ivo@meridian.example";
const NAME = "Ivo Petrov";

let world: JiraTestWorld;
let project: ProjectReference;
let ivo: string;

beforeEach(async () => {
  world = await openJiraWorld();
  project = await world.makeProject("YARD");
  const person = findPerson(world.simulator.world, IVO)!;
  expect(person.displayName).toBe(NAME);
  ivo = person.accountId;
  const { key } = await world.makeIssue("YARD", "Paint the gate", { login: IVO });
  const at = `/sites/meridian/issues/${key}`;
  await world.happen(`${at}/comments`, { login: IVO, text: "Which colour?" });
  await world.happen(`${at}/edit`, { login: IVO, fields: { assignee: { accountId: ivo } } });
  await world.happen(`${at}/edit`, { login: IVO, fields: { assignee: null } });
  await world.makeIssue("YARD", "Mow the lawn");
  // Nothing changed lately, so that later backups do not list these issues again.
  for (const [index, issue] of world.site.issues.entries()) {
    issue.createdAt -= DAY_MS;
    issue.updatedAt = Date.now() - DAY_MS + index * 600_000;
    issue.indexDueAt = 0;
  }
});
afterEach(() => world.stop());

async function backUp(
  previous: MemorySnapshot | null,
  peopleNews: PersonNews[] = [],
  by?: TestSession,
): Promise<{ version: MemorySnapshot; session: TestSession }> {
  const session = by ?? (await quiet());
  const item = await connector.getItem(session, { kind: "project", ...project });
  const order = { item, previous, cursor: null, peopleNews };
  return { version: await takeSnapshot(connector.backUp(session, order), previous), session };
}

/** A session at a day on which a project at rest is not read again. */
async function quiet(): Promise<TestSession> {
  let now = Date.now() + 2 * DAY_MS;
  while (isWholeDay(project.externalId, now)) now += DAY_MS;
  return { ...(await world.session()), clock: { now: () => now } };
}

/** Paths of the records that hold a text, also in their titles. */
function holding(version: MemorySnapshot, text: string): string[] {
  const all = [...version.entries.values()];
  return all
    .filter(({ info, bytes }) => info.title?.includes(text) || new TextDecoder().decode(bytes).includes(text))
    .map(({ info }) => info.path);
}

async function heldPeople(version: MemorySnapshot) {
  const all = [];
  for await (const one of people.listPeople(version)) all.push(one);
  return all;
}

const told = (state: PersonNews["state"]): PersonNews => ({ externalId: ivo, state });

test("a version notes whose names it holds, and an unchanged one costs no call for it and stays equal", async () => {
  const { version: first } = await backUp(null);
  expect(holding(first, NAME).length).toBeGreaterThan(3);
  const held = await heldPeople(first);
  expect(held).toContain(ivo);
  expect(new Set(held).size).toBe(held.length);
  const { version: second, session } = await backUp(first);
  expect(session.requests).toHaveLength(5);
  expect([...second.entries.keys()].sort()).toEqual([...first.entries.keys()].sort());
  for (const [path, { info }] of second.entries)
    expect(info.hash, path).toBe(first.entries.get(path)!.info.hash);
});

test("the name of a closed account goes from every record, also of issues at rest, without a call", async () => {
  const { version: first } = await backUp(null);
  const named = holding(first, NAME);
  await world.happen(`/people/${IVO}/close`, {});
  const { version: second, session } = await backUp(first, [told("closed")]);
  expect(holding(second, NAME)).toEqual([]);
  expect(session.requests).toHaveLength(5);
  for (const path of named) expect(holding(second, "Former user"), path).toContain(path);
  expect([...second.entries.keys()].filter((path) => !path.startsWith("people/")).sort()).toEqual(
    [...first.entries.keys()].filter((path) => !path.startsWith("people/")).sort(),
  );
  expect(await heldPeople(second)).not.toContain(ivo);
  const comment = [...second.entries.values()].find(({ info }) => info.kind === "comment")!;
  expect(comment.info.title).toBe("Former user: Which colour?");
});

test("a name that Jira still has in its history does not come back when the issue is read again", async () => {
  const { version: first } = await backUp(null);
  await world.happen(`/people/${IVO}/close`, {});
  const closed = [told("closed")];
  const { version: second } = await backUp(first, closed);
  const [issue] = world.site.issues;
  await world.happen(`/sites/meridian/issues/YARD-1/comments`, { text: "Green." });
  expect(issue!.changes.some(({ items }) => JSON.stringify(items).includes(NAME))).toBe(true);
  const { version: third } = await backUp(second, closed);
  expect(holding(third, "Green.")).not.toEqual([]);
  expect(holding(third, NAME)).toEqual([]);
  const { version: whole } = await backUp(null, closed);
  expect(holding(whole, NAME)).toEqual([]);
  expect(await heldPeople(whole)).not.toContain(ivo);
});

test("a changed name is asked for once and renewed everywhere", async () => {
  const { version: first } = await backUp(null);
  const named = holding(first, NAME);
  await world.happen(`/people/${IVO}/edit`, { displayName: "Ivo Marinov" });
  const changed = [told("changed")];
  const { version: second, session: later } = await backUp(first, changed);
  expect(holding(second, NAME)).toEqual([]);
  for (const path of named) expect(holding(second, "Ivo Marinov"), path).toContain(path);
  expect(later.requests.filter(({ url }) => url.includes("/user/bulk"))).toHaveLength(1);
  expect(await heldPeople(second)).toEqual(await heldPeople(first));
  const { version: third, session } = await backUp(second);
  expect(session.requests.filter(({ url }) => url.includes("/user/bulk"))).toHaveLength(0);
  expect(holding(third, "Ivo Marinov")).toEqual(holding(second, "Ivo Marinov"));
});

test("an issue that is read in its turn does not bring the old name of a watcher back", async () => {
  await world.happen("/sites/meridian/issues/YARD-1/watchers", { login: IVO });
  const { version: first } = await backUp(null);
  expect(holding(first, NAME).some((path) => path.endsWith("/extras.json"))).toBe(true);
  await world.happen(`/people/${IVO}/edit`, { displayName: "Ivo Marinov" });
  const later = Date.now() + 60 * DAY_MS;
  const session = { ...(await world.session()), clock: { now: () => later } };
  const { version: second } = await backUp(first, [told("changed")], session);
  expect(session.requests.some(({ url }) => url.includes("/user/bulk"))).toBe(true);
  expect(holding(second, NAME)).toEqual([]);
});

test("a version of an earlier release is read once", async () => {
  const { version: first } = await backUp(null);
  for (const path of [...first.entries.keys()]) if (path.startsWith("people/")) first.entries.delete(path);
  const { version: second } = await backUp(first);
  expect(await heldPeople(second)).toContain(ivo);
  const { version: third } = await backUp(second, [told("closed")]);
  expect(holding(third, NAME)).toEqual([]);
  const { version: direct } = await backUp(first, [told("closed")]);
  expect(holding(direct, NAME)).toEqual([]);
});

test("a run that stops within the renewal goes on where it stopped", async () => {
  const { version: first } = await backUp(null);
  await world.happen(`/people/${IVO}/close`, {});
  const session = await quiet();
  const item = await connector.getItem(session, { kind: "project", ...project });
  const peopleNews = [told("closed")];
  const events: BackupEvent[] = [];
  for await (const event of connector.backUp(session, {
    item,
    previous: first,
    cursor: null,
    peopleNews,
  })) {
    events.push(event);
  }
  const points = events.flatMap((event, index) =>
    event.type === "offer" ? [[event.cursor, index] as const] : [],
  );
  expect(points.length).toBeGreaterThan(2);
  for (const [cursor, index] of points) {
    const rest = connector.backUp(await quiet(), { item, previous: first, cursor, peopleNews });
    async function* joined() {
      yield* events.slice(0, index);
      yield* rest;
    }
    expect(holding(await takeSnapshot(joined(), first), NAME)).toEqual([]);
  }
});

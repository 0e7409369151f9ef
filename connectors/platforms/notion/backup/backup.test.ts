import { afterEach, expect, test } from "vitest";
import type { EntryInfo } from "#connectors/contract/snapshot-view.ts";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { hashes, isContent, joined, kindsOf, takeUntil } from "#tests/conformance/connector/suite.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { inventory } from "../inventory.ts";
import { recordPaths } from "../record-paths.ts";
import { seedKit } from "../simulator/seed-kit.ts";
import type { NotionSettings } from "../simulator/state.ts";
import { type NotionTestWorld, openNotionWorld } from "../test-world.ts";
import { backUp } from "./back-up.ts";

let world: NotionTestWorld | null = null;
afterEach(async () => {
  await world?.stop();
  world = null;
});

async function open(settings: Partial<NotionSettings> = {}) {
  world = await openNotionWorld(settings);
  const opened = world;
  let aheadMs = 0;
  let isPicked = false;
  let token = await opened.issueToken();
  let details = opened.connectionDetails ?? null;
  const session = (): TestSession => ({
    ...testSession({ config: opened.config, token, accountName: "Nora", connectionDetails: details }),
    clock: { now: () => Date.now() + aheadMs },
  });
  const events = async (
    previous: MemorySnapshot | null,
    cursor: Json | null,
    by: TestSession,
    isLastAttempt: () => boolean = () => false,
  ) => {
    if (!isPicked) await opened.happen("shared-pages", { pages: opened.tops() });
    const reference = { kind: "workspace", externalId: opened.workspaceId, fullName: "" };
    const item = await inventory.getItem(by, reference);
    by.requests.length = 0;
    return backUp(by, { item, previous, cursor, isLastAttempt });
  };
  return {
    ...opened,
    events,
    session,
    /** Lets days pass at Notion and here. */
    async wait(ms: number) {
      aheadMs += ms;
      await opened.happen("clock", { advanceMs: ms });
    },
    /** The owner picks these pages instead. */
    async pick(ids: readonly string[]) {
      isPicked = true;
      token = await opened.tokenFor(ids);
      details = { ...(details as { [key: string]: Json }), grantedAt: Date.now() + aheadMs + 1 };
    },
    async take(previous: MemorySnapshot | null = null, by = session()) {
      return await takeSnapshot(await events(previous, null, by), previous);
    },
    /** A backup and its requests, without those that name the item. */
    async counted(previous: MemorySnapshot | null = null) {
      const by = session();
      const snapshot = await takeSnapshot(await events(previous, null, by), previous);
      return { snapshot, calls: by.requests.map(({ method, url }) => `${method} ${short(url)}`) };
    },
  };
}

/** The path of a request without the host and the ids. */
const short = (url: string) =>
  new URL(url).pathname
    .replace("/v1", "")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "{id}");

const page = (id: string) => recordPaths.page(recordPaths.pageHome(id));
const textOf = (snapshot: MemorySnapshot, id: string) => {
  const entry = snapshot.entries.get(recordPaths.blocks(recordPaths.pageHome(id), 0));
  return entry === undefined ? "" : new TextDecoder().decode(entry.bytes);
};

test("a version has everything, and its counts are those of the platform", async () => {
  const { happen, take } = await open();
  await happen("pages", { title: "Quay 7", content: "fleet" });
  const snapshot = await take();
  expect(snapshot.skipped).toEqual([]);
  const kinds = kindsOf(snapshot);
  for (const kind of [
    ...["page", "database", "data-source", "row", "template", "view", "comment", "file", "user", "emoji"],
  ])
    expect(kinds[kind], kind).toBeGreaterThan(0);
  for (const [kind, count] of Object.entries(snapshot.reported))
    expect([kind, kinds[kind]]).toEqual([kind, count]);
});

test("an unchanged workspace costs a fixed number of requests and gives the same version", async () => {
  const { happen, take, counted, wait } = await open();
  await happen("pages", { title: "Quay 7", content: "fleet" });
  await wait(2 * HOUR_MS);
  const first = await take();
  const { snapshot, calls } = await counted(first);
  expect(hashes(snapshot)).toEqual(hashes(first));
  expect(snapshot.reported).toEqual(first.reported);
  const sources = kindsOf(first)["data-source"]!;
  expect(calls.sort()).toEqual([
    "GET /custom_emojis",
    "GET /users",
    ...Array.from({ length: sources }, () => "POST /data_sources/{id}/query"),
    "POST /search",
    "POST /search",
  ]);
});

test("a changed page costs its own requests", async () => {
  const { happen, take, counted, wait } = await open();
  const { id } = await happen("pages", { title: "Quay 7", text: "one" });
  await happen("pages", { title: "Quay 8", text: "other" });
  await wait(2 * HOUR_MS);
  const first = await take();
  await happen(`pages/${id}/edit`, { text: "two" });
  const { snapshot, calls } = await counted(first);
  expect(textOf(snapshot, id)).toContain("two");
  expect(calls.sort()).toEqual([
    "GET /blocks/{id}/children",
    "GET /comments",
    "GET /custom_emojis",
    "GET /users",
    "POST /search",
    "POST /search",
  ]);
});

test("pages that the search misses are found below others, and nothing is taken for deleted", async () => {
  const { happen, take } = await open();
  const { id: above } = await happen("pages", { title: "Above", text: "x" });
  const { id: below } = await happen("pages", { title: "Below", parentId: above, text: "y" });
  const { id: deep } = await happen("tables", { title: "Deep", parentId: below, rows: ["a", "b"] });
  await happen("miss-in-search", { ids: [below, deep] });
  const first = await take();
  expect(first.entries.has(page(below))).toBe(true);
  expect(kindsOf(first)).toMatchObject({ database: 1, row: 2 });
  await happen("miss-in-search", { ids: [above] });
  const second = await take(first);
  expect(hashes(second, isContent)).toEqual(hashes(first, isContent));
});

test("a change that the search shows late is found by the next backup", async () => {
  const { happen, take, wait } = await open({ searchLagMs: HOUR_MS / 2 });
  const { id } = await happen("pages", { title: "Quay 7", text: "one" });
  const { id: other } = await happen("pages", { title: "Quay 8", text: "other" });
  await wait(2 * HOUR_MS);
  const first = await take();
  await happen(`pages/${id}/edit`, { text: "two" });
  await wait(HOUR_MS / 3);
  await happen(`pages/${other}/edit`, { text: "later" });
  await wait(HOUR_MS / 3);
  const second = await take(first);
  await wait(HOUR_MS);
  const third = await take(second);
  expect(textOf(third, id)).toContain("two");
  expect(textOf(third, other)).toContain("later");
});

test("a page in the trash leaves the version with everything below it", async () => {
  const { happen, take, wait } = await open();
  const { id: above } = await happen("pages", { title: "Above", text: "x" });
  const { id: doomed } = await happen("pages", { title: "Doomed", parentId: above, text: "y" });
  const { id: below } = await happen("pages", { title: "Below", parentId: doomed, text: "z" });
  await happen("tables", { title: "Table", parentId: doomed, rows: ["a"] });
  const first = await take();
  expect(kindsOf(first)).toMatchObject({ page: 3, row: 1 });
  await happen(`things/${doomed}/trash`, {});
  await happen(`pages/${above}/edit`, { text: "changed" });
  const second = await take(first);
  expect([second.entries.has(page(doomed)), second.entries.has(page(below))]).toEqual([false, false]);
  expect(kindsOf(second)).toMatchObject({ page: 1 });
  expect(kindsOf(second).row).toBeUndefined();
  expect(second.reported).toMatchObject({ page: 1 });
  await happen(`things/${doomed}/bring-back`, {});
  await wait(6 * DAY_MS);
  await happen(`pages/${above}/edit`, { text: "changed again" });
  const third = await take(second);
  expect(third.entries.has(page(below))).toBe(true);
});

test("a silent deletion is found within a week, also of a row", async () => {
  const { happen, take, wait } = await open();
  const { id: above } = await happen("pages", { title: "Above", text: "x" });
  const { id: doomed } = await happen("pages", { title: "Doomed", parentId: above, text: "y" });
  const table = await happen<{ dataSourceId: string; rowIds: string[] }>("tables", {
    title: "Table",
    parentId: above,
    rows: ["a", "b"],
  });
  let version = await take();
  await happen(`things/${doomed}/delete`, {});
  await happen(`things/${table.rowIds[0]}/delete`, {});
  for (const days of [1, 2, 1, 1, 2]) {
    await wait(days * DAY_MS);
    version = await take(version);
  }
  expect(version.entries.has(page(doomed))).toBe(false);
  expect(kindsOf(version).row).toBe(1);
});

test("a row that Notion neither lists nor shows stays in the version, unless it is not found", async () => {
  const { happen, take, wait, session } = await open();
  const table = await happen<{ rowIds: string[] }>("tables", { title: "Table", rows: ["a", "b"] });
  const row = table.rowIds[0]!;
  const first = await take();
  await happen(`things/${row}/delete`, {});
  await wait(7 * DAY_MS);
  const by = session();
  const quick = by.fetch;
  by.fetch = async (url, init) => {
    const isRow = url.endsWith(`/pages/${row}`);
    return isRow ? Response.json({ code: "restricted_resource" }, { status: 403 }) : await quick(url, init);
  };
  const second = await take(first, by);
  expect(kindsOf(second).row).toBe(2);
  await wait(7 * DAY_MS);
  expect(kindsOf(await take(second)).row).toBe(1);
});

test("an edit that bumps nothing is found within a week, also when a day was missed", async () => {
  const { happen, take, wait } = await open();
  const ids: string[] = [];
  for (const title of ["a", "b", "c", "d", "e", "f", "g"])
    ids.push((await happen("pages", { title, text: "old" })).id);
  let version = await take();
  for (const days of [1, 1, 2, 1]) {
    await wait(days * DAY_MS);
    version = await take(version);
  }
  for (const id of ids) await happen(`pages/${id}/edit`, { text: "new", isSilent: true });
  for (const days of [1, 2, 1, 2]) {
    await wait(days * DAY_MS);
    version = await take(version);
  }
  for (const id of ids) expect(textOf(version, id)).toContain("new");
});

test("comments on blocks are read within thirty days", async () => {
  const { happen, take, wait } = await open();
  const pages = [];
  for (const title of ["a", "b", "c"]) pages.push(await happen("pages", { title, text: "old" }));
  let version = await take();
  for (const { id } of pages) {
    const block = await happen("blocks", { parentId: id, text: "new", isSilent: true });
    await happen("comments", { onId: block.id, text: "Look here" });
  }
  for (let day = 0; day < 30; day += 2) {
    await wait(2 * DAY_MS);
    version = await take(version);
  }
  expect(kindsOf(version).comment).toBe(3);
});

test("rows beyond the limit of a query are read in windows", async () => {
  const { happen, take } = await open({ queryRows: 120 });
  const { id } = await happen("pages", { title: "Above", text: "x" });
  await happen("generate", { rootId: id, rows: 500 });
  const first = await take();
  expect(first.skipped).toEqual([]);
  expect(kindsOf(first).row).toBe(500);
});

test("a minute with more rows than a query gives is split, and what nothing gives is reported", async () => {
  const { happen, take } = await open({ queryRows: 100 });
  const rows = Array.from({ length: 150 }, (_, index) => `row ${index}`);
  await happen("tables", { title: "Import", rows });
  const first = await take();
  expect(kindsOf(first).row).toBeGreaterThanOrEqual(100);
  expect(first.skipped.map(({ kind }) => kind)).toEqual(["row"]);
});

test("a backup resumed from any checkpoint equals the whole, first and later", async () => {
  const { happen, events, take, session, wait } = await open({ queryRows: 60 });
  const { id } = await happen("pages", { title: "Quay 7", content: "fleet" });
  await happen("generate", {
    rootId: id,
    pages: 30,
    blocks: 30,
    rows: 70,
    rowBlocks: 2,
    comments: 10,
    files: 5,
  });
  const first = await take();
  await wait(3 * DAY_MS);
  await happen(`pages/${id}/edit`, { text: "changed" });
  for (const previous of [null, first]) {
    const whole = await take(previous);
    expect(whole.checkpoints.length).toBeGreaterThan(3);
    const step = Math.ceil(whole.checkpoints.length / 5);
    for (let cut = 0; cut < whole.checkpoints.length; cut += step) {
      const { begun, cursor } = await takeUntil(await events(previous, null, session()), cut);
      const rest = await takeSnapshot(joined(begun, await events(previous, cursor, session())), previous);
      expect(hashes(rest), `cut at ${cut}`).toEqual(hashes(whole));
      expect(rest.reported).toEqual(whole.reported);
    }
  }
}, 120_000);

test("a page of many blocks has checkpoints inside", async () => {
  const { happen, take } = await open();
  const { id } = await happen("pages", { title: "Above", text: "x" });
  await happen("generate", { rootId: id, pages: 1, blocks: 3_000 });
  const first = await take();
  const parts = [...first.entries.keys()].filter((path) => path.includes("/blocks/"));
  expect(parts.length).toBeGreaterThan(14);
  const inside = first.checkpoints.filter((cursor) => JSON.stringify(cursor).includes('"walk"'));
  expect(inside.length).toBeGreaterThan(5);
});

test("files are read in the step that lists them, again when the address expired, and kept later", async () => {
  const { happen, take } = await open();
  const files = [{ name: "note.txt", text: "Seen" }];
  const { id } = await happen("pages", { title: "Quay 7", files });
  const first = await take();
  expect(first.newStreams).toHaveLength(1);
  await happen("expire-files", {});
  await happen(`pages/${id}/edit`, { title: "Quay 8" });
  const second = await take(first);
  expect(second.newStreams).toEqual([]);
  expect(second.skipped).toEqual([]);
});

test("a file whose address expires before its bytes are read is listed again", async () => {
  const { happen, take, session } = await open();
  const files = [{ name: "note.txt", text: "Seen" }];
  await happen("pages", { title: "Quay 7", files });
  const by = session();
  const quick = by.fetch;
  let asked = 0;
  by.fetch = async (url, init) => {
    if (!url.includes("X-Amz-Signature")) return await quick(url, init);
    asked += 1;
    if (asked === 1) await happen("expire-files", {});
    return await quick(url, init);
  };
  const first = await take(null, by);
  expect(asked).toBe(2);
  expect(first.skipped).toEqual([]);
  expect(first.newStreams).toHaveLength(1);
});

test("after the owner picked other pages, a version has those and no others", async () => {
  const { happen, take, pick } = await open();
  const { id: kept } = await happen("pages", { title: "Kept", text: "x" });
  const { id: left } = await happen("pages", { title: "Left out", text: "y" });
  const { id: below } = await happen("pages", { title: "Below", parentId: left, text: "z" });
  const first = await take();
  await pick([kept, below]);
  const second = await take(first);
  expect([kept, left, below].map((id) => second.entries.has(page(id)))).toEqual([true, false, true]);
  const { roots } = (await second.readRecord(recordPaths.roots)) as { roots: { id: string }[] };
  expect(roots.map(({ id }) => id).sort()).toEqual([kept, below].sort());
  const { notes } = (await second.readRecord(recordPaths.workspace)) as { notes: string[] };
  expect(notes.at(-1)).toContain("“Left out”");
});

test("without the capability to read comments, the version says so once", async () => {
  const { happen, workspaceId, events, session } = await open();
  await happen("pages", { title: "Quay 7", content: "fleet" });
  const capabilities = ["read_content", "read_users"];
  const { token } = await happen<{ token: string }>("token", { login: "nora", isApart: true, capabilities });
  const by = { ...session(), accessToken: async () => token };
  expect(workspaceId).not.toBe("");
  const snapshot = await takeSnapshot(await events(null, null, by), null);
  expect(snapshot.skipped.map(({ kind }) => kind)).toEqual(["comment"]);
  expect(snapshot.skipped[0]?.reason).toContain("“Read comments”");
});

test("a page that moves keeps its place in the version, and becomes a row when it is moved into a table", async () => {
  const { happen, take, wait } = await open();
  const { id: one } = await happen("pages", { title: "One", text: "x" });
  const { id: two } = await happen("pages", { title: "Two", text: "y" });
  const { id: moved } = await happen("pages", { title: "Moved", parentId: one, text: "z" });
  const table = await happen<{ id: string; dataSourceId: string; rowIds: string[] }>("tables", {
    ...{ title: "Table", parentId: one, rows: ["a"] },
  });
  const first = await take();
  await happen(`things/${moved}/move`, { parentId: two });
  const second = await take(first);
  expect(textOf(second, moved)).toContain("z");
  expect(JSON.stringify(await second.readRecord(page(moved)))).toContain(two);
  await happen(`things/${moved}/move`, { parentId: table.dataSourceId });
  let third = await take(second);
  await wait(3 * DAY_MS);
  third = await take(third);
  await wait(3 * DAY_MS);
  third = await take(third);
  // The record of the workspace says how old the looks are.
  const isSame = (entry: EntryInfo) => isContent(entry) && entry.path !== recordPaths.workspace;
  const fresh = await take();
  expect(hashes(third, isSame)).toEqual(hashes(fresh, isSame));
  expect(third.entries.has(page(moved))).toBe(false);
  await happen(`things/${moved}/move`, { parentId: two });
  for (let run = 0; run < 3; run++) {
    await wait(3 * DAY_MS);
    third = await take(third);
  }
  expect(hashes(third, isSame)).toEqual(hashes(await take(), isSame));
});

test("a file that could not be read is read by the next backup, although nothing changed", async () => {
  const { happen, take, simulator, wait } = await open();
  await happen("pages", { title: "Quay 7", files: [{ name: "note.txt", text: "Seen" }] });
  await happen("tables", { title: "Table", rows: ["a"] });
  await wait(3 * HOUR_MS);
  const refuse = { kind: "answer", status: 404, body: {} } as const;
  simulator.files.faults.add({ match: {}, times: 10, action: refuse });
  const first = await take();
  expect(first.skipped.map(({ kind }) => kind)).toEqual(["file"]);
  expect(first.reported.file).toBe(1);
  simulator.files.faults.clear();
  const second = await take(first);
  expect(second.skipped).toEqual([]);
  expect(second.newStreams).toHaveLength(1);
  expect(second.reported.file).toBe(1);
  const third = await take(second);
  expect(hashes(third)).toEqual(hashes(await take(third)));
});

test("a page that vanishes while it is read leaves nothing behind", async () => {
  const { happen, events, session } = await open();
  const { id: above } = await happen("pages", { title: "Above", text: "x" });
  const { id: doomed } = await happen("pages", { title: "Doomed", parentId: above, text: "y" });
  const by = session();
  const quick = by.fetch;
  by.fetch = async (url, init) => {
    if (url.includes(`/blocks/${doomed}/children`)) await happen(`things/${doomed}/delete`, {});
    return await quick(url, init);
  };
  const snapshot = await takeSnapshot(await events(null, null, by), null);
  expect([...snapshot.entries.keys()].filter((path) => path.includes(doomed))).toEqual([]);
  expect(snapshot.skipped).toEqual([]);
  expect(snapshot.reported).toMatchObject({ page: 1 });
});

test("a page that fails to the last attempt is listed, kept, and read by the next backup", async () => {
  const { happen, events, session, take } = await open();
  const { id } = await happen("pages", { title: "Quay 7", text: "one" });
  const first = await take();
  await happen(`pages/${id}/edit`, { text: "two" });
  const by = session();
  const quick = by.fetch;
  by.fetch = async (url, init) =>
    url.includes(`/blocks/${id}/children`) ? new Response("", { status: 502 }) : await quick(url, init);
  const item = { previous: first, isLastAttempt: () => true };
  const failed = await takeSnapshot(await events(first, null, by, item.isLastAttempt), first);
  expect(failed.skipped.map(({ kind }) => kind)).toEqual(["page"]);
  expect(textOf(failed, id)).toContain("one");
  expect(failed.reported).toMatchObject({ page: 1 });
  const next = await take(failed);
  expect(textOf(next, id)).toContain("two");
  expect(next.skipped).toEqual([]);
});

test("what a look finds below a page is read in the same backup", async () => {
  const { happen, take, wait } = await open();
  const { id } = await happen("pages", { title: "Above", text: "x" });
  let version = await take();
  const { id: below } = await happen("pages", { title: "Below", parentId: id, text: "y" });
  const { id: deep } = await happen("pages", { title: "Deep", parentId: below, text: "z" });
  await happen("miss-in-search", { ids: [id, below, deep] });
  for (const days of [2, 2, 2]) {
    await wait(days * DAY_MS);
    version = await take(version);
  }
  expect([version.entries.has(page(below)), version.entries.has(page(deep))]).toEqual([true, true]);
  expect(version.reported).toMatchObject({ page: 3 });
});

test("a copy of a synced block has what it shows, also when the original is out of reach", async () => {
  const { happen, take, pick, simulator } = await open();
  const { id: home } = await happen("pages", { title: "Home", content: "everything" });
  const { id: other } = await happen("pages", { title: "Other", text: "x" });
  const original = Object.values(simulator.world.state.blocks).find(
    ({ type, payload }) => type === "synced_block" && payload.synced_from === null,
  )!;
  const payload = { synced_from: { type: "block_id", block_id: original.id } };
  await happen("blocks", { parentId: other, type: "synced_block", payload });
  const first = await take();
  expect(first.skipped).toEqual([]);
  expect(textOf(first, home)).toContain("Opening hours");
  await pick([other]);
  const second = await take(first);
  expect(second.skipped).toEqual([]);
  expect(textOf(second, other)).toContain(original.id);
});

test("files and comments below a copy of a synced block are stored once on a page, and comments at the original", async () => {
  const { happen, take, wait, simulator, workspaceId } = await open();
  const { id: home } = await happen("pages", { title: "Home", text: "x" });
  const { id: other } = await happen("pages", { title: "Other", text: "x" });
  const kit = seedKit(simulator.world, workspaceId, Date.now());
  const by = simulator.world.state.people[0]!.id;
  const original = kit.block(by, home, "synced_block", { synced_from: null });
  const file = kit.file("note.txt", "text/plain", new TextEncoder().encode("Seen"));
  const shown = kit.block(by, original.id, "file", { ...file, caption: [], name: "note.txt" });
  kit.comment(by, shown.id, "Look here");
  for (const parentId of [home, other])
    kit.block(by, parentId, "synced_block", { synced_from: { type: "block_id", block_id: original.id } });
  let version = await take();
  const expectOnce = () => {
    const paths = [...version.entries.keys()].filter((path) => path.includes("/comments/"));
    expect(paths.map((path) => path.split("/")[1])).toEqual([home]);
    expect(version.reported).toMatchObject({ file: 2, comment: 1 });
    expect(kindsOf(version)).toMatchObject({ file: 2, comment: 1 });
  };
  expectOnce();
  await wait(30 * DAY_MS);
  version = await take(version);
  expectOnce();
  for (const id of [home, other]) await happen("blocks", { parentId: id, text: "new" });
  version = await take(version);
  expectOnce();
});

test("a page or database has the entry that contains it as its parent, at any depth", async () => {
  const { happen, take, wait } = await open();
  const { id: top } = await happen("pages", { title: "Top", text: "x" });
  const { id: toggle } = await happen("blocks", { parentId: top, text: "outer" });
  const { id: inner } = await happen("blocks", { parentId: toggle, text: "inner" });
  const { id: inBlock } = await happen("pages", { title: "In a block", parentId: inner, text: "x" });
  const table = await happen<{ id: string; dataSourceId: string; rowIds: string[] }>("tables", {
    ...{ title: "Table", parentId: toggle, rows: ["a"] },
  });
  const row = table.rowIds[0]!;
  const { id: inRow } = await happen("pages", { title: "In a row", parentId: row, text: "x" });
  const { id: rowBlock } = await happen("blocks", { parentId: row, text: "inner" });
  const { id: inRowBlock } = await happen("pages", { title: "In its block", parentId: rowBlock, text: "x" });
  const rowPath = recordPaths.page(recordPaths.rowHome(table.dataSourceId, row));
  const expectParents = async (version: MemorySnapshot) => {
    const parentOf = async (path: string) => (await version.find(path))?.parent;
    expect(await parentOf(page(top))).toBe(undefined);
    expect(await parentOf(page(inBlock))).toBe(page(top));
    expect(await parentOf(recordPaths.database(table.id))).toBe(page(top));
    expect(await parentOf(page(inRow))).toBe(rowPath);
    expect(await parentOf(page(inRowBlock))).toBe(rowPath);
  };
  const first = await take();
  await expectParents(first);
  await wait(2 * HOUR_MS);
  for (const id of [inBlock, inRow, inRowBlock]) await happen(`pages/${id}/edit`, { text: "changed" });
  const second = await take(first);
  await expectParents(second);
  const { id: below } = await happen("pages", { title: "New", parentId: rowBlock, text: "x" });
  const third = await take(second);
  expect((await third.find(page(below)))?.parent).toBe(rowPath);
});

test("a first backup says how much there is and how long it takes, before it reads", async () => {
  const { happen, take } = await open();
  const { id } = await happen("pages", { title: "Above", text: "x" });
  await happen("generate", { rootId: id, pages: 130, rows: 240 });
  const { progress } = await take();
  const reading = progress.filter(({ phase }) => phase.startsWith("Reading pages"));
  const all = 1 + 130 + 240 + 1;
  expect(reading[0]).toMatchObject({ done: 1, total: all });
  expect(reading[0]?.phase).toMatch(/, about [0-9]+ minutes at Notion's pace$/);
  expect(reading.at(-1)!.done).toBeGreaterThan(0.9 * all);
});

test("a page below a row is below it, whichever is read first", async () => {
  const { happen, take } = await open();
  const { id } = await happen("pages", { title: "Above", text: "x" });
  const table = await happen<{ rowIds: string[] }>("tables", {
    title: "Table",
    parentId: id,
    rows: ["a", "b"],
  });
  const { id: below } = await happen("pages", { title: "Below", parentId: table.rowIds[0], text: "y" });
  const first = await take();
  expect(kindsOf(first)).toMatchObject({ page: 2, row: 2 });
  expect(first.entries.has(page(below))).toBe(true);
  const { roots } = (await first.readRecord(recordPaths.roots)) as { roots: { id: string }[] };
  expect(roots.map((root) => root.id)).toEqual([id]);
});

test("in a wiki, a row that is a database is read as one, also when the search misses it", async () => {
  const { happen, take, wait } = await open();
  const wiki = await happen<{ id: string; dataSourceId: string }>("tables", { title: "Wiki", rows: ["a"] });
  const inWiki = { parentId: wiki.dataSourceId, rows: ["b", "c"] };
  const table = await happen<{ id: string; dataSourceId: string }>("tables", { title: "Inside", ...inWiki });
  await happen("miss-in-search", { ids: [table.id, table.dataSourceId] });
  const expectInside = async (version: MemorySnapshot) => {
    expect(version.skipped).toEqual([]);
    expect(kindsOf(version)).toMatchObject({ database: 2, "data-source": 2, row: 3 });
    expect((await version.find(recordPaths.database(table.id)))?.parent).toBe(recordPaths.database(wiki.id));
    const { roots } = (await version.readRecord(recordPaths.roots)) as { roots: { id: string }[] };
    expect(roots.map(({ id }) => id)).toEqual([wiki.id]);
  };
  let version = await take();
  await expectInside(version);
  for (const days of [2, 5]) {
    await wait(days * DAY_MS);
    version = await take(version);
    await expectInside(version);
  }
});

test("a version says how old the parts are that no change announces", async () => {
  const { happen, take, wait } = await open();
  for (const title of ["a", "b", "c", "d", "e", "f", "g"]) await happen("pages", { title, text: "x" });
  const dayText = (days: number) =>
    momentText(new Date(Date.now() + days * DAY_MS).toISOString()).split(",")[0];
  let version = await take();
  const notes = async () =>
    ((await version.readRecord(recordPaths.workspace)) as { notes: string[] }).notes.filter((note) =>
      note.endsWith(" or later."),
    );
  const expectAges = async (looked: number, commented: number) =>
    expect(await notes()).toEqual([
      `All pages were looked at as a whole on ${dayText(looked)} or later.`,
      `Comments on blocks were read on all pages on ${dayText(commented)} or later.`,
    ]);
  await expectAges(0, 0);
  // Every page has its turn in five days, and the comments on its blocks in twenty-eight.
  for (let day = 1; day <= 12; day += 1) {
    await wait(DAY_MS);
    version = await take(version);
    const [looked = ""] = await notes();
    const age = Array.from({ length: 8 }, (_, index) => index).find((days) =>
      looked.includes(` ${dayText(day - days)} `),
    );
    expect(age, `on day ${day}: ${looked}`).toBeLessThanOrEqual(7);
  }
  expect((await notes())[0]).not.toContain(` ${dayText(0)} `);
  await wait(28 * DAY_MS);
  version = await take(version);
  await expectAges(40, 40);
});

test("a first version of a large workspace says that comments on blocks are still to come", async () => {
  const { happen, take } = await open();
  const { id } = await happen("pages", { title: "Above", text: "x" });
  await happen("generate", { rootId: id, pages: 1, blocks: 700 });
  const { notes } = (await (await take()).readRecord(recordPaths.workspace)) as { notes: string[] };
  expect(notes).toContain("Comments on blocks were not read on all pages yet.");
});

test("blocks that Notion does not support are kept as they are, and counted", async () => {
  const { happen, take, wait } = await open();
  const { id } = await happen("pages", { title: "Quay 7", text: "x" });
  for (const block_type of ["button", "form"])
    await happen("blocks", { parentId: id, type: "unsupported", payload: { block_type } });
  const version = await take();
  const { blocks } = (await version.readRecord(recordPaths.blocks(recordPaths.pageHome(id), 0))) as {
    blocks: { type: string }[];
  };
  expect(blocks.filter(({ type }) => type === "unsupported")).toMatchObject([
    { unsupported: { block_type: "button" } },
    { unsupported: { block_type: "form" } },
  ]);
  const expectCount = async (version: MemorySnapshot, count: number) => {
    const { notes } = (await version.readRecord(recordPaths.workspace)) as { notes: string[] };
    expect(notes).toContain(
      `Blocks that Notion's API does not support are kept as markers without content: ${count}.`,
    );
  };
  await expectCount(version, 2);
  const { id: other } = await happen("pages", { title: "Quay 8", text: "x" });
  await happen("blocks", { parentId: other, type: "unsupported", payload: { block_type: "drive" } });
  await happen(`pages/${id}/edit`, { text: "y" });
  const second = await take(version);
  await expectCount(second, 3);
  await wait(2 * HOUR_MS);
  await happen(`things/${other}/trash`, {});
  await expectCount(await take(second), 2);
});

test("a place in a list that Notion no longer takes is found again", async () => {
  const { happen, events, take, session } = await open({ queryRows: 150 });
  const { id } = await happen("pages", { title: "Above", text: "x" });
  await happen("generate", { rootId: id, pages: 210, rows: 420 });
  const places = { search: new Set<string>(), query: new Set<string>() };
  const placeIn = (body: unknown): string | null =>
    (JSON.parse(String(body ?? "{}")) as { start_cursor?: string }).start_cursor ?? null;
  const watching = session();
  const plain = watching.fetch;
  watching.fetch = async (url, init) => {
    const place = placeIn(init?.body);
    if (place !== null) places[url.endsWith("/search") ? "search" : "query"].add(place);
    return await plain(url, init);
  };
  const whole = await take(null, watching);
  const cuts = Object.values(places).flatMap((known) => {
    const holding = whole.checkpoints.flatMap((cursor, index) =>
      [...known].some((place) => JSON.stringify(cursor).includes(place)) ? [index] : [],
    );
    expect(holding.length).toBeGreaterThan(0);
    return [holding[0]!, holding[Math.floor(holding.length / 2)]!, holding.at(-1)!];
  });
  for (const cut of new Set(cuts)) {
    const { begun, cursor } = await takeUntil(await events(null, null, session()), cut);
    const by = session();
    const quick = by.fetch;
    const refused = new Set<string>();
    by.fetch = async (url, init) => {
      const place = placeIn(init?.body);
      const isOld = place !== null && JSON.stringify(cursor).includes(place) && !refused.has(place);
      if (!isOld) return await quick(url, init);
      refused.add(place);
      const body = {
        object: "error",
        status: 400,
        code: "validation_error",
        message: "start_cursor is invalid",
      };
      return Response.json(body, { status: 400 });
    };
    const rest = await takeSnapshot(joined(begun, await events(null, cursor, by)), null);
    expect(refused.size, `cut at ${cut}`).toBeGreaterThan(0);
    expect(hashes(rest), `cut at ${cut}`).toEqual(hashes(whole));
    expect(rest.reported).toEqual(whole.reported);
  }
}, 60_000);

import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import type { BoardPage, ThreadListPage, ThreadPage, TreePage, ViewList } from "#core/browsing/index.ts";
import type { Comparison, PartComparison } from "#core/comparisons/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { backUpNow, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

const ISSUES = 60;
const COMMENTS = 40;
const LOGIN = "nora-lindqvist";

let world: FlowWorld;
let item: ItemView;
let session: string;
let first: string;

beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("planning", "tiny");
  const { userId } = world.member;
  session = (await createSession(world.services, { userId, isRemembered: false })).token;
  const records = { issues: ISSUES, pulls: 4, eventsPerIssue: 1, reviewsPerPull: 1, releases: 2 };
  await world.outside.control(`repos/${item.fullName}/generate`, records);
  const talk = { number: 1, count: COMMENTS, by: LOGIN };
  await world.outside.control(`repos/${item.fullName}/comments/add`, talk);
  await world.drain();
  first = (await newestSnapshot(world, item.id)).id;
});
afterAll(() => world.close());

/** Calls the API for the first version, as the owner. */
async function ask<T>(
  path: string,
  query: Record<string, string> = {},
): Promise<{ status: number; result: T }> {
  const answer = await sendTo(httpBindings(world), {
    method: "GET",
    path: `/api/versions/${path}`,
    headers: { Authorization: session },
    query: { itemId: item.id, snapshotId: first, ...query },
  });
  return { status: answer.status, result: (answer.json as { result: T }).result };
}

test("a version lists its views, files first", async () => {
  const { result } = await ask<ViewList>("views");
  expect(result.views.map(({ kind, id }) => [kind, id])).toEqual([
    ["files", "git"],
    ["thread", "issues"],
    ["thread", "pulls"],
    ["thread", "releases"],
  ]);
});

test("threads are listed newest first in pages without gaps, filtered by state and words", async () => {
  const seen: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: ThreadListPage = (
      await ask<ThreadListPage>("threads", { view: "issues", ...(after === null ? {} : { after }) })
    ).result;
    expect(page).toMatchObject({ count: ISSUES, hasStates: true, isPaused: false, words: { one: "issue" } });
    expect(page.rows.length).toBeLessThanOrEqual(50);
    seen.push(...page.rows.map(({ id }) => id));
    after = page.next;
    if (after === null) break;
  }
  const numbers = seen.map(Number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  expect(new Set(numbers).size).toBe(ISSUES);

  const byState = async (state: string) => {
    const rows: ThreadListPage["rows"] = [];
    for (let after: string | null = null; ; ) {
      const query = { view: "issues", state, ...(after === null ? {} : { after }) };
      const page: ThreadListPage = (await ask<ThreadListPage>("threads", query)).result;
      rows.push(...page.rows);
      after = page.next;
      if (after === null) return rows;
    }
  };
  const [open, closed] = [await byState("open"), await byState("closed")];
  expect(open.every(({ state }) => state?.isOpen === true)).toBe(true);
  expect(closed.every(({ state }) => state?.isOpen === false)).toBe(true);
  expect(open.length + closed.length).toBe(ISSUES);

  const { result: found } = await ask<ThreadListPage>("threads", { view: "issues", search: "#17" });
  expect(found.rows.map(({ key }) => key)).toEqual(["#17"]);
  const { result: none } = await ask<ThreadListPage>("threads", { view: "issues", search: "no such words" });
  expect([none.rows, none.next]).toEqual([[], null]);
});

test("a thread's notes are read oldest first, page by page", async () => {
  const texts: string[] = [];
  for (let after: string | null = null; ; ) {
    const query: Record<string, string> = {
      view: "issues",
      thread: "1",
      ...(after === null ? {} : { after }),
    };
    const { result }: { result: ThreadPage } = await ask<ThreadPage>("thread", query);
    expect(result.thread).toMatchObject({ id: "1", key: "#1" });
    expect(result.notes.notes.length).toBeLessThanOrEqual(30);
    texts.push(...result.notes.notes.flatMap(({ type, text }) => (type === "comment" ? [text] : [])));
    after = result.notes.next;
    if (after === null) break;
  }
  const own = texts.filter((text) => /^Comment \d+ at /.test(text));
  expect(own.map((text) => Number(text.split(" ")[1]))).toEqual(
    Array.from({ length: COMMENTS }, (_, at) => at + 1),
  );
});

test("files are found by the id of their view and by its old name; a missing view is not found", async () => {
  for (const query of [{}, { view: "git" }, { tree: "git" }] as Record<string, string>[]) {
    const { result } = await ask<TreePage & { tree: string; trees: unknown[] }>("files", query);
    expect(result).toMatchObject({
      view: { kind: "files", id: "git", label: "Files" },
      tree: "git",
      trees: [{ name: "git", label: "Files" }],
      at: { type: "folder" },
    });
  }
  const missing: [string, Record<string, string>][] = [
    ["files", { view: "wiki" }],
    ["files", { view: "issues" }],
    ["threads", { view: "git" }],
    ["threads", { view: "none" }],
    ["thread", { view: "issues", thread: "9999" }],
    ["thread", { view: "issues", thread: "../repository" }],
    ["board", {}],
    ["card", { card: "1" }],
    ["pages", {}],
    ["page", { page: "1" }],
    ["table", {}],
    ["table", { view: "issues", table: "1" }],
    ["row", { row: "1" }],
  ];
  for (const [path, query] of missing)
    expect([path, query, (await ask<BoardPage>(path, query)).status]).toEqual([path, query, 404]);
});

test("a folder's files have the sizes of their downloads", async () => {
  const { result } = await ask<{ name: string; sizeBytes: number }[]>("file-sizes", { path: "changes" });
  expect(result.length).toBeGreaterThan(0);
  for (const { name, sizeBytes } of result) {
    const { at } = (await ask<TreePage>("files", { path: `changes/${name}` })).result;
    expect([name, at]).toMatchObject([name, { type: "file", sizeBytes }]);
  }
  for (const path of ["none", `changes/${result[0]?.name}`])
    expect([path, (await ask("file-sizes", { path })).status]).toEqual([path, 404]);
});

test("a pull request has its commits, an issue has none to show, and both name their changes", async () => {
  const { result } = await ask<ThreadListPage>("threads", { view: "pulls" });
  const pull = { view: "pulls", part: result.rows[0]?.id ?? "" };
  expect((await ask("proposal", pull)).result).toMatchObject({ obstacle: null, file: null, isMore: false });
  expect((await ask("proposal", { ...pull, path: "none.md" })).status).toBe(404);
  expect((await ask("proposal", { view: "issues", part: "1" })).status).toBe(404);
  expect((await ask("part-versions", pull)).result).toMatchObject({
    versions: [{ snapshotId: first, state: "changed" }],
    isCut: false,
  });
});

test("two versions are compared by thread: edits, new comments and deletions", async () => {
  await world.outside.control(`repos/${item.fullName}/issues/edit`, { numbers: [3] });
  await world.outside.control(`repos/${item.fullName}/issues/delete`, { numbers: [17] });
  await world.outside.control(`repos/${item.fullName}/comments/add`, { number: 5, by: LOGIN });
  await backUpNow(world, item.id);
  const both = { beforeId: first, afterId: (await newestSnapshot(world, item.id)).id };
  const compare = async <T>(path: string, query: Record<string, string> = {}) => {
    const answer = await sendTo(httpBindings(world), {
      method: "GET",
      path: `/api/versions/${path}`,
      headers: { Authorization: session },
      query: { itemId: item.id, ...both, ...query },
    });
    return { status: answer.status, result: (answer.json as { result: T }).result };
  };
  const { result: compared } = await compare<Comparison>("compare");
  expect(compared.views.map(({ kind, id }) => [kind, id])).toEqual([["thread", "issues"]]);
  const [issues] = compared.views;
  expect(issues).toMatchObject({ label: "Issues", parts: { added: 0, changed: 2, removed: 1 } });
  const rows = issues?.kind === "thread" ? issues.parts.rows : [];
  expect(rows.map(({ key, change, what }) => [key, change, what])).toEqual([
    ["#17", "removed", []],
    ["#3", "changed", [{ type: "field", field: "text" }]],
    ["#5", "changed", [{ type: "comments", added: 1, changed: 0, removed: 0 }]],
  ]);
  expect(compared.kinds.map(({ kind }) => kind)).not.toContain("issue");

  const edited = await compare<PartComparison>("compare-part", { view: "issues", part: "3" });
  expect(edited.result.fields.map(({ field }) => field)).toEqual(["text"]);
  const answered = await compare<PartComparison>("compare-part", { view: "issues", part: "5" });
  expect(answered.result.comments).toMatchObject([{ change: "added", author: LOGIN }]);
  for (const query of [
    { view: "issues", part: "9999" },
    { view: "git", part: "1" },
    { view: "none", part: "1" },
  ])
    expect((await compare("compare-part", query)).status).toBe(404);
});

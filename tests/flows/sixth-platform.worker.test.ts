import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RestoreAnswers, RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { listHistory, requestBackup } from "#core/backups/index.ts";
import {
  listViews,
  openForReading,
  openPart,
  readPageList,
  readPagePage,
  readRowPage,
  readTablePage,
  restorableParts,
} from "#core/browsing/index.ts";
import { comparePartOf, compareVersions } from "#core/comparisons/index.ts";
import {
  beginAuthorisation,
  chooseAccounts,
  completeAuthorisation,
  listCandidates,
  listConnections,
} from "#core/connections/index.ts";
import { openZipDownload, requestZip, zipRange } from "#core/exports/index.ts";
import { addItems, type ItemView, listAvailableItems } from "#core/inventory/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { runOperation } from "#core/operations/index.ts";
import {
  listRestoreQuestions,
  listRestoreTargets,
  planRestore,
  requestRestore,
  requestRestores,
} from "#core/restores/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { judgeArchive, type OutsideAlmanac, openAlmanac } from "#tests/harness/outside.ts";
import { configSchema } from "#tests/sixth-platform/almanac/authorize.ts";
import { connector } from "#tests/sixth-platform/almanac/connector.ts";
import { operations } from "#tests/sixth-platform/almanac/operations.ts";
import type { StoredBook } from "#tests/sixth-platform/almanac/simulator/state.ts";

// Each test continues where the one before it ended.

/** A platform that the product does not know, from the consent to the restore of one row. */

const ALMANAC = "almanac";
const KIND = "book";
const LOGIN = "nora-lindqvist";
const SITES = ["Meridian Freight", "Harbour Works"];

let world: FlowWorld;
let almanac: OutsideAlmanac;
let handbook: { id: string };
let item: ItemView;
let first: { id: string };

beforeAll(async () => {
  almanac = await openAlmanac();
  world = await openFlowWorld({
    isConnected: false,
    vars: almanac.vars,
    guests: [{ connector, configSchema }],
  });
  handbook = await almanac.control("books", { name: "Harbour handbook", content: "full" });
});
afterAll(async () => {
  await world.close();
  await almanac.close();
});

const booksNamed = async (name: string) => {
  const { books } = await almanac.control<{ books: StoredBook[] }>("books");
  return books.filter((book) => book.name === name);
};
const bookOf = (id: string) => almanac.control<StoredBook>(`books/${id}/fingerprint`);
const titles = (things: readonly { title: string }[]) => things.map(({ title }) => title).sort();
const connected = () => listConnections(world.services, world.member, { platform: ALMANAC });

/** Gives consent as Nora. */
async function consent(more: { connectionId?: string; authMethod?: string } = {}) {
  const { services, member, region } = world;
  const order = { platform: ALMANAC, redirectUri: "http://localhost:8787/connect/almanac/callback" };
  const { url } = await beginAuthorisation(services, member, { ...order, region, ...more });
  const form = new URLSearchParams([
    ...new URL(url).searchParams,
    ["login", LOGIN],
    ["decision", "authorize"],
  ]);
  const page = new URL(url);
  const answer = await fetch(`${page.origin}${page.pathname}`, {
    ...{ method: "POST", body: form, redirect: "manual" },
  });
  await answer.body?.cancel();
  const back = new URL(answer.headers.get("location")!).searchParams;
  const done = { state: back.get("state")!, code: back.get("code")! };
  return await completeAuthorisation(services, member, { ...order, ...done });
}

async function protect(name: string, connectionId?: string): Promise<ItemView> {
  const scope = { platform: ALMANAC, kind: KIND, placeId: null, connectionId };
  const { items } = await listAvailableItems(world.services, world.member, {
    ...{ ...scope, name, page: 0, perPage: 10 },
  });
  const externals = items.filter((each) => each.name === name).map(({ externalId }) => ({ externalId }));
  return (await addItems(world.services, world.member, { ...scope, externals })).added[0]!;
}

async function backUpAgain(): Promise<void> {
  world.clock.advance(DAY_MS);
  await requestBackup(world.services, world.member, { platform: ALMANAC, itemId: item.id });
  await world.drain();
}

const openVersion = (snapshotId: string) =>
  openForReading(world.services, world.member, { itemId: item.id, snapshotId });
const newest = async () =>
  (await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 5 })).rows[0];

test("a consent opens several sites, and the two that are chosen share tokens that work once", async () => {
  const asked = await consent();
  if (asked.kind !== "choice") throw new Error("There is no choice.");
  const { choiceId } = asked;
  const order = { platform: ALMANAC, choiceId };
  const { candidates } = await listCandidates(world.services, world.member, order);
  expect(candidates.map(({ name }) => name)).toEqual([...SITES, "Lindqvist Family"]);
  expect(candidates[0]).toMatchObject({ note: "meridian.almanac.example", isConnected: false });
  const externalIds = candidates.slice(0, 2).map(({ externalId }) => externalId);
  await chooseAccounts(world.services, world.member, { ...order, externalIds });
  expect((await connected()).map(({ name }) => name).sort()).toEqual([...SITES].sort());
  await env.DB.prepare("UPDATE subscription SET plan = 'pro', quantity = 1000, ends_at = NULL").run();
  // Both sites read after the tokens expired: one renewal serves the two.
  await almanac.control("expire-tokens", {});
  await almanac.forgetRequests();
  for (const { id } of await connected()) {
    const query = { platform: ALMANAC, kind: KIND, placeId: null, name: null, page: 0, perPage: 10 };
    await listAvailableItems(world.services, world.member, { ...query, connectionId: id });
  }
  const renewals = (await almanac.requests()).filter(({ path }) => path.startsWith("/oauth/token"));
  expect(renewals).toHaveLength(1);
});

test("a book is backed up and checked; when nothing happened nothing is written and no file is fetched", async () => {
  const [site] = (await connected()).filter(({ name }) => name === SITES[0]);
  item = await protect("Harbour handbook", site?.id);
  await world.drain();
  expect(await newest()).toMatchObject({
    ...{ type: "backup", status: "success", canRestore: true, skippedCount: 0 },
    verify: { state: "verified" },
  });
  first = await newestSnapshot(world, item.id);
  await almanac.forgetRequests();
  await backUpAgain();
  const again = await newestSnapshot(world, item.id);
  expect(again).toMatchObject({ new_bytes: 0, verify_state: "verified" });
  expect((await almanac.requests()).filter(({ path }) => path.includes("/files/"))).toEqual([]);
  expect(await findFaults(world)).toEqual([]);
  expect(await almanac.refusals()).toEqual([]);
});

test("a second way of granting access joins the connection, and the next version has what it gives", async () => {
  const account = (await connected()).find(({ id }) => id === item.connectionId)!;
  expect(account).toMatchObject({
    facts: { access: ["books"] },
    credentials: [{ authMethod: "books", isWorking: true }],
  });
  const completed = await consent({ connectionId: account.id, authMethod: "readers" });
  expect(completed).toMatchObject({
    kind: "connected",
    connections: [{ id: account.id, facts: { access: ["books", "readers"] } }],
  });
  const readersOf = async () => {
    const { snapshotId } = (await newest())!;
    const found = await openVersion(snapshotId!).then(({ view }) => view.find("readers.json"));
    return found?.kind ?? null;
  };
  expect(await readersOf()).toBeNull();
  await backUpAgain();
  expect(await readersOf()).toBe("readers");
});

test("its pages, tables in five layouts, rows, pictures and comments are read, and each says what can be restored", async () => {
  const open = await openVersion(first.id);
  const { views } = await listViews(open);
  expect(views.map(({ kind, label }) => [kind, label])).toEqual([
    ["pages", "Pages"],
    ["table", "Berths"],
  ]);
  const roots = await readPageList(open, { viewId: "pages", parentId: null, search: null, after: null });
  expect(roots.rows.map(({ type, title }) => [type, title])).toEqual([
    ["page", "Welcome aboard"],
    ["page", ""],
    ["table", "Berths"],
  ]);
  const page = await readPagePage(open, {
    ...{ viewId: "pages", pageId: roots.rows[0]!.id, commentsAfter: null },
  });
  expect(page.page.blocks.map(({ type }) => type)).toEqual([
    ...["text", "file", "absent", "inset", "toggle", "columns", "page", "page", "table"],
  ]);
  expect(page.comments.notes.map(({ author, answers }) => [author, answers !== null])).toEqual([
    ["Mats Ek", false],
    ["Nora Lindqvist", true],
    [null, false],
  ]);
  const picture = page.page.blocks.find((block) => block.type === "file")!.file;
  const part = await openPart(world.services, world.member, {
    ...{ itemId: item.id, snapshotId: first.id, path: picture.path!, tree: null, ref: null, isShown: false },
  });
  expect(part).toMatchObject({ name: expect.stringContaining("harbour.png") });
  const table = await readTablePage(open, {
    ...{ viewId: views[1]!.id, tableId: null, shown: "all", search: "holm", after: null },
  });
  expect(table.facts.layouts.map(({ type }) => type)).toEqual([
    ...["table", "list", "gallery", "calendar", "board"],
  ]);
  expect(titles(table.rows)).toEqual(["North 1", "Pier A", "Pier C", "South 1"]);
  const row = await readRowPage(open, {
    ...{ viewId: views[1]!.id, tableId: null, rowId: table.rows[0]!.id, commentsAfter: null },
  });
  expect(row.comments.notes.map(({ text }) => text)).toEqual(["Repainted."]);
  const paths = [page.page.path, table.facts.path!, row.row.path, row.comments.notes[0]!.path];
  const restorable = await restorableParts(open, paths);
  expect(Object.values(restorable).map(({ one }) => one)).toEqual(["page", "register", "row"]);
});

test("two versions are compared page by page and row by row, also of a register inside a page", async () => {
  const { pages, rows, registers } = await bookOf(handbook.id);
  const quay = pages.find(({ title }) => title === "The quay")!;
  const berth = rows.find(({ title }) => title === "South 2")!;
  const duty = rows.find(({ title }) => title === "Feed the cat")!;
  expect(registers.find(({ id }) => id === duty.registerId)?.parentId).not.toBeNull();
  await almanac.control(`books/${handbook.id}/pages/${quay.id}/edit`, { title: "The long quay" });
  await almanac.control(`books/${handbook.id}/rows/${berth.id}/edit`, { isArchived: true });
  await almanac.control(`books/${handbook.id}/rows/${duty.id}/edit`, { title: "Feed both cats" });
  await almanac.control(`books/${handbook.id}/comments`, { pageId: quay.id, text: "Longer by 4 m." });
  await backUpAgain();
  const second = await newestSnapshot(world, item.id);
  const order = { itemId: item.id, beforeId: first.id, afterId: second.id };
  const { views, parts } = await compareVersions(world.services, world.member, order);
  const told = views.flatMap((view) =>
    view.kind === "files" ? [] : view.parts.rows.map(({ title, what }) => [view.label, title, what]),
  );
  expect(told).toEqual([
    [
      "Pages",
      "The long quay",
      [
        { type: "field", field: "title" },
        { type: "comments", added: 1, changed: 0, removed: 0 },
      ],
    ],
    ["Pages", "Feed both cats", [{ type: "field", field: "title" }]],
    ["Berths", "South 2", [{ type: "archived" }]],
  ]);
  expect(Object.values(parts).map(({ one }) => one)).toEqual(["page", "row", "row"]);
  const pageOrder = { ...order, viewId: "pages", partId: quay.id };
  const compared = await comparePartOf(world.services, world.member, pageOrder);
  expect(compared.comments.map(({ change, text }) => [change, text !== null])).toEqual([["added", true]]);
});

test("the ZIP opens with independent programs and has its page", async () => {
  const order = { platform: ALMANAC, itemId: item.id, snapshotId: first.id };
  const answer = await requestZip(world.services, world.member, order);
  if (answer.kind !== "ready") throw new Error("The ZIP is not ready.");
  const { layout, read } = await openZipDownload(world.services, answer.url.split("/").at(-1)!);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of zipRange(layout, { from: 0, to: layout.totalBytes }, read))
    chunks.push(chunk.slice());
  const verdict = await judgeArchive(new Uint8Array(await new Blob(chunks).arrayBuffer()));
  expect(verdict.names.python).toEqual(verdict.names.unzip);
  for (const name of ["index.html", "viewer/0/index.js", "README.txt", "metadata/book.json", "/harbour.png"])
    expect(
      verdict.names.unzip.some((path) => path.endsWith(name)),
      name,
    ).toBe(true);
});

test("a call of its own answers for the account that is named", async () => {
  const [site] = (await connected()).filter(({ name }) => name === SITES[0]);
  const call = { platform: ALMANAC, operation: operations[0]!, input: { bookId: handbook.id } };
  const found = await runOperation(world.services, world.member, { ...call, connectionId: site!.id });
  expect(found).toMatchObject([{ title: "Berths" }, { title: "Duties" }]);
});

test("a whole version becomes a new book; the plan promised what came", async () => {
  const wish = { itemId: item.id, snapshotId: first.id, part: null };
  const plan = await planRestore(world.services, world.member, {
    ...{ ...wish, into: null, placeId: null, answers: {} },
  });
  expect(plan.creates.map(({ kind, count }) => [kind, count])).toEqual([
    ...[
      ["book", 1],
      ["page", 5],
      ["register", 2],
      ["row", 10],
      ["comment", 5],
      ["file", 6],
    ],
  ]);
  const restore = { itemId: item.id, snapshotId: first.id, name: "Second handbook", place: null };
  const order = { platform: ALMANAC, kind: KIND, items: [restore], placeId: null, emails: [] };
  await requestRestores(world.services, world.member, {
    ...order,
    items: [{ ...restore, answers: { sharing: "site" } }],
  });
  await world.drain();
  expect(await findUnfinished(world)).toEqual([]);
  expect(await newest()).toMatchObject({ type: "restore", status: "success" });
  const [made] = await booksNamed("Second handbook");
  const original = await bookOf(handbook.id);
  expect(made).toMatchObject({ sharing: "site" });
  expect(titles(made!.pages)).toEqual(titles(original.pages).map((title) => title.replace("long ", "")));
  expect([made!.rows.length, made!.comments.length]).toEqual([10, 5]);
  expect(made!.contents.map(({ type }) => type)).toEqual(original.contents.map(({ type }) => type));
});

/** Answers as a person gives them: the defaults, and what has none. */
function answersTo(questions: readonly RestoreQuestion[], chosen: RestoreAnswers): RestoreAnswers {
  return Object.fromEntries(
    questions.map((question) => [question.name, chosen[question.name] ?? question.default ?? "top"]),
  );
}

test("a version is added to an existing book: its place must be chosen, and columns are matched", async () => {
  const [target] = await booksNamed("Second handbook");
  const into = { externalId: target!.id };
  const version = { itemId: item.id, snapshotId: first.id, part: null };
  const { items } = await listRestoreTargets(world.services, world.member, {
    ...{ itemId: item.id, name: null, page: 0 },
  });
  expect(items.filter(({ isSource }) => isSource).map(({ name }) => name)).toEqual(["Harbour handbook"]);
  const questions = await listRestoreQuestions(world.services, world.member, {
    ...version,
    into,
    placeId: null,
  });
  expect(questions.map(({ type, name }) => [type, name])).toEqual([
    ["choice", "under"],
    ["text", "prefix"],
    ["matching", "columns"],
    ["switch", "comments"],
  ]);
  const wish = { ...version, into, name: null, place: null, emails: [] };
  await expect(requestRestore(world.services, world.member, wish)).rejects.toMatchObject({
    ...{ code: "err.request.invalid", details: { field: "under" } },
  });
  const answers = answersTo(questions, { prefix: "Again: ", comments: false });
  const tooLong = { ...wish, answers: { ...answers, prefix: "x".repeat(31) } };
  await expect(requestRestore(world.services, world.member, tooLong)).rejects.toMatchObject({
    ...{ code: "err.request.invalid", details: { field: "prefix" } },
  });
  const plan = await planRestore(world.services, world.member, { ...version, into, placeId: null, answers });
  expect(plan.creates.map(({ kind, count }) => [kind, count])).toEqual([
    ...[
      ["page", 5],
      ["row", 10],
      ["file", 6],
    ],
  ]);
  await requestRestore(world.services, world.member, { ...wish, answers });
  await world.drain();
  expect(await newest()).toMatchObject({ type: "restore", status: "success" });
  const after = await bookOf(target!.id);
  expect([after.pages.length, after.registers.length, after.rows.length, after.comments.length]).toEqual([
    ...[10, 2, 20, 5],
  ]);
  expect(titles(after.pages).filter((title) => title.startsWith("Again: "))).toEqual([
    "Again: ",
    "Again: Welcome aboard",
  ]);
  expect(after.pages.slice(0, target!.pages.length).map(({ id }) => id)).toEqual(
    target!.pages.map(({ id }) => id),
  );
});

test("a page comes back below another one with its children, a row in the register whose columns are matched", async () => {
  const [target] = await booksNamed("Second handbook");
  const before = await bookOf(target!.id);
  const open = await openVersion(first.id);
  const source = await bookOf(handbook.id);
  const place = before.pages.find(({ title }) => title === "Welcome aboard")!;
  const quay = source.pages.find(({ title }) => title === "The long quay")!;
  const into = { externalId: target!.id };
  const restore = async (part: string, chosen: RestoreAnswers) => {
    const version = { itemId: item.id, snapshotId: first.id, part };
    const order = { ...version, into, placeId: null };
    const questions = await listRestoreQuestions(world.services, world.member, order);
    const answers = answersTo(questions, chosen);
    const wish = { ...version, into, name: null, place: null, emails: [], answers };
    await requestRestore(world.services, world.member, wish);
    await world.drain();
    expect(await newest()).toMatchObject({ type: "restore", status: "success" });
  };
  await restore(`pages/${quay.id}/page.json`, { under: place.id });
  const withPage = await bookOf(target!.id);
  expect(withPage.pages.length).toBe(before.pages.length + 2);
  const made = withPage.pages.filter(({ title }) => title === "The quay").at(-1)!;
  expect(made.parentId).toBe(place.id);
  expect(withPage.pages.at(-1)).toMatchObject({ title: "Ropes & fenders", parentId: made.id });

  const berth = source.rows.find(({ title }) => title === "South 1")!;
  const path = `registers/${berth.registerId}/rows/${berth.id}/row.json`;
  expect(await open.view.find(path)).not.toBeNull();
  await restore(path, { prefix: "Lost: " });
  const withRow = await bookOf(target!.id);
  const row = withRow.rows.at(-1)!;
  expect(row.title).toBe("Lost: South 1");
  expect(row.registerId).toBe(withRow.registers.find(({ title }) => title === "Berths")?.id);
  expect(row.cells).toMatchObject({ captain: { type: "text", text: "Ida Holm" }, depth: { value: 7 } });
  expect(await findUnfinished(world)).toEqual([]);
  expect(await findFaults(world)).toEqual([]);
});

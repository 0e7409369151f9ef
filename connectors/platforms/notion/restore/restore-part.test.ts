import { expect, test } from "vitest";
import type { RestoreOrder, RestoreTarget } from "#connectors/contract/platform-connector.ts";
import { createdBy, expectPlanKept } from "#tests/conformance/expect-plan-kept.ts";
import { planRestore } from "../plan/plan-restore.ts";
import { recordPaths } from "../record-paths.ts";
import { dumpThing } from "../simulator/dump.ts";
import { seedKit } from "../simulator/seed-kit.ts";
import { ADDRESS, BY_ADDRESS, TO } from "./answers.ts";
import { pageUrl } from "./page-links.ts";
import { restoreQuestions } from "./restore-questions.ts";
import { openRestoreBench, type RestoreBench, wholeOrder } from "./test-bench.ts";

/** A workspace with a page that has everything and a table of lorries, and a page to restore into. */
async function openParts() {
  const bench = await openRestoreBench();
  const home = await bench.happen("pages", { title: "Quay 7", content: "fleet" });
  const into = await bench.happen("pages", { title: "Found again", text: "Here first." });
  const snapshot = await bench.backUp();
  const find = (kind: string, title: string) =>
    [...snapshot.entries.values()].find(({ info }) => info.kind === kind && info.title === title)!.info.path;
  const existing: RestoreTarget = {
    kind: "existing",
    item: { externalId: bench.workspaceId, name: "Meridian", fullName: "Meridian" },
  };
  return { bench, home, into, snapshot, find, existing };
}

const newPage = (name: string): RestoreTarget => ({ kind: "new", name, place: null });

/** Restores, and holds the plan to what happened. */
async function restoreAsPlanned(
  bench: RestoreBench,
  snapshot: Awaited<ReturnType<RestoreBench["backUp"]>>,
  order: RestoreOrder,
) {
  const by = bench.session();
  const plan = await planRestore({ accountName: bench.accountName }, snapshot, order);
  const done = await bench.run(snapshot, order, { by });
  expectPlanKept(plan, { events: done.events, session: by, apiUrl: `${bench.simulator.url}/v1` });
  return done;
}

test("a plan of a whole workspace says what its restore does", async () => {
  const { bench, snapshot } = await openParts();
  await restoreAsPlanned(bench, snapshot, wholeOrder("Everything"));
  await bench.stop();
});

test("a plan counts a file in synced blocks once where its original comes back, and in each copy where it does not", async () => {
  const bench = await openRestoreBench();
  const { world } = bench.simulator;
  const kit = seedKit(world, bench.workspaceId, Date.now());
  const by = world.state.people[0]!.id;
  const [home, other] = ["Home", "Other"].map((title) => kit.page(by, null, title).id) as [string, string];
  const original = kit.block(by, home, "synced_block", { synced_from: null });
  const file = kit.file("note.txt", "text/plain", new TextEncoder().encode("Seen"));
  const shown = kit.block(by, original.id, "file", { ...file, caption: [], name: "note.txt" });
  kit.comment(by, shown.id, "Look here");
  for (const parentId of [home, other, other])
    kit.block(by, parentId, "synced_block", { synced_from: { type: "block_id", block_id: original.id } });
  const snapshot = await bench.backUp();
  const whole = await restoreAsPlanned(bench, snapshot, wholeOrder("Everything"));
  expect(createdBy(whole.events)).toMatchObject({ file: 1, comment: 1 });
  const part = recordPaths.page(recordPaths.pageHome(other));
  const alone = await restoreAsPlanned(bench, snapshot, { target: newPage("Alone"), part, answers: {} });
  expect(createdBy(alone.events)).toMatchObject({ file: 2 });
  await bench.stop();
});

test("a page is restored below another page, which keeps what it has", async () => {
  const { bench, home, into, snapshot, find, existing } = await openParts();
  const { world } = bench.simulator;
  const before = {
    home: JSON.stringify(dumpThing(world, home.id)),
    into: [...world.state.children[into.id]!],
  };
  const order = { target: existing, part: find("page", "Winter rules"), answers: { [TO]: into.id } };
  const { item } = await restoreAsPlanned(bench, snapshot, order);
  expect(item.name).toBe("Winter rules");
  expect(world.state.children[into.id]).toEqual([...before.into, item.externalId]);
  expect(JSON.stringify(dumpThing(world, home.id))).toBe(before.home);
  expect(titlesBelow(bench, item.externalId)).toEqual(["Chains"]);
  await bench.stop();
});

test("the page to restore into may be named by its address", async () => {
  const { bench, into, snapshot, find, existing } = await openParts();
  const answers = { [TO]: BY_ADDRESS, [ADDRESS]: pageUrl(into.id) };
  const { item } = await bench.run(snapshot, { target: existing, part: find("page", "Chains"), answers });
  expect(bench.simulator.world.state.pages[item.externalId]?.parent).toEqual({
    type: "page_id",
    id: into.id,
  });
  await bench.stop();
});

test("a row comes back as a row of the table that it came from, with all its values", async () => {
  const { bench, snapshot, find, existing } = await openParts();
  const { state } = bench.simulator.world;
  const part = find("row", "Lorry 7");
  const { item } = await restoreAsPlanned(bench, snapshot, { target: existing, part, answers: {} });
  const [, sourceId = "", , rowId = ""] = part.split("/");
  const [original, made] = [state.pages[rowId]!, state.pages[item.externalId]!];
  expect(made.parent).toEqual({ type: "data_source_id", id: sourceId });
  for (const id of ["Kind", "Stat", "insp", "depR", "rAt%7B", "PapR"])
    expect(made.values[id]).toEqual(original.values[id]);
  expect(state.commentsOn[item.externalId]).toHaveLength(1);
  await bench.stop();
});

test("a row that becomes a page shows its values at the top", async () => {
  const { bench, snapshot, find } = await openParts();
  const order = { target: newPage("Lorry alone"), part: find("row", "Lorry 7"), answers: {} };
  const { item, events } = await restoreAsPlanned(bench, snapshot, order);
  const texts = JSON.stringify(dumpThing(bench.simulator.world, item.externalId));
  for (const text of ["Kilometres: ", "120,000", "Depot: ", "New tyres for Lorry 7."])
    expect(texts).toContain(text);
  expect(events).toContainEqual(expect.objectContaining({ type: "changed", what: "Properties of the row" }));
  await bench.stop();
});

test("a database is restored at the top of the workspace with both tables, their rows and the relations between them", async () => {
  const { bench, snapshot, find } = await openParts();
  const order = { target: newPage("Fleet again"), part: find("database", "Fleet"), answers: {} };
  const { item, events } = await restoreAsPlanned(bench, snapshot, order);
  const { state } = bench.simulator.world;
  const sources = state.databases[item.externalId]!.dataSourceIds.map((id) => state.dataSources[id]!);
  expect(sources.map(({ rowIds }) => rowIds.length)).toEqual([4, 3]);
  const own = new Set(sources.flatMap(({ rowIds }) => rowIds));
  const lorries = sources[0]!;
  const depot = Object.values(lorries.properties).find(({ name }) => name === "Depot")!;
  for (const id of lorries.rowIds) {
    const related = state.pages[id]!.values[String(depot.id)]?.relation as { id: string }[];
    expect(related.map((each) => own.has(each.id))).toEqual([true]);
  }
  expect(events.filter(({ type }) => type === "missing")).toEqual([]);
  await bench.stop();
});

test("a wiki comes back as a table, and a database in it stands on the new page", async () => {
  const bench = await openRestoreBench();
  const wiki = await bench.happen<{ dataSourceId: string }>("tables", { title: "Wiki", rows: ["a"] });
  await bench.happen("tables", { title: "Inside", parentId: wiki.dataSourceId, rows: ["b", "c"] });
  const snapshot = await bench.backUp();
  const { item, events } = await restoreAsPlanned(bench, snapshot, wholeOrder("Wiki again"));
  expect(createdBy(events)).toMatchObject({ database: 2, "data-source": 2, row: 3 });
  const { state } = bench.simulator.world;
  const made = (state.children[item.externalId] ?? []).map((id) => state.databases[id]);
  const rows = made.map((each) => each?.dataSourceIds.flatMap((id) => state.dataSources[id]!.rowIds).length);
  expect(rows.sort()).toEqual([1, 2]);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "changed", what: "Pages and tables whose place is unknown" }),
  );
  await bench.stop();
});

test("a part into the workspace asks for the page, with those that were edited last as choices", async () => {
  const { bench, into, snapshot, find, existing } = await openParts();
  const order = { target: existing, part: find("page", "Chains") };
  const [to, address] = await restoreQuestions(bench.session(), snapshot, order);
  expect(to).toMatchObject({ type: "choice", default: null });
  const options = to?.type === "choice" ? to.options : [];
  expect(options).toContainEqual({ value: into.id, label: "Found again" });
  expect(options.map(({ label }) => label)).not.toContain("Lorry 7");
  expect(address?.type).toBe("text");
  await expect(bench.run(snapshot, { ...order, answers: {} })).rejects.toThrow("Choose the page");
  await bench.stop();
});

test("a connection that may not insert or update is refused before anything is made", async () => {
  const { bench, snapshot } = await openParts();
  const { state } = bench.simulator.world;
  for (const [missing, says] of [
    ["insert_content", "Insert content"],
    ["update_content", "Update content"],
  ] as const) {
    const before = Object.keys(state.pages).length;
    const capabilities = state.grants[0]!.capabilities.filter((each) => each !== missing);
    for (const grant of state.grants) grant.capabilities = capabilities;
    await expect(bench.whole(snapshot, `Without ${missing}`)).rejects.toThrow(says);
    expect(Object.keys(state.pages)).toHaveLength(before);
    for (const grant of state.grants) grant.capabilities = [...capabilities, missing];
  }
  await bench.stop();
});

test("what is no page, row or database is not restored by itself", async () => {
  const { bench, snapshot, existing } = await openParts();
  for (const part of [recordPaths.workspace, "nowhere"]) {
    const order = { target: newPage("Nothing"), part, answers: {} };
    await expect(bench.run(snapshot, order)).rejects.toThrow("Only pages, rows and databases");
    await expect(planRestore({ accountName: "" }, snapshot, order)).rejects.toThrow("Only pages");
  }
  const whole = { target: existing, part: null, answers: {} };
  await expect(bench.run(snapshot, whole)).rejects.toThrow("as a new page only");
  await bench.stop();
});

function titlesBelow({ simulator: { world } }: RestoreBench, pageId: string): string[] {
  return (world.state.children[pageId] ?? []).flatMap((id) => {
    const page = world.state.pages[id];
    if (page === undefined) return [];
    return ((page.values.title?.title ?? []) as { plain_text: string }[]).map(({ plain_text }) => plain_text);
  });
}

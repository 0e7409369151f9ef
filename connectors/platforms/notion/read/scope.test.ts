import { expect, test } from "vitest";
import { recordPaths } from "../record-paths.ts";
import { pageHome, rowHome } from "./homes.ts";
import { readScope, type ScopeItem } from "./scope.ts";
import { id, TestVersion } from "./test-version.ts";

const pathOf = (number: number) => recordPaths.page(pageHome(id(number)).path);
const outline = (items: readonly ScopeItem[]): unknown[] =>
  items.map(({ title, object, children }) =>
    children.length === 0 ? `${object} ${title}` : [`${object} ${title}`, ...outline(children)],
  );

test("the scope of a version is the tree of its pages, databases and rows", async () => {
  const version = new TestVersion()
    .root("page", id(1))
    .root("database", id(20))
    .page(id(1), "Operations handbook")
    .page(id(2), "Depot 10", [], { above: pathOf(1) })
    .page(id(3), "Depot 9", [], { above: pathOf(1) })
    .page(id(4), "Lost", [], { above: pathOf(404) })
    .table(id(20), id(21), "Tenders")
    .table(id(10), id(11), "Belts", {}, { above: pathOf(1) })
    .row(id(11), id(12), "Belt 1")
    .row(id(11), id(14), "New belt", {}, { kind: "template" })
    .page(id(5), "Repairs", [], { above: recordPaths.page(rowHome(id(11), id(12)).path) });
  const scope = await readScope(await version.take());
  expect(scope).toMatchObject({ pageCount: 6, databaseCount: 2, isCut: false });
  expect(outline(scope?.items ?? [])).toEqual([
    [
      "page Operations handbook",
      ["database Belts", ["page Belt 1", "page Repairs"]],
      "page Depot 9",
      "page Depot 10",
    ],
    "database Tenders",
    "page Lost",
  ]);
});

test("a scope reads one record, and leaves out rows first when there is too much", async () => {
  const version = new TestVersion().root("database", id(10)).table(id(10), id(11), "Belts");
  for (let at = 0; at < 30; at += 1)
    version.row(id(11), id(100 + at), `Belt ${at}`).page(id(200 + at), `Page ${at}`);
  const snapshot = await version.take();
  const read: string[] = [];
  const readRecord = (path: string) => {
    read.push(path);
    return snapshot.readRecord(path);
  };
  const scope = await readScope({ ...snapshot, readRecord }, { most: 35 });
  expect(read).toEqual([recordPaths.roots]);
  expect(scope).toMatchObject({ pageCount: 60, databaseCount: 1, isCut: true });
  expect(scope?.items).toHaveLength(31);
  expect(scope?.items[0]?.children).toHaveLength(4);
});

test("a chain of thousands of pages has a bounded depth, a circle ends, and every other page is listed", async () => {
  const version = new TestVersion().root("page", id(1)).page(id(1), "1");
  for (let at = 2; at <= 3_000; at += 1) version.page(id(at), String(at), [], { above: pathOf(at - 1) });
  version
    .page(id(5_001), "a", [], { above: pathOf(5_002) })
    .page(id(5_002), "b", [], { above: pathOf(5_001) });
  const scope = await readScope(await version.take());
  const text = JSON.stringify(scope?.items);
  expect(text.split('"title"')).toHaveLength(3_001);
});

test("a version without roots has no scope", async () => {
  const snapshot = await new TestVersion().page(id(1), "One").take();
  snapshot.entries.delete(recordPaths.roots);
  expect(await readScope(snapshot)).toBeNull();
});

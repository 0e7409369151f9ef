import { expect, test } from "vitest";
import { z } from "zod";
import type { View } from "#connectors/contract/view.ts";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import type { ViewerCatalogue, ViewerPart } from "./data.ts";
import { textOfPart } from "./program/words.ts";
import { boardView, filesView, pagesView, tableView, threadView } from "./test-views.ts";
import { type ViewerRoom, viewerFiles } from "./viewer-files.ts";

/** The values that the data files pass on when a browser runs them, by key. */
async function handedOver(views: readonly View[], room?: ViewerRoom): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const file of viewerFiles(views, (entry) => `attachments/${entry}`, room)) {
    if (file.source !== "bytes") throw new Error(`${file.path} holds no bytes of its own.`);
    const key = file.path.replace(/^viewer\//, "").replace(/\.js$/, "");
    const run = new Function("holdfast", fromUtf8(file.bytes));
    run((name: string, json: string) => {
      expect(name).toBe(key);
      found.set(key, JSON.parse(json));
    });
  }
  return found;
}

const partsOf = (found: Map<string, unknown>, view = 0) =>
  [...found].flatMap(([key, value]) => (key.match(`^${view}/\\d`) ? (value as ViewerPart[]) : []));
const catalogueOf = (found: Map<string, unknown>, view = 0) => found.get(`${view}/index`) as ViewerCatalogue;

test("a view of every kind has a catalogue and its parts", async () => {
  const views = [boardView(3), threadView(["Late"]), pagesView(), tableView(["Belt 1"]), filesView()];
  const found = await handedOver(views);
  expect(catalogueOf(found, 0)).toMatchObject({
    words: { one: "ticket", many: "tickets" },
    board: {
      columns: [{ id: "todo", title: "To do" }],
      words: { column: "lane", people: "crew", away: "stowed" },
    },
  });
  expect(partsOf(found, 0).map(({ title }) => title)).toEqual(["Card 0", "Card 1", "Card 2"]);
  expect(partsOf(found, 1)).toMatchObject([{ key: "#0", notes: [{ text: "first" }, { isEvent: true }, {}] }]);
  expect(partsOf(found, 2).map(({ type, id, group }) => [type, id, group])).toEqual([
    ["page", "home", undefined],
    ["page", "night", "home"],
    ["table", "belts", "home"],
    ["row", "r0", "belts"],
    ["row", "r1", "belts"],
  ]);
  const [table, row] = partsOf(found, 3);
  expect(table).toMatchObject({
    type: "table",
    id: "",
    layouts: [{ type: "table" }, { type: "calendar" }, {}],
  });
  expect(row?.cells).toEqual({ n: "0 kg", d: "2026-11-20", t: "night" });
  expect(row?.groups).toEqual({ t: ["night"] });
  expect(row?.keys).toEqual({ states: [0] });
  expect(catalogueOf(found, 4).files).toMatchObject({
    nodes: [{ name: "src" }, { name: "README.md" }],
    readme: { name: "README.md", text: "# Hello" },
  });
});

test("blocks inside other blocks are written with their files, and are searched", async () => {
  const [page] = partsOf(await handedOver([pagesView()]));
  expect(page?.blocks?.slice(3)).toEqual([
    {
      ...{ type: "toggle", title: "Fold" },
      blocks: [{ type: "file", file: { name: "scan.txt", href: "attachments/files/scan", sizeBytes: 3 } }],
    },
    { type: "columns", columns: [{ share: 1, blocks: [{ type: "text", text: "Left" }] }] },
    {
      ...{ type: "inset", look: "box", tint: { hue: "red", on: "ground" } },
      blocks: [{ type: "text", text: "Mind the belt" }],
    },
  ]);
  for (const word of ["fold", "left", "mind the belt"]) expect(textOfPart(page!)).toContain(word);
});

test("a card lists its comments oldest first and links to files of the ZIP", async () => {
  const [card] = partsOf(await handedOver([boardView(1)]));
  expect(card?.notes?.map(({ text }) => text)).toEqual(["the oldest", "the newest", "moved it"]);
  expect(card?.files).toEqual([
    { name: "scan.txt", href: "attachments/files/a%20b", sizeBytes: 3 },
    { name: "gone.txt" },
    { name: "evil", href: "javascript:alert(1)", isLink: true },
  ]);
});

test("hostile text in a version cannot escape its data file", async () => {
  const hostile = [
    "</script><script>alert(1)</script>",
    '"); alert(1); ("',
    "\\",
    "\u2028\u2029",
    "<!--",
    "`$" + "{alert(1)}`",
    '{"__proto__": {"x": 1}}',
  ];
  const views = [threadView(hostile), boardView(1, () => {}, hostile.join(""))];
  for await (const file of viewerFiles(views, () => null))
    if (file.source === "bytes") expect(fromUtf8(file.bytes)).not.toMatch(/[<>\u2028\u2029]/);
  const found = await handedOver(views);
  expect(partsOf(found).map(({ title }) => title)).toEqual(hostile);
  expect(partsOf(found, 1)[0]?.blocks).toEqual([{ type: "text", text: hostile.join("") }]);
});

test("thousands of cards are written in files of bounded size, one by one", async () => {
  let alive = 0;
  const board = boardView(5_000, () => {
    alive += 1;
  });
  let most = 0;
  for await (const file of viewerFiles([board], () => null)) {
    if (file.source !== "bytes") continue;
    // Only the cards of the file being filled are held in memory.
    most = Math.max(most, alive);
    alive = 0;
    expect(file.bytes.length).toBeLessThan(600_000);
  }
  expect(most).toBeLessThan(1_000);
});

test("parts that do not fit are left out and not read, and the catalogue counts the rest", async () => {
  let read = 0;
  const board = boardView(5_000, () => {
    read += 1;
  });
  const titles = Array.from({ length: 200 }, (_, at) => `Thread ${at}`);
  const room = { bytes: 60_000, reserved: 20_000, perFile: 8_000 };
  const found = await handedOver([board, threadView(titles)], room);
  const shown = partsOf(found).length;
  expect(shown).toBeGreaterThan(20);
  expect(catalogueOf(found).cut).toEqual({ shown, all: null });
  expect(read).toBe(shown + 1);
  // The later view keeps its reserved room.
  expect(catalogueOf(found, 1).cut?.all).toBe(200);
  expect(partsOf(found, 1).length).toBeGreaterThan(20);
  expect(JSON.stringify([...found.values()]).length).toBeLessThan(100_000);
});

test("a record that cannot be parsed fails only its view; an error of the vault fails the ZIP", async () => {
  const broken = (cause: Error): View => ({
    kind: "thread",
    id: "issues",
    label: "Issues",
    open: async () => {
      throw cause;
    },
  });
  const found = await handedOver([broken(new z.ZodError([])), boardView(1)]);
  expect(catalogueOf(found)).toMatchObject({ fileCount: 0, obstacle: expect.stringMatching(/could not be/) });
  expect(partsOf(found, 1)).toHaveLength(1);
  await expect(handedOver([broken(new Error("lost"))])).rejects.toThrow("lost");
});

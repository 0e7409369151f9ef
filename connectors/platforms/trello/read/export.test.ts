import { afterAll, beforeAll, expect, test } from "vitest";
import { toCsv } from "#connectors/toolkit/export/csv.ts";
import type { TableLimits } from "#connectors/toolkit/export/open-table.ts";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { connector } from "../connector.ts";
import { openBench, type TrelloBench } from "../test-bench.ts";
import { exportFiles } from "./export.ts";

let bench: TrelloBench;
let snapshot: MemorySnapshot;
const files = new Map<string, string>();
beforeAll(async () => {
  bench = await openBench();
  snapshot = await bench.backUp(bench.world.item);
  for await (const file of connector.exportFiles(snapshot, { name: "Harbour works" })) {
    files.set(
      file.path,
      file.source === "bytes" ? fromUtf8(file.bytes) : `entry ${"entry" in file ? file.entry : ""}`,
    );
  }
});
afterAll(() => bench.world.stop());

test("the ZIP of a board has tables, the files and everything as JSON", () => {
  expect([...files.keys()][0]).toBe("README.txt");
  const attached = [...files.keys()].filter((path) => path.startsWith("attachments/"));
  expect(attached).toHaveLength(4);
  for (const path of attached)
    expect(files.get("cards.csv")).toContain(path.split("/").map(encodeURIComponent).join("/"));
  const records = [...files.keys()].filter((path) => path.startsWith("metadata/"));
  expect(records).toContain("metadata/board.json");
  expect(records.filter((path) => path.endsWith("/card.json"))).toHaveLength(10);
});

test("a table stores possible formulas as text and numbers as numbers", () => {
  const rows = [["=HYPERLINK(1)", "+1-1", "@x", "-12.50", 'say "hi"', "two\nlines", "plain"]];
  expect(toCsv(rows)).toBe(`\ufeff'=HYPERLINK(1),'+1-1,'@x,-12.50,"say ""hi""","two\nlines",plain\r\n`);
  expect(files.get("cards.csv")).toContain(`"'=HYPERLINK(""http://localhost"")"`);
  expect(files.get("cards.csv")?.startsWith("\ufeffList,Card,Description")).toBe(true);
});

/** The cells of a table's lines; no cell of these boards has a line break or a comma in quotes. */
async function tablesOf(version: MemorySnapshot, limits?: TableLimits): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for await (const file of exportFiles(version, { name: "Tables" }, limits))
    if (file.source === "bytes" && file.path.endsWith(".csv"))
      tables.set(file.path, fromUtf8(file.bytes).replace("\ufeff", "").trimEnd().split("\r\n"));
  return tables;
}

test("tables are written in parts, each in the order of the board, and say what did not fit", async () => {
  const board = await bench.world.makeBoard("Tables", { content: "empty" });
  await bench.world.happen(`/boards/${board.externalId}/generate`, { lists: 2, cards: 40, comments: 50 });
  const cards = bench.world.simulator.world.state.boards.find(({ id }) => id === board.externalId)!.cards;
  // The newest card is the first of the board.
  for (const [index, card] of cards.entries()) card.pos = 1_000 - index;
  const version = await bench.backUp(board);
  const namesOf = (lines: readonly string[] = []) => lines.slice(1).map((line) => line.split(",")[1]);
  const inBoardOrder = cards.map(({ name }) => name).reverse();
  const whole = await tablesOf(version);
  expect([...whole.keys()].sort()).toEqual(["cards.csv", "comments.csv"]);
  expect(namesOf(whole.get("cards.csv"))).toEqual(inBoardOrder);
  expect(whole.get("comments.csv")).toHaveLength(1 + 50);

  const parts = await tablesOf(version, { perFile: 4_000, bytes: 1_000_000 });
  const cardParts = [...parts].filter(([path]) => path.startsWith("cards"));
  expect(cardParts.length).toBeGreaterThan(2);
  for (const [path, lines] of cardParts) {
    expect(Buffer.byteLength(lines.join("\r\n")), path).toBeLessThan(4_500);
    expect(lines[0]).toMatch(/^List,Card,Description/);
    expect(namesOf(lines)).toEqual(inBoardOrder.filter((name) => namesOf(lines).includes(name)));
  }
  expect(cardParts.flatMap(([, lines]) => namesOf(lines)).sort()).toEqual(inBoardOrder.toSorted());

  const cut = (await tablesOf(version, { perFile: 2_000, bytes: 3_000 })).get("cards-2.csv");
  const shown = [...(await tablesOf(version, { perFile: 2_000, bytes: 3_000 }))]
    .filter(([path]) => path.startsWith("cards"))
    .reduce((sum, [, lines]) => sum + lines.length - 1, 0);
  expect(cut?.at(-1)).toContain(`${40 - (shown - 1)} more lines did not fit`);
});

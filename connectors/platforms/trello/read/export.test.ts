import { afterAll, beforeAll, expect, test } from "vitest";
import { toCsv } from "#connectors/toolkit/export/csv.ts";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { connector } from "../connector.ts";
import { openBench, type TrelloBench } from "../test-bench.ts";

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
  expect([...files.keys()].slice(0, 3)).toEqual(["README.txt", "cards.csv", "comments.csv"]);
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

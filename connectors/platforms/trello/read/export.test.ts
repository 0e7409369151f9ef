import { afterAll, beforeAll, expect, test } from "vitest";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { connector } from "../connector.ts";
import { openBench, type TrelloBench } from "../test-bench.ts";
import { toCsv } from "./export-csv.ts";
import { embeddableJson } from "./viewer-page.ts";

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

const page = () => files.get("index.html") ?? "";
const boardIn = (html: string) => {
  const json = /<script type="application\/json" id="board">(.*?)<\/script>/s.exec(html)?.[1] ?? "null";
  return JSON.parse(json) as {
    name: string;
    lists: unknown[];
    cards: { name: string; comments: unknown[]; attachments: { href: string; isFile: boolean }[] }[];
  };
};

test("the ZIP of a board has a page, tables, the files and everything as JSON", () => {
  expect([...files.keys()].slice(0, 4)).toEqual(["README.txt", "index.html", "cards.csv", "comments.csv"]);
  const board = boardIn(page());
  expect(board).toMatchObject({ name: "Harbour works", lists: { length: 4 }, cards: { length: 10 } });
  const linked = board.cards.flatMap(({ attachments }) => attachments).filter(({ isFile }) => isFile);
  expect(linked).toHaveLength(4);
  for (const { href } of linked) expect(files.has(decodeURIComponent(href)), href).toBe(true);
  const records = [...files.keys()].filter((path) => path.startsWith("metadata/"));
  expect(records).toContain("metadata/board.json");
  expect(records.filter((path) => path.endsWith("/card.json"))).toHaveLength(10);
});

test("the page asks nobody for anything and runs nothing but its own script", async () => {
  const html = page();
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  for (const [tag, directive] of [
    ["script", "script-src"],
    ["style", "style-src"],
  ] as const) {
    const text = new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(html)?.[1] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    expect(policy).toContain(`${directive} 'sha256-${Buffer.from(digest).toString("base64")}'`);
  }
  // People's texts appear only in the JSON, and the JSON has no HTML special characters.
  const outside = html.replace(/<script type="application\/json" id="board">.*?<\/script>/s, "");
  expect(outside).not.toContain("etc/passwd");
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toMatch(
    /\b(src|href)=|@import|url\(|innerHTML|insertAdjacent|document\.write|\beval\b|fetch\(/,
  );
});

test("whatever is written on a board cannot end the element that it stands in", () => {
  const hostile = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>",
    "&lt;",
    "\u2028\u2029",
    "\\u003c/script>",
  ];
  const json = embeddableJson(hostile);
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual(hostile);
});

test("a table holds what a spreadsheet would take for a formula as text, and numbers as numbers", () => {
  const rows = [["=HYPERLINK(1)", "+1-1", "@x", "-12.50", 'say "hi"', "two\nlines", "plain"]];
  expect(toCsv(rows)).toBe(`\ufeff'=HYPERLINK(1),'+1-1,'@x,-12.50,"say ""hi""","two\nlines",plain\r\n`);
  expect(files.get("cards.csv")).toContain(`"'=HYPERLINK(""http://localhost"")"`);
  expect(files.get("cards.csv")?.startsWith("\ufeffList,Card,Description")).toBe(true);
});

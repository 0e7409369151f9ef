import { expect, test } from "vitest";
import type { OpenVersion } from "#core/browsing/index.ts";
import { tableView } from "#core/exports/viewer/test-views.ts";
import { renderScreen } from "#tests/harness/render-screen.tsx";
import { readRow, readTable } from "./read-table.server.ts";
import { RowView } from "./row-view.tsx";
import { TableFrame, type TablePlace } from "./table-frame.tsx";

const data = {
  platform: "slate",
  itemId: "itm_1",
  snapshotId: "snp_1",
  parts: {},
  timeZone: "Pacific/Auckland",
  now: Date.UTC(2026, 10, 23),
};
const place: TablePlace = { frame: "table", table: null, layout: null, search: null, after: null };
const version = (...titles: string[]) =>
  ({ connector: { views: async () => [tableView(titles)] }, view: {} }) as unknown as OpenVersion;
const address = { viewId: null, tableId: null };

async function shown(titles: string[], more: Partial<TablePlace> = {}): Promise<string> {
  const page = await readTable(version(...titles), {
    ...{ ...address, shown: { layoutId: more.layout ?? null }, search: null, after: null },
  });
  return renderScreen(<TableFrame data={data} page={page} place={{ ...place, ...more }} />);
}

test("a table shows the columns of its layout, and each row links to itself", async () => {
  const markup = await shown(["Belt 1", ""]);
  expect([...markup.matchAll(/<th(?: [^>]*)?>([^<]*)</g)].map(([, name]) => name)).toEqual([
    "Title",
    "Weight",
    "Checked",
    "State",
  ]);
  expect(markup).toContain("part=r0");
  for (const text of ["Belt 1", "(no title)", "0 kg", "night", "20 Nov"]) expect(markup).toContain(text);
});

test("a calendar shows a row on its day in every time zone", async () => {
  const markup = await shown(["Belt 1", "Belt 2"], { layout: "days" });
  expect(markup).toContain("November 2026");
  const days = [...markup.matchAll(/<li[^>]*><span class="mono-meta">(\d+)<\/span>(.*?)<\/li>/g)];
  expect(days).toHaveLength(30);
  const filled = days
    .filter(([, , rows]) => rows !== "")
    .map(([, day, rows]) => [day, />(Belt \d)</.exec(rows!)?.[1]]);
  expect(filled).toEqual([
    ["20", "Belt 1"],
    ["21", "Belt 2"],
  ]);
});

test("a board shows known columns first, also empty ones, and each row under its value", async () => {
  const markup = await shown(["Belt 1", "Belt 2"], { layout: "states" });
  const heads = [...markup.matchAll(/<h2><span[^>]*>([^<]*)<\/span><span[^>]*>(\d+)</g)];
  expect(heads.map(([, name, count]) => [name, count])).toEqual([
    ["day", "0"],
    ["night", "2"],
  ]);
  expect(markup.indexOf("night")).toBeLessThan(markup.indexOf("Belt 1"));
});

test("an unknown layout shows the default one", async () => {
  expect(await shown(["Belt 1"], { layout: "gone" })).toContain("<table");
});

test("a row shows its table, its cells and what stands in it", async () => {
  const opened = await readRow(version("Belt 1"), { ...address, rowId: "r0", commentsAfter: null });
  const markup = renderScreen(<RowView data={data} opened={opened} place={place} />);
  for (const text of ["Belt 1", "About Belt 1", "Weight", "0 kg"]) expect(markup).toContain(text);
  expect(markup).toMatch(/in <a [^>]*href="[^"]*\/version\/table\?[^"]*in=rows"[^>]*>Belts</);
});

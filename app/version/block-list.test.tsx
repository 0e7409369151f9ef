import { expect, test } from "vitest";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { TableRows } from "#core/browsing/views.ts";
import { renderScreen } from "#tests/harness/render-screen.tsx";
import { BlockList } from "./block-list.tsx";
import { shownBlocks } from "./shown-texts.server.ts";

const data = { platform: "slate", itemId: "itm_1", snapshotId: "snp_1", timeZone: "UTC", now: 0 };
const shown = (...blocks: PageBlock[]) => shownWith({}, ...blocks);
const shownWith = (tables: Record<string, TableRows>, ...blocks: PageBlock[]) =>
  renderScreen(<BlockList data={data} view="pages" tables={tables} blocks={shownBlocks(blocks)} />);
const text = (words: string): PageBlock => ({ type: "text", text: words });

test("a toggle is folded below its title, and what is inside can be anything", () => {
  const markup = shown({
    ...{ type: "toggle", title: "## If the **power** fails" },
    blocks: [text("Wait."), { type: "page", id: "p1", title: "Diesel" }],
  });
  expect(markup).toMatch(
    /<details class="block-toggle ?"><summary>.*<h4>If the <strong>power<\/strong> fails/,
  );
  expect(markup).toMatch(/<p>Wait\.<\/p>.*part=p1/);
});

test("a box has its sign and colour, and columns share the width", () => {
  const box: PageBlock = { type: "inset", look: "box", icon: "⚠️", blocks: [text("Mind the belt.")] };
  const markup = shown(
    { ...box, tint: { hue: "red", on: "ground" } },
    {
      type: "columns",
      columns: [
        { share: 1, blocks: [text("Left")] },
        { share: 0.5, blocks: [text("Right")] },
      ],
    },
  );
  expect(markup).toContain('class="block-inset is-box hue-red has-ground"');
  expect(markup).toContain("--shares:minmax(0, 1fr) minmax(0, 0.5fr)");
  expect(markup.indexOf("Left")).toBeLessThan(markup.indexOf("Right"));
});

const belts = (more: Partial<TableRows> = {}): TableRows => ({
  facts: {
    ...{ path: "databases/b", title: "Belts", icon: null, text: "", url: null, titleColumn: "Belt" },
    columns: [
      { id: "n", name: "Parcels/h", type: "number" },
      { id: "s", name: "Secret", type: "text" },
    ],
    layouts: [{ id: "all", label: "All", type: "table", columns: ["n"] }],
    rowCount: 3,
  },
  ...{ layoutId: "all", isUnsorted: false, next: "r1", isPaused: false },
  rows: [
    {
      ...{ id: "r1", path: "rows/r1", key: null, title: "Belt 1", isArchived: false },
      cells: { n: { type: "number", value: 2400, text: "2,400" } },
    },
  ],
  ...more,
});
const inline: PageBlock = { type: "table", id: "b", title: "Belts", isInline: true };

test("an inline table shows its first rows in its layout, and leads to all of them", () => {
  const markup = shownWith({ b: belts() }, { type: "toggle", title: "Fold", blocks: [inline] });
  expect(markup).toMatch(/<th>Belt<\/th><th class="num">Parcels\/h<\/th>/);
  expect(markup).not.toContain("Secret");
  expect(markup).toMatch(/href="[^"]*table=b&amp;part=r1"[^>]*>Belt 1<\/a>/);
  expect(markup).toContain("2,400");
  expect(markup).toContain("3 rows and 2 columns in this version");
  expect(markup).toMatch(/href="[^"]*table=b"[^>]*>2 more rows<\/a>/);
});

test("a table whose rows are not at hand, and one that is not inline, is a link", () => {
  for (const markup of [
    shown(inline),
    shownWith({ b: belts() }, { type: "table", id: "b", title: "Belts" }),
  ]) {
    expect(markup).toMatch(/href="[^"]*table=b"[^>]*>Belts<\/a>/);
    expect(markup).not.toContain("Belt 1");
  }
});

test("a layout that is not applied as a whole says so", () => {
  const noted = (layout: object, more: Partial<TableRows> = {}) => {
    const table = belts(more);
    const [first] = table.facts.layouts;
    return shownWith(
      { b: { ...table, facts: { ...table.facts, layouts: [{ ...first!, ...layout }] } } },
      inline,
    );
  };
  const filtered = noted({ hasFilter: true });
  expect(filtered).toContain("Only rows that pass the filter of this layout are shown.");
  // How many rows pass is unknown.
  expect(filtered).toContain("Show all rows");
  expect(noted({ lacks: ["filter"] })).toContain("Shown without its filter");
  expect(noted({ lacks: ["sort"] })).toContain("Shown without all of its sorting.");
  expect(noted({}, { isUnsorted: true })).toContain("because the table is long");
  expect(noted({})).not.toContain("Shown without");
});

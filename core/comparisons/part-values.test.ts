import { expect, test } from "vitest";
import type { PageDetail } from "#connectors/contract/pages-view.ts";
import type { RowDetail, TableColumn } from "#connectors/contract/table-view.ts";
import type { ThreadDetail } from "#connectors/contract/thread-view.ts";
import { diffValues, pageValues, rowValues, threadValues } from "./part-values.ts";

const changed = (fields: ReturnType<typeof diffValues>) =>
  fields.map(({ field, name, before, after }) => [field ?? name, before, after]);

const thread: ThreadDetail = {
  ...{
    id: "1",
    path: "p",
    key: "#1",
    title: "Gate",
    author: "ivo",
    at: 5,
    editedAt: 6,
    url: null,
    text: "Stuck",
  },
  ...{ state: { label: "Open", isOpen: true }, tags: [], reactions: [], fields: [], files: [] },
  ...{ proposal: null, comesBackAs: null },
};

test("a thread's state, labels and fields are compared; reactions and edit times are not", () => {
  const after: ThreadDetail = {
    ...thread,
    ...{ editedAt: 9, reactions: [{ sign: "👍", count: 2 }], state: { label: "Closed", isOpen: false } },
    tags: [{ name: "bug", hue: null, shade: "normal" }],
    fields: [{ name: "Milestone", value: "Spring" }],
  };
  expect(changed(diffValues(threadValues(thread), threadValues(after)))).toEqual([
    ["state", "Open", "Closed"],
    ["tags", null, "bug"],
    ["Milestone", null, "Spring"],
  ]);
});

const page: PageDetail = {
  ...{ id: "1", path: "p", type: "page", title: "Leipzig", icon: null, isArchived: false, childCount: null },
  crumbs: [{ id: "h", type: "page", title: "Handbook" }],
  ...{ url: null, author: null, at: null, editedAt: null, fields: [], files: [] },
  blocks: [
    { type: "text", text: "Belts stay off." },
    { type: "table", id: "t", title: "Belts" },
    { type: "absent", reason: "Notion does not hand out its content.", url: "https://miro.com/x" },
  ],
};

test("a page's blocks are compared as one text, and its place is compared", () => {
  const after: PageDetail = {
    ...page,
    crumbs: [...page.crumbs, { id: "d", type: "page", title: "Depots" }],
    blocks: page.blocks.slice(0, 2),
  };
  expect(changed(diffValues(pageValues(page), pageValues(after)))).toEqual([
    [
      "text",
      "Belts stay off.\n\nBelts\n\nNotion does not hand out its content. https://miro.com/x",
      "Belts stay off.\n\nBelts",
    ],
    ["place", "Handbook", "Handbook / Depots"],
  ]);
});

test("blocks inside other blocks are compared too", () => {
  const paged = (text: string): PageDetail => ({
    ...page,
    blocks: [
      { type: "toggle", title: "If the power fails", blocks: [{ type: "text", text }] },
      { type: "inset", look: "box", icon: "⚠️", blocks: [{ type: "text", text: "Mind the belt." }] },
      { type: "columns", columns: [{ share: 1, blocks: [{ type: "text", text: "Left" }] }] },
    ],
  });
  expect(changed(diffValues(pageValues(paged("Wait.")), pageValues(paged("Run."))))).toEqual([
    [
      "text",
      "If the power fails\n\nWait.\n\n⚠️ Mind the belt.\n\nLeft",
      "If the power fails\n\nRun.\n\n⚠️ Mind the belt.\n\nLeft",
    ],
  ]);
});

const columns: TableColumn[] = [
  { id: "a", name: "State", type: "tags" },
  { id: "b", name: "Parcels", type: "number" },
  { id: "c", name: "Checked", type: "date" },
  { id: "d", name: "On", type: "check" },
  { id: "e", name: "Depends on", type: "rows" },
];
const row = (cells: RowDetail["cells"]): RowDetail => ({
  ...{ id: "1", path: "p", key: null, title: "Belt 1", isArchived: false, url: null, author: null },
  ...{ at: null, editedAt: null, blocks: [], files: [], cells },
});

test("each cell of a row is compared as text under its column's name", () => {
  const tag = (name: string) => ({ name, hue: null, shade: "normal" as const });
  const before = row({
    a: { type: "tags", tags: [tag("Running"), tag("Clean")] },
    b: { type: "number", value: 2400, text: "2,400" },
    d: { type: "check", isOn: false },
  });
  const after = row({
    a: { type: "tags", tags: [tag("Clean"), tag("Running")] },
    b: { type: "number", value: 900, text: "900" },
    c: { type: "date", from: Date.UTC(2026, 10, 18, 22, 10), until: null, hasTime: true },
    d: { type: "check", isOn: true },
    e: { type: "rows", rows: [{ id: "2", title: "Belt 2" }] },
  });
  expect(changed(diffValues(rowValues(before, columns), rowValues(after, columns)))).toEqual([
    ["Parcels", "2,400", "900"],
    ["Checked", null, "2026-11-18 22:10 UTC"],
    ["On", "No", "Yes"],
    ["Depends on", null, "Belt 2"],
  ]);
});

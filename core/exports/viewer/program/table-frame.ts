import { boardColumns } from "#connectors/contract/table-groups.ts";
import { compareRows } from "#connectors/contract/table-order.ts";
import type { TableLayout } from "#connectors/contract/table-view.ts";
import type { ViewerPart } from "../data.ts";
import { add, button, make } from "./dom.ts";
import { about, inSteps, NAMELESS, ROWS_AT_ONCE, type Scene } from "./frame.ts";
import { dayText, isoOf } from "./words.ts";

/** A table in one of its layouts, with a switch to the others. */
export function tableFrame(table: ViewerPart, scene: Scene): HTMLElement {
  const layouts = table.layouts ?? [];
  const rows = rowsOf(table, scene).filter(scene.matches);
  const body = make("div");
  const element = make(
    "div",
    "table-frame",
    table.blocks !== undefined && table.blocks[0]?.type === "text" && about(table.blocks[0].text),
  );
  const chips = make("p", "chips");
  const show = (at: number) => {
    body.replaceChildren(layoutElement(table, rows, at, scene));
    for (const [index, chip] of [...chips.children].entries())
      chip.setAttribute("aria-pressed", String(index === at));
  };
  if (layouts.length > 1)
    for (const [index, { label }] of layouts.entries())
      add(
        chips,
        button("chip", () => show(index), label),
      );
  show(0);
  return add(element, layouts.length > 1 && chips, body);
}

/** Rows that a text shows of a table inside it. */
const INLINE_ROWS = 10;

/** A table inside a text: its first rows in its first layout, and a way to the whole table. */
export function inlineTable(table: ViewerPart, title: string, scene: Scene): HTMLElement {
  const [layout] = table.layouts ?? [];
  const rows = inLayout(rowsOf(table, scene), layout);
  const more = rows.length - INLINE_ROWS;
  return make(
    "section",
    "",
    make(
      "h3",
      "",
      button("link", () => scene.open(table), title || NAMELESS),
    ),
    drawnLayout(table, { layout, rows: rows.slice(0, INLINE_ROWS), scene }),
    more > 0 &&
      make(
        "p",
        "soft",
        button("link", () => scene.open(table), `${more.toLocaleString("en-US")} more`),
      ),
  );
}

function rowsOf(table: ViewerPart, scene: Scene): ViewerPart[] {
  return (scene.view.byGroup.get(table.id) ?? []).filter(
    (row) => row.type === "row" && (!row.isArchived || scene.hasArchived),
  );
}

/** The rows that a layout shows, in its order. */
function inLayout(rows: readonly ViewerPart[], layout: TableLayout | undefined): ViewerPart[] {
  if (layout === undefined) return [...rows];
  const { id, sorts = [] } = layout;
  const lines = rows
    .filter((row) => !row.hiddenIn?.includes(id))
    .map((row) => ({ row, keys: row.keys?.[id] ?? [], rank: row.rank }));
  return lines.sort((one, other) => compareRows(one, other, sorts)).map(({ row }) => row);
}

function layoutElement(
  table: ViewerPart,
  rows: readonly ViewerPart[],
  at: number,
  scene: Scene,
): HTMLElement {
  const layout = table.layouts?.[at];
  return make(
    "div",
    "",
    ...layoutNotes(layout).map((note) => make("p", "soft", note)),
    drawnLayout(table, { layout, rows: inLayout(rows, layout), scene }),
  );
}

/** What a layout leaves out, and what of it this page does not apply. */
function layoutNotes(layout: TableLayout | undefined): string[] {
  const notes: string[] = [];
  if (layout?.hasFilter) notes.push("Only rows that pass the filter of this layout are shown.");
  if (layout?.lacks?.includes("filter"))
    notes.push("Shown without its filter, so there may be more rows than at the platform.");
  if (layout?.lacks?.includes("sort")) notes.push("Shown without all of its sorting.");
  return notes;
}

function drawnLayout(
  table: ViewerPart,
  { layout, rows, scene }: { layout: TableLayout | undefined; rows: readonly ViewerPart[]; scene: Scene },
): HTMLElement {
  const names = new Map((table.columns ?? []).map(({ id, name }) => [id, name]));
  const shown = layout?.columns ?? [...names.keys()];
  if (layout?.type === "calendar") return calendar(rows, layout.date, scene);
  if (layout?.type === "board") return board(rows, layout, scene);
  if (layout?.type === "list" || layout?.type === "gallery") {
    const list = make("ul", layout.type === "list" ? "rows" : "gallery");
    return inSteps(list, rows, ROWS_AT_ONCE, (row) => make("li", "", rowButton(row, shown, scene)));
  }
  const body = make("tbody");
  const head = make(
    "tr",
    "",
    make("th", "", "Name"),
    ...shown.map((id) => make("th", "", names.get(id) ?? "")),
  );
  const steps = inSteps(body, rows, ROWS_AT_ONCE, (row) =>
    make(
      "tr",
      "",
      make(
        "td",
        "",
        button("link", () => scene.open(row), row.key ? `${row.key} ` : "", row.title || NAMELESS),
      ),
      ...shown.map((id) => make("td", "", row.cells?.[id] ?? "")),
    ),
  );
  const grid = make("table", "grid", make("thead", "", head), body);
  return make("div", "", make("div", "scroll", grid), steps);
}

function rowButton(row: ViewerPart, shown: readonly string[], scene: Scene): HTMLElement {
  const cells = shown.map((id) => row.cells?.[id]).filter(Boolean);
  return button(
    "row",
    () => scene.open(row),
    make("span", "mono", row.key ?? ""),
    make("span", "row__title", row.title || NAMELESS),
    make("span", "soft", cells.join(", ")),
  );
}

/** Rows in columns by a value; those without one come last. */
function board(
  rows: readonly ViewerPart[],
  { group, order, columns }: { group: string; order: readonly string[]; columns: readonly string[] },
  scene: Scene,
): HTMLElement {
  const shown = columns.filter((id) => id !== group);
  const sections = boardColumns(rows, order, (row) => row.groups?.[group] ?? []).map(({ name, rows: held }) =>
    make(
      "section",
      "board__col",
      make("h3", "board__head", name ?? "No value", make("b", "", held.length.toLocaleString("en-US"))),
      inSteps(make("ul", "plain"), held, ROWS_AT_ONCE, (row) => make("li", "", rowButton(row, shown, scene))),
    ),
  );
  return make("div", "board is-rows", ...sections);
}

/** Rows by month and day, newest first; rows without a day come last. */
function calendar(rows: readonly ViewerPart[], date: string, scene: Scene): HTMLElement {
  const months = new Map<string, ViewerPart[]>();
  const dated = rows.slice().sort((one, other) => (other.days?.[date] ?? 0) - (one.days?.[date] ?? 0));
  for (const row of dated) {
    const at = row.days?.[date];
    const month = at === undefined ? "Without a day" : dayText(at).slice(dayText(at).indexOf(" ") + 1);
    months.set(month, [...(months.get(month) ?? []), row]);
  }
  return make(
    "div",
    "",
    ...[...months].map(([month, days]) => {
      const list = inSteps(make("ul", "rows"), days, ROWS_AT_ONCE, (row) => {
        const at = row.days?.[date];
        const day = at === undefined ? "" : String(Number(isoOf(at).slice(8, 10)));
        return make(
          "li",
          "",
          button(
            "row",
            () => scene.open(row),
            make("span", "mono", day),
            make("span", "row__title", row.title || NAMELESS),
          ),
        );
      });
      return make("section", "", make("h3", "", month), list);
    }),
  );
}

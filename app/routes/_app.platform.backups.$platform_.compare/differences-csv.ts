import type { Comparison, ViewDifference } from "#core/comparisons/views.ts";
import { csvLine } from "#core/kernel/csv.ts";

const HEAD = ["part", "change", "name"];

/** The listed differences as CSV: one row each, and one more row for each part whose list is incomplete. */
export function differencesCsv({ views, kinds }: Comparison): string {
  const rows = [HEAD];
  for (const view of views) {
    if (view.kind !== "files") continue;
    const { refs, refCount } = view.tree;
    for (const { name, change } of refs) rows.push([view.label, change, name]);
    rows.push(...restOf(view.label, refCount - refs.length));
  }
  const parts = [...views.flatMap(partsOf), ...kinds.map((kind) => named(kind.one, kind))];
  for (const { part, all, listed } of parts) {
    for (const { change, title } of listed) rows.push([part, change, title]);
    rows.push(...restOf(part, all - listed.length));
  }
  return rows.map(csvLine).join("");
}

function partsOf(view: ViewDifference): ReturnType<typeof named>[] {
  switch (view.kind) {
    case "files":
      return [];
    case "board":
      return [named(view.words.column.one, view.columns), named(view.words.card.one, view.parts)];
    default:
      return [named(view.label, view.parts)];
  }
}

type Listed = {
  added: number;
  changed: number;
  removed: number;
  rows: readonly { change: string; title: string }[];
};

function named(part: string, { added, changed, removed, rows }: Listed) {
  return { part, all: added + changed + removed, listed: rows };
}

function restOf(part: string, count: number): string[][] {
  return count > 0 ? [[part, "not listed", `${count} more`]] : [];
}

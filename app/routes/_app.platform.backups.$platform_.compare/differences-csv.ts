import type { Comparison } from "#core/comparisons/views.ts";

const HEAD = ["part", "change", "name"];
/** Text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * The listed differences as CSV (RFC 4180): one row each, and one more row for each part whose list is incomplete.
 * Names are foreign text, so none may begin like a formula.
 */
export function differencesCsv({ trees, kinds, board }: Comparison): string {
  const rows = [HEAD];
  for (const { label, refs, refCount } of trees) {
    for (const { name, change } of refs) rows.push([label, change, name]);
    rows.push(...restOf(label, refCount - refs.length));
  }
  const parts = [
    ...(board ? [named("list", board.columns), named("card", board.cards)] : []),
    ...kinds.map((kind) => named(kind.one, kind)),
  ];
  for (const { part, all, listed } of parts) {
    for (const { change, title } of listed) rows.push([part, change, title]);
    rows.push(...restOf(part, all - listed.length));
  }
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
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

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

import type { KeyboardEvent } from "react";

/** Controls that a row may hold, without those that use the arrow keys themselves. */
const CONTROLS = "a[href], button, input[type=checkbox]";

/**
 * Up and down arrow move between the rows of a table, from a control to the same one of the next row, so that nobody
 * tabs through every control of a list. Tab still stops at each.
 */
export function moveBetweenRows(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const from = event.target as HTMLElement;
  if (event.defaultPrevented || !from.matches(CONTROLS) || from.getAttribute("aria-haspopup")) return;
  const next = controlBeside(from, step);
  if (next === null) return;
  event.preventDefault();
  next.focus();
}

/** The same control of the next row that has it; null at the end of the table. */
function controlBeside(from: HTMLElement, step: 1 | -1): HTMLElement | null {
  const cell = from.closest<HTMLTableCellElement>("td, th");
  const row = cell?.closest("tr");
  const rows = [
    ...(row?.closest("table.data-table")?.querySelectorAll<HTMLTableRowElement>("tbody tr") ?? []),
  ];
  const at = row ? rows.indexOf(row) : -1;
  if (!cell || at === -1) return null;
  const place = controlsOf(cell).indexOf(from);
  for (let next = at + step; next >= 0 && next < rows.length; next += step) {
    const found = controlsOf(rows[next]?.cells[cell.cellIndex])[place];
    if (found) return found;
  }
  return null;
}

function controlsOf(cell: HTMLTableCellElement | undefined): HTMLElement[] {
  const all = [...(cell?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
  return all.filter((control) => control.offsetParent !== null);
}

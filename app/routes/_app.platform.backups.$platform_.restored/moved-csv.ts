import { csvLine } from "#core/kernel/csv.ts";
import type { MovedThing } from "./restored-view.ts";

const HEAD = ["kind", "was", "is now", "address"];

/** Where things are now as CSV: a row for each line of the report, and one more if it does not hold all of them. */
export function movedCsv(things: readonly MovedThing[], all: number): string {
  const rows = things.map(({ kind, from, to, url }) => [kind, from, to, url ?? ""]);
  const rest = all - things.length;
  return [HEAD, ...rows, ...(rest > 0 ? [["not listed", `${rest} more`, "", ""]] : [])].map(csvLine).join("");
}

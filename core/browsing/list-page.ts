import { ENTRIES_PER_PAGE } from "./limits.ts";
import type { ListPage } from "./views.ts";

/**
 * One page out of a list that is read line by line, with the lines that are wanted. One that finds little pauses after a
 * bounded number of lines and says so; nothing but the page is kept.
 */
export async function readListPage<T, R>(
  lines: AsyncIterable<T>,
  order: {
    isWanted: (line: T) => boolean;
    toRow: (line: T) => R;
    /** What names a line, so that the next page goes on behind it. */
    markOf: (line: T) => string;
    mostScanned: number;
  },
): Promise<ListPage<R>> {
  const rows: R[] = [];
  let shown: string | null = null;
  let scanned = 0;
  for await (const line of lines) {
    const mark = order.markOf(line);
    if (order.isWanted(line)) {
      // One more than fits tells that there is a next page.
      if (rows.length === ENTRIES_PER_PAGE) return { rows, next: shown, isPaused: false };
      rows.push(order.toRow(line));
      shown = mark;
    }
    scanned += 1;
    if (scanned >= order.mostScanned) return { rows, next: mark, isPaused: true };
  }
  return { rows, next: null, isPaused: false };
}

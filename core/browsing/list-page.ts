import { ENTRIES_PER_PAGE } from "./limits.ts";
import type { ListPage } from "./views.ts";

/**
 * Reads one page of matching lines from a list, line by line. A search with few matches pauses after a bounded number
 * of lines and says so. Only the page is kept in memory.
 */
export async function readListPage<T, R>(
  lines: AsyncIterable<T>,
  order: {
    isWanted: (line: T) => boolean;
    toRow: (line: T) => R;
    /** Returns the key of a line; the next page starts after it. */
    markOf: (line: T) => string;
    mostScanned: number;
    /** Lines of the page. */
    most?: number;
  },
): Promise<ListPage<R>> {
  const most = order.most ?? ENTRIES_PER_PAGE;
  const rows: R[] = [];
  let shown: string | null = null;
  let scanned = 0;
  for await (const line of lines) {
    const mark = order.markOf(line);
    if (order.isWanted(line)) {
      // One extra line shows that there is a next page.
      if (rows.length === most) return { rows, next: shown, isPaused: false };
      rows.push(order.toRow(line));
      shown = mark;
    }
    scanned += 1;
    if (scanned >= order.mostScanned) return { rows, next: mark, isPaused: true };
  }
  return { rows, next: null, isPaused: false };
}

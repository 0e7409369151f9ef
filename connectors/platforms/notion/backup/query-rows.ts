import { z } from "zod";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { paths } from "../client.ts";
import { type NotionResult, resultsSchema } from "../payloads.ts";
import { isOldPlace, readList } from "../read-list.ts";

/** Where a query of all rows stands. Times are ISO texts, as Notion writes them. */
export const rowsCursorSchema = z.strictObject({
  /** The window: rows made at this time or later; null = from the first. */
  from: z.string().nullable(),
  /** Splits a minute in which more rows were made than a query gives: rows edited at this time or later. */
  editedFrom: z.string().nullable(),
  /** True = the window is the single minute `from`. */
  isMinute: z.boolean(),
  /** The next page of the window. */
  page: z.string().nullable(),
  /** The last known time in the window, from which the next one starts. */
  last: z.string().nullable(),
});
export type RowsCursor = z.output<typeof rowsCursorSchema>;

export const FIRST_ROWS: RowsCursor = {
  from: null,
  editedFrom: null,
  isMinute: false,
  page: null,
  last: null,
};

/** A page of rows. `next` continues after it; null = all rows were given. `lost`: a minute with rows that nothing gives. */
export type RowsStep = {
  rows: NotionResult[];
  next: RowsCursor | null;
  lost: string | null;
  /** Where the query began again, because Notion no longer took its place: rows of the last known time appear again. */
  again: RowsCursor | null;
};

/**
 * Reads all rows of a data source. A query gives at most 10,000 and then says that it is incomplete (Notion's guide
 * "Query large data sources"), so rows are read in windows by the time at which they were made, which never changes. Times
 * have whole minutes: a minute with more rows than a query gives is split by the times of the last edits, and if also
 * these are equal, the rest of it is lost. Rows at the edge of a window appear twice.
 *
 * @param changedSince Only rows that were edited then or later; null = all.
 */
export async function* queryRows(
  client: HttpClient,
  sourceId: string,
  { changedSince, from }: { changedSince: string | null; from: RowsCursor },
): AsyncGenerator<RowsStep, void> {
  let at: RowsCursor | null = from;
  /** The place with which the query goes on, until Notion takes it. */
  let old: RowsCursor | null = from.page === null ? null : from;
  let again: RowsCursor | null = null;
  while (at !== null) {
    const call = {
      method: "POST",
      path: paths.query(sourceId),
      body: {
        ...filterOf(at, changedSince),
        sorts: [{ timestamp: sortOf(at), direction: "ascending" }],
      },
      about: "the rows of this data source",
    } as const;
    const window: RowsCursor = at;
    let last: string | null = window.last;
    try {
      for await (const { answer, next } of readList(client, call, resultsSchema, window.page)) {
        for (const row of answer.results) if (row.object !== "partial") last = row[sortOf(window)];
        const isCut = answer.request_status?.type === "incomplete";
        const turn: { next: RowsCursor | null; lost: string | null } =
          next !== null
            ? { next: { ...window, page: next, last }, lost: null }
            : isCut
              ? narrower(window, last)
              : wider(window);
        const step = { rows: answer.results, ...turn, again };
        [old, again] = [null, null];
        yield step;
        if (next === null) at = turn.next;
      }
    } catch (error) {
      if (!isOldPlace(error) || old === null) throw error;
      at = fromLast(old);
      [old, again] = [null, at];
    }
  }
}

/** The window from the last known time. */
function fromLast(at: RowsCursor): RowsCursor {
  const { last } = at;
  if (last === null) return { ...at, page: null };
  return { ...at, page: null, ...(at.isMinute ? { editedFrom: last } : { from: last }) };
}

const sortOf = ({ isMinute }: RowsCursor) => (isMinute ? "last_edited_time" : "created_time");

function filterOf(
  { from, editedFrom, isMinute }: RowsCursor,
  changedSince: string | null,
): { filter?: { and: Json[] } } {
  const and: Json[] = [];
  const bound = (timestamp: "created_time" | "last_edited_time", rule: string, time: string) =>
    and.push({ timestamp, [timestamp]: { [rule]: time } });
  if (changedSince !== null) bound("last_edited_time", "on_or_after", changedSince);
  if (from !== null) bound("created_time", "on_or_after", from);
  if (from !== null && isMinute) bound("created_time", "before", minuteAfter(from));
  if (editedFrom !== null) bound("last_edited_time", "on_or_after", editedFrom);
  return and.length === 0 ? {} : { filter: { and } };
}

/** The window after one that a query did not exhaust. */
function narrower(at: RowsCursor, last: string | null): { next: RowsCursor | null; lost: string | null } {
  const edge = at.isMinute ? at.editedFrom : at.from;
  if (last !== null && last !== edge) {
    const next = at.isMinute
      ? { ...at, editedFrom: last, page: null, last }
      : { ...FIRST_ROWS, from: last, last };
    return { next, lost: null };
  }
  if (at.isMinute || at.from === null) {
    // The minute of the creation, and within it one minute of the last edit, has too many rows.
    const { next } = at.isMinute && at.editedFrom !== null ? skipEdited(at) : wider(at);
    return { next, lost: at.from };
  }
  return { next: { ...at, isMinute: true, editedFrom: null, page: null, last: null }, lost: null };
}

function skipEdited(at: RowsCursor): { next: RowsCursor } {
  const editedFrom = minuteAfter(at.editedFrom ?? "");
  return { next: { ...at, editedFrom, page: null, last: null } };
}

/** The window after one that was exhausted: the minutes after a single one, or none. */
function wider(at: RowsCursor): { next: RowsCursor | null; lost: null } {
  if (!at.isMinute || at.from === null) return { next: null, lost: null };
  return { next: { ...FIRST_ROWS, from: minuteAfter(at.from) }, lost: null };
}

function minuteAfter(time: string): string {
  return new Date(Math.floor(Date.parse(time) / MINUTE_MS) * MINUTE_MS + MINUTE_MS).toISOString();
}

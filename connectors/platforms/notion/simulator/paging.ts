import type { Context } from "hono";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readId } from "./ids.ts";
import { invalid } from "./refused.ts";
import type { Fields } from "./state.ts";

/** Most things of one page, and how many come without a wish. Source: [paging]. */
export const PAGE_SIZE = 100;

/** Which page is wanted; a missing cursor means the first. */
export type PageWish = { size: number; cursor: string | null };

/** Reads `page_size` and `start_cursor` of a query. @throws Refused */
export function pageOfQuery(c: Context): PageWish {
  const { page_size, start_cursor } = c.req.query();
  return readWish(page_size === undefined ? undefined : Number(page_size), start_cursor);
}

/** The same of a body. @throws Refused */
export function readWish(size: unknown, cursor: unknown): PageWish {
  if (
    size !== undefined &&
    !(typeof size === "number" && Number.isInteger(size) && size >= 1 && size <= PAGE_SIZE)
  )
    throw invalid(
      `page_size should be a number between 1 and ${PAGE_SIZE}, instead was \`${String(size)}\`.`,
    );
  if (cursor !== undefined && cursor !== null && typeof cursor !== "string")
    throw invalid("start_cursor should be a string.");
  return { size: (size as number | undefined) ?? PAGE_SIZE, cursor: cursor ?? null };
}

/**
 * A page of a list whose cursor is the id of the next thing (recordings: `next_cursor` of block lists). A thing that is
 * no longer in the list makes a cursor invalid.
 */
export function pageOf(
  ids: readonly string[],
  { size, cursor }: PageWish,
): { ids: string[]; next: string | null } {
  const from = cursor === null ? 0 : ids.indexOf(readId(cursor) ?? cursor);
  if (from < 0) throw invalid(`The start_cursor provided is invalid: ${cursor}`);
  return { ids: ids.slice(from, from + size), next: ids[from + size] ?? null };
}

/** A list as the API answers it. */
export function listAnswer(type: string, results: Json[], next: string | null, more: Fields = {}): Fields {
  return { object: "list", results, next_cursor: next, has_more: next !== null, type, [type]: {}, ...more };
}

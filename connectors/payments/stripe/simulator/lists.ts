import { refused } from "./errors.ts";
import type { PageQuery } from "./params.ts";
import { type Json, listOf } from "./render.ts";

/** One page of a list, the newest first (docs.stripe.com/api/pagination). */
export function page<T extends { id: string; created?: number }>(
  things: readonly T[],
  query: PageQuery,
  url: string,
): Json {
  const { created, limit = 10, starting_after: after, ending_before: before } = query;
  const bounds = typeof created === "number" ? { gte: created, lte: created } : created;
  const matching = things.filter(
    ({ created: at = 0 }) =>
      at > (bounds?.gt ?? -1) &&
      at >= (bounds?.gte ?? 0) &&
      at < (bounds?.lt ?? Number.POSITIVE_INFINITY) &&
      at <= (bounds?.lte ?? Number.POSITIVE_INFINITY),
  );
  const placeOf = (id: string, param: string) => {
    const at = matching.findIndex((thing) => thing.id === id);
    if (at < 0) throw refused(`No such object: '${id}'`, { code: "resource_missing", param });
    return at;
  };
  if (before !== undefined) {
    const end = placeOf(before, "ending_before");
    const start = Math.max(0, end - limit);
    return listOf(matching.slice(start, end), url, start > 0);
  }
  const start = after === undefined ? 0 : placeOf(after, "starting_after") + 1;
  return listOf(matching.slice(start, start + limit), url, start + limit < matching.length);
}

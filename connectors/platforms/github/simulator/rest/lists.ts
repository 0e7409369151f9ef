import { z } from "zod";

/** A time in a query. */
export const sinceSchema = z.iso.datetime({ offset: true });

/** The direction of a list. */
export const directionSchema = z.enum(["asc", "desc"]);

/** Keeps items changed at or after a time: `since` is inclusive. */
export function changedSince<T>(
  items: readonly T[],
  since: string | undefined,
  at: (item: T) => string,
): T[] {
  if (since === undefined) return [...items];
  const from = Date.parse(since);
  return items.filter((item) => Date.parse(at(item)) >= from);
}

/** Sorts by a text or number key; equal keys by id. */
export function inOrder<T extends { id: number }>(
  items: readonly T[],
  key: (item: T) => string | number,
  direction: "asc" | "desc",
): T[] {
  const sign = direction === "asc" ? 1 : -1;
  const compare = (a: T, b: T) => {
    const left = key(a);
    const right = key(b);
    return sign * (left < right ? -1 : left > right ? 1 : a.id - b.id);
  };
  return [...items].sort(compare);
}

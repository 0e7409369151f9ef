import type { Json } from "#core/kernel/canonical-json.ts";

/** A view or comment of a version (`StoredListed`), or a row, which has no position. */
type Listed = { readonly [name: string]: Json };

/** Orders comments and rows: oldest first, and those of one minute as Notion lists them, or by their ids. */
export function byAge(one: Listed, other: Listed): number {
  return (
    compare(textOf(one.created_time), textOf(other.created_time)) ||
    placeOf(one) - placeOf(other) ||
    compare(textOf(one.id), textOf(other.id))
  );
}

/** Orders views as Notion lists them, which is the order of their tabs. */
export function byPlace(one: Listed, other: Listed): number {
  return placeOf(one) - placeOf(other) || byAge(one, other);
}

function placeOf({ position }: Listed): number {
  return typeof position === "number" ? position : 0;
}

const textOf = (value: Json | undefined) => (typeof value === "string" ? value : "");

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

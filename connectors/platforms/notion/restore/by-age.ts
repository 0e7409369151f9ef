import { type JsonObject, textOf } from "./json-parts.ts";

/** Orders views and comments: oldest first, and those of one minute as Notion lists them. */
export function byAge(one: JsonObject, other: JsonObject): number {
  return (
    compare(textOf(one.created_time) ?? "", textOf(other.created_time) ?? "") ||
    placeOf(one) - placeOf(other) ||
    compare(textOf(one.id) ?? "", textOf(other.id) ?? "")
  );
}

/** Orders views as Notion lists them, which is the order of their tabs. */
export function byPlace(one: JsonObject, other: JsonObject): number {
  return placeOf(one) - placeOf(other) || byAge(one, other);
}

function placeOf({ position }: JsonObject): number {
  return typeof position === "number" ? position : 0;
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

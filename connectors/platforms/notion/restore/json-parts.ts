import type { Json } from "#core/kernel/canonical-json.ts";

/** A JSON object whose members are not known in advance. */
export type JsonObject = { [key: string]: Json };

/** The value as an object; an empty one for anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** The value as a list of objects; other members are left out. */
export function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value)
    ? value.filter(
        (each): each is JsonObject => each !== null && typeof each === "object" && !Array.isArray(each),
      )
    : [];
}

/** The value as text; null for anything else. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** Copies the named members that are there and not null. */
export function picked(source: JsonObject, names: readonly string[]): JsonObject {
  const copy: JsonObject = {};
  for (const name of names) {
    const value = source[name];
    if (value !== undefined && value !== null) copy[name] = value;
  }
  return copy;
}

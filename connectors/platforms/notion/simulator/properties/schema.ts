import { createHash } from "node:crypto";
import { newId } from "../ids.ts";
import type { DataSource, Fields, NotionState } from "../state.ts";

/** A property of a data source as it is stored: `{ id, name, description, type, [type]: configuration }`. */
export type Property = Fields & { id: string; name: string; type: string };

/** Types whose value nobody may write. Source: contract, the values of `CreatePageBodyParameters` lack them. */
export const COMPUTED = new Set([
  ...["created_by", "created_time", "last_edited_by", "last_edited_time"],
  ...["formula", "rollup", "unique_id", "button"],
]);

export const propertiesOf = (source: DataSource): Property[] =>
  Object.values(source.properties) as Property[];

/** Finds a property by its name or by its id, which requests may write with or without escapes. */
export function findProperty(source: DataSource, key: string): Property | null {
  const all = propertiesOf(source);
  const named = all.find(({ name }) => name === key) ?? all.find(({ id }) => id === key);
  return named ?? all.find(({ id }) => unescaped(id) === key) ?? null;
}

/**
 * The id of a new property: four signs, escaped as in a web address. The title's is `title`. Source: recorded data
 * sources, and the property ids in the types' examples.
 */
export function newPropertyId(state: NotionState, type: string): string {
  if (type === "title") return "title";
  const hash = createHash("sha256").update(newId(state)).digest();
  const signs = [...hash.subarray(0, 4)].map((byte) => SIGNS[byte % SIGNS.length]);
  return encodeURIComponent(signs.join(""));
}

const SIGNS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ:;@|>^_~`}{[]?<=";

/** The id of a property without the escapes of a web address. */
export function unescaped(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

import type { Json } from "#core/kernel/canonical-json.ts";

/**
 * Members of stored records. An earlier release may have stored a record, and Notion may send what its types do not name,
 * so a member of another form counts as absent.
 */
export type Members = { readonly [name: string]: Json };

/** The members of an object; none for anything else. */
export function membersOf(value: Json | undefined): Members {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** The object with this name. */
export function memberOf(value: Json | undefined, name: string): Members {
  const members = membersOf(value);
  return Object.hasOwn(members, name) ? membersOf(members[name]) : {};
}

/** The text with this name; empty = none. */
export function textOf(value: Json | undefined, name: string): string {
  const text = membersOf(value)[name];
  return typeof text === "string" ? text : "";
}

/** The list with this name; empty = none. */
export function listOf(value: Json | undefined, name: string): readonly Json[] {
  const list = membersOf(value)[name];
  return Array.isArray(list) ? list : [];
}

/** The number with this name; null = none. */
export function numberOf(value: Json | undefined, name: string): number | null {
  const number = membersOf(value)[name];
  return typeof number === "number" ? number : null;
}

import type { Field } from "#connectors/contract/field.ts";

/** Parses a date to epoch ms; null if it is missing or invalid. */
export function timeOf(text: string | null | undefined): number | null {
  const at = text ? Date.parse(text) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

/** A field with a value, or no field. */
export function wordField(name: string, value: string | null | undefined): Field[] {
  return value ? [{ name, value }] : [];
}

/** A field of several values, or no field. */
export function listField(name: string, values: readonly string[]): Field[] {
  return wordField(name, values.join(", "));
}

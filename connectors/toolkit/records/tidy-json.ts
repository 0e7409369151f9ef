import type { Json } from "#core/kernel/canonical-json.ts";

/**
 * Copies a platform's JSON into a record. `rule` is called for every member of every object from the outside in and
 * returns its replacement; `undefined` omits it. A changed value is used as it is; an unchanged value is processed
 * recursively.
 */
export function tidyJson(value: Json, rule: (key: string, value: Json) => Json | undefined): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((member) => tidyJson(member, rule));
  const copy: { [key: string]: Json } = {};
  for (const [key, member] of Object.entries(value)) {
    const answer = rule(key, member);
    if (answer !== undefined) copy[key] = answer === member ? tidyJson(member, rule) : answer;
  }
  return copy;
}

/** Picks some members of an object; null when it is not an object. */
export function pickJson(value: Json | undefined, keys: readonly string[]): Json {
  if (value === null || value === undefined || typeof value !== "object" || Array.isArray(value)) return null;
  const copy: { [key: string]: Json } = {};
  for (const key of keys) if (value[key] !== undefined) copy[key] = value[key];
  return copy;
}

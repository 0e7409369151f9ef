import type { Json } from "#core/kernel/canonical-json.ts";

/**
 * Copies what a platform sent into a record, member by member. The rule sees every member of every object from the
 * outside in and answers what stands in its place; `undefined` leaves it out. What the rule answers with another value
 * is taken as it is; what it answers unchanged is entered.
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

/** Some members of an object, in a record's form; null when it is no object. */
export function pickJson(value: Json | undefined, keys: readonly string[]): Json {
  if (value === null || value === undefined || typeof value !== "object" || Array.isArray(value)) return null;
  const copy: { [key: string]: Json } = {};
  for (const key of keys) if (value[key] !== undefined) copy[key] = value[key];
  return copy;
}

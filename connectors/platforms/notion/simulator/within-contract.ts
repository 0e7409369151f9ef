import { type Input, isObject } from "./properties/read-input.ts";

/**
 * An answer without what the contract's types lack although Notion has it, so that the rest can be held against them:
 * - `has_more` of relations: Notion's documentation of page properties
 * - schemas of button, place and verification properties: the contract has their values, and creates the first
 * - conditions of a view's filter: the contract declares only what they are about
 */
export function withinContract(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withinContract);
  if (!isObject(value)) return value;
  const { has_more: _, ...others } = value;
  const shown = value.type === "relation" && Array.isArray(value.relation) ? others : value;
  const copy = Object.fromEntries(
    Object.entries(shown).map(([name, inner]) => [name, withinContract(inner)]),
  );
  if (copy.object === "data_source" && isObject(copy.properties)) {
    const known = Object.entries(copy.properties).filter(([, property]) => !isUndeclared(property));
    return { ...copy, properties: Object.fromEntries(known) };
  }
  return copy.object === "view" && isObject(copy.filter) ? { ...copy, filter: subjectOf(copy.filter) } : copy;
}

const isUndeclared = (property: unknown): boolean =>
  isObject(property) && ["button", "place", "verification"].includes(String(property.type));

function subjectOf(filter: Input): Input {
  const kept = Object.entries(filter).filter(([name]) =>
    ["property", "timestamp", "and", "or"].includes(name),
  );
  return Object.fromEntries(
    kept.map(([name, inner]) => [name, Array.isArray(inner) ? inner.map((each) => subjectOf(each)) : inner]),
  );
}

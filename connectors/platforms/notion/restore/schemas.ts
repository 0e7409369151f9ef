import { propertyKey } from "../property-key.ts";
import type { StoredSource } from "../records.ts";
import { type JsonObject, objectOf, objectsOf, picked, textOf } from "./json-parts.ts";

/** Options of one write (developers.notion.com, "Request limits"). Further ones come with the values that have them. */
export const MOST_OPTIONS = 100;

/** Types whose configuration is empty (`@notionhq/client` 5.26.0, `PropertyConfigurationRequest`). */
const EMPTY = new Set([
  ...["title", "rich_text", "url", "people", "files", "email", "phone_number", "date", "checkbox"],
  ...["created_by", "created_time", "last_edited_by", "last_edited_time", "button", "verification", "place"],
]);
/** Types that follow when every table is there. */
const LATE = new Set(["relation", "rollup", "formula"]);

type Property = StoredSource["properties"][string];

/** A relation to create, with its partner if it has one. */
export type RelationStep = {
  sourceId: string;
  name: string;
  description: string | null;
  /** The related data source of the version, which may not be part of the restore. */
  targetId: string;
  /** The name of the property that shows the relation from the other side; null = only this side. */
  partner: string | null;
};

/** A rollup or formula to create, behind those that it computes with. */
export type ComputedStep = { sourceId: string; name: string; type: "rollup" | "formula"; config: JsonObject };

/** The properties with which a data source is made: all but relations, rollups and formulas. */
export function firstSchema({ properties }: Pick<StoredSource, "properties">): JsonObject {
  const schema: JsonObject = {};
  for (const property of Object.values(properties)) {
    const config = firstConfig(property);
    if (config === null) continue;
    const description = textOf(property.description);
    schema[property.name] = { ...(description ? { description } : {}), [property.type]: config };
  }
  return schema;
}

/** Names of properties of types that no request can make. */
export function unknownProperties({ properties }: Pick<StoredSource, "properties">): string[] {
  return Object.values(properties)
    .filter((property) => firstConfig(property) === null && !LATE.has(property.type))
    .map(({ name }) => name);
}

function firstConfig(property: Property): JsonObject | null {
  const { type } = property;
  const config = objectOf(property[type]);
  if (EMPTY.has(type)) return {};
  switch (type) {
    case "number":
      return picked(config, ["format"]);
    case "select":
    case "multi_select":
    case "status": {
      const options = objectsOf(config.options).slice(0, MOST_OPTIONS);
      return { options: options.map((option) => picked(option, ["name", "color", "description"])) };
    }
    case "unique_id":
      // The prefix belongs to the original as long as that is there; it is tried when everything else is.
      return {};
    default:
      return null;
  }
}

/** The prefix of a data source's ids, by the name of the property; null = none. */
export function idPrefix({
  properties,
}: Pick<StoredSource, "properties">): { name: string; prefix: string } | null {
  const found = Object.values(properties).find(({ type }) => type === "unique_id");
  const prefix = textOf(objectOf(found?.unique_id).prefix);
  return found === undefined || !prefix ? null : { name: found.name, prefix };
}

/** The relations between data sources, each pair once. */
export function relationSteps(sources: readonly StoredSource[]): RelationStep[] {
  const known = new Map(sources.map((source) => [source.id, source]));
  const told = new Set<string>();
  const steps: RelationStep[] = [];
  for (const source of sources) {
    for (const property of Object.values(source.properties)) {
      if (property.type !== "relation" || told.has(keyOf(source.id, property.id))) continue;
      const relation = objectOf(property.relation);
      const targetId = textOf(relation.data_source_id) ?? "";
      const pair = objectOf(relation.dual_property);
      const partner = partnerOf(known.get(targetId), textOf(pair.synced_property_id), property.id);
      if (partner !== null) told.add(keyOf(targetId, partner.id));
      const { name } = property;
      const description = textOf(property.description);
      steps.push({ sourceId: source.id, name, description, targetId, partner: partner?.name ?? null });
    }
  }
  return steps;
}

/** The other side of a relation. A property that relates its table to itself may be its own partner: it has none. */
function partnerOf(target: StoredSource | undefined, id: string | null, ownId: string): Property | null {
  if (target === undefined || id === null) return null;
  const found = Object.values(target.properties).find(
    (property) => property.type === "relation" && propertyKey(property.id) === propertyKey(id),
  );
  return found === undefined || propertyKey(found.id) === propertyKey(ownId) ? null : found;
}

function keyOf(sourceId: string, propertyId: string): string {
  return `${sourceId}/${propertyKey(propertyId)}`;
}

/** Rollups and formulas, each behind those that it computes with. */
export function computedSteps(sources: readonly StoredSource[]): ComputedStep[] {
  const known = new Map(sources.map((source) => [source.id, source]));
  const steps: ComputedStep[] = [];
  const visited = new Set<string>();
  const visit = (source: StoredSource | undefined, name: string) => {
    const property = Object.values(source?.properties ?? {}).find((each) => each.name === name);
    if (source === undefined || property === undefined) return;
    const { type } = property;
    if ((type !== "rollup" && type !== "formula") || visited.has(keyOf(source.id, property.id))) return;
    visited.add(keyOf(source.id, property.id));
    const config = objectOf(property[type]);
    if (type === "rollup") {
      const via = Object.values(source.properties).find(
        (each) => each.name === config.relation_property_name,
      );
      visit(
        known.get(textOf(objectOf(via?.relation).data_source_id) ?? ""),
        textOf(config.rollup_property_name) ?? "",
      );
      const names = ["function", "relation_property_name", "rollup_property_name"];
      steps.push({ sourceId: source.id, name, type, config: picked(config, names) });
      return;
    }
    const expression = namedExpression(textOf(config.expression) ?? "", source);
    for (const other of Object.keys(source.properties)) if (uses(expression, other)) visit(source, other);
    steps.push({ sourceId: source.id, name, type, config: { expression } });
  };
  for (const source of sources) for (const { name } of Object.values(source.properties)) visit(source, name);
  return steps;
}

function uses(expression: string, name: string): boolean {
  return expression.includes(`prop(${JSON.stringify(name)})`);
}

const TOKEN = "{{notion:block_property:";

/**
 * A formula that names its properties. Answers may name them by id, in `{{notion:block_property:id:…}}`; the new table
 * gives its properties other ids.
 */
export function namedExpression(
  expression: string,
  { properties }: Pick<StoredSource, "properties">,
): string {
  let named = "";
  let from = 0;
  for (;;) {
    const start = expression.indexOf(TOKEN, from);
    const end = start < 0 ? -1 : expression.indexOf("}}", start);
    if (end < 0) return named + expression.slice(from);
    const [id = ""] = expression.slice(start + TOKEN.length, end).split(":", 1);
    const found = Object.values(properties).find((property) => propertyKey(property.id) === propertyKey(id));
    const shown =
      found === undefined ? expression.slice(start, end + 2) : `prop(${JSON.stringify(found.name)})`;
    named += expression.slice(from, start) + shown;
    from = end + 2;
  }
}

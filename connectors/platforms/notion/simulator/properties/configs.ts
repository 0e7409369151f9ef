import { invalid } from "../refused.ts";
import type { DataSource, Fields } from "../state.ts";
import { readExpression } from "./formula.ts";
import { type Option, readOptions } from "./options.ts";
import { type Input, readObject, readOneOf, readText, unfit } from "./read-input.ts";
import { ROLLUP_FUNCTIONS } from "./roll-up.ts";
import { findProperty, type Property } from "./schema.ts";
import { readStatus } from "./status.ts";
import type { Writer } from "./writer.ts";

/** Types whose configuration is an empty object. Source: contract, `PropertyConfigurationRequest`. */
const PLAIN = [
  ...["title", "rich_text", "url", "people", "files", "email", "phone_number", "date", "checkbox"],
  ...["created_by", "created_time", "last_edited_by", "last_edited_time", "button", "verification", "place"],
];

/**
 * Types of properties that requests may make. `location` and `last_visited_time` are in the contract's requests, but no
 * answer has a form for them, so they are refused.
 */
export const PROPERTY_TYPES = [
  ...PLAIN,
  ...["number", "select", "multi_select", "status", "relation", "rollup", "formula", "unique_id"],
];

/** Formats of numbers. Source: the documentation of the number property. */
const NUMBER_FORMATS = [
  ...["number", "number_with_commas", "percent", "dollar", "australian_dollar", "canadian_dollar"],
  ...["singapore_dollar", "euro", "pound", "yen", "ruble", "rupee", "won", "yuan", "real", "lira", "rupiah"],
  ...["franc", "hong_kong_dollar", "new_zealand_dollar", "krona", "norwegian_krone", "mexican_peso", "rand"],
  ...["new_taiwan_dollar", "danish_krone", "zloty", "baht", "forint", "koruna", "shekel", "chilean_peso"],
  ...["philippine_peso", "dirham", "colombian_peso", "riyal", "ringgit", "leu", "argentine_peso"],
  ...["uruguayan_peso", "peruvian_sol"],
];

/** Reads the configuration of any property but a relation. `source` has the properties that it may name. */
export function readConfig(
  writer: Writer,
  source: DataSource,
  { type, input, place, before }: { type: string; input: unknown; place: string; before: Property | null },
): Fields {
  const present = (before?.[type] as Fields | undefined) ?? null;
  const members = MEMBERS[type] ?? [];
  const config = readObject(input, place, members);
  switch (type) {
    case "number":
      if (config.format === undefined) return present ?? { format: "number" };
      return { format: readOneOf(config.format, `${place}.format`, NUMBER_FORMATS) };
    case "select":
    case "multi_select": {
      const options = (present?.options ?? []) as Option[];
      if (config.options === undefined) return { options };
      return { options: readOptions(writer, config.options, `${place}.options`, options) };
    }
    case "status":
      return readStatus(writer, config.options, `${place}.options`, present);
    case "unique_id":
      return { prefix: readPrefix(config.prefix, `${place}.prefix`, present) };
    case "formula": {
      const expression = readText(config.expression, `${place}.expression`, 20_000);
      return { expression: readExpression(source, expression, `${place}.expression`) };
    }
    case "rollup":
      return readRollup(writer, source, config, place);
    default:
      return {};
  }
}

const MEMBERS: Record<string, string[]> = {
  number: ["format"],
  select: ["options"],
  multi_select: ["options"],
  status: ["options"],
  unique_id: ["prefix"],
  formula: ["expression"],
  rollup: [
    ...["function", "relation_property_name", "relation_property_id"],
    ...["rollup_property_name", "rollup_property_id"],
  ],
};

function readPrefix(value: unknown, place: string, present: Fields | null): string | null {
  if (value === undefined) return (present?.prefix as string | undefined) ?? null;
  if (value === null) return null;
  const prefix = readText(value, place, 20);
  if (!/^[A-Za-z0-9]+$/.test(prefix)) throw unfit(place, "letters and digits", prefix);
  return prefix;
}

function readRollup({ world }: Writer, source: DataSource, config: Input, place: string): Fields {
  const how = readOneOf(config.function, `${place}.function`, ROLLUP_FUNCTIONS);
  const relation = namedIn(source, config, "relation_property", place);
  if (relation.type !== "relation") throw invalid(`${place}: ${relation.name} is not a relation.`);
  const targetId = String((relation.relation as Fields).data_source_id);
  const target = targetId === source.id ? source : world.state.dataSources[targetId];
  if (target === undefined) throw invalid(`${place}: the data source of ${relation.name} does not exist.`);
  const wanted = namedIn(target, config, "rollup_property", place);
  // A rollup of a rollup: Notion's interface offers none. That the API refuses it is unproven.
  if (wanted.type === "rollup") throw invalid(`${place}: ${wanted.name} is a rollup itself.`);
  return {
    ...{ function: how, relation_property_id: relation.id, relation_property_name: relation.name },
    ...{ rollup_property_id: wanted.id, rollup_property_name: wanted.name },
  };
}

/** Finds a property that a configuration names by `…_name` or `…_id`. */
function namedIn(source: DataSource, config: Input, member: string, place: string): Property {
  const name = config[`${member}_name`];
  const id = config[`${member}_id`];
  const key = readText(name ?? id, `${place}.${member}_name`, 2_000);
  const found = findProperty(source, key);
  if (found === null) throw invalid(`${place}: there is no property ${JSON.stringify(key)}.`);
  return found;
}

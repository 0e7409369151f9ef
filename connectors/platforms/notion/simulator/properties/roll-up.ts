import type { Json } from "#core/kernel/canonical-json.ts";
import type { DataSource, Fields, NotionWorld, Page } from "../state.ts";

/** Functions of rollups. Source: contract, `RollupFunction`. */
export const ROLLUP_FUNCTIONS = [
  ...["count", "count_values", "empty", "not_empty", "unique", "show_unique", "percent_empty"],
  ...["percent_not_empty", "sum", "average", "median", "min", "max", "range", "earliest_date", "latest_date"],
  ...["date_range", "checked", "unchecked", "percent_checked", "percent_unchecked", "count_per_group"],
  ...["percent_per_group", "show_original"],
];

/**
 * The value of a rollup: what a function makes of one property of the related rows. Functions of groups are unsupported:
 * no source shows the form of their values.
 * @param related Ids of the rows, and how a property of one is read
 */
export function rollUp(
  world: NotionWorld,
  property: Fields,
  related: { rows: readonly string[]; read: (row: Page, source: DataSource, target: Fields) => Json },
): Json {
  const { rollup_property_id, function: wanted } = property.rollup as Fields;
  const how = String(wanted);
  const values = related.rows.flatMap((id): Fields[] => {
    const row = world.state.pages[id]!;
    const source = row.parent.type === "data_source_id" ? world.state.dataSources[row.parent.id] : undefined;
    const target = source?.properties[String(rollup_property_id)];
    // A rollup of a rollup is not computed; Notion allows none.
    if (!source || !target || target.type === "rollup") return [];
    const type = String(target.type);
    return [{ type, [type]: related.read(row, source, target) }];
  });
  if (how.endsWith("_per_group")) return { type: "unsupported", unsupported: {}, function: how };
  if (how === "show_original") return { type: "array", array: values, function: how };
  if (how === "show_unique") return { type: "array", array: distinct(values), function: how };
  if (how.includes("date")) return { type: "date", date: dateOf(how, values), function: how };
  return {
    type: "number",
    number: countOf(how, values) ?? statistic(how, values.flatMap(numbers)),
    function: how,
  };
}

const innerOf = (value: Fields): Json => value[String(value.type)] ?? null;

function isEmpty(value: Fields): boolean {
  const inner = innerOf(value);
  return inner === null || inner === "" || (Array.isArray(inner) && inner.length === 0);
}

function distinct(values: readonly Fields[]): Fields[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Counts and shares. Shares are fractions of one; unproven. */
function countOf(how: string, values: readonly Fields[]): number | null {
  const empty = values.filter(isEmpty).length;
  const checked = values.filter((value) => innerOf(value) === true).length;
  const share = (count: number) => (values.length === 0 ? null : count / values.length);
  switch (how) {
    case "count":
      return values.length;
    case "count_values":
    case "not_empty":
      return values.length - empty;
    case "empty":
      return empty;
    case "unique":
      return distinct(values).length;
    case "percent_empty":
      return share(empty);
    case "percent_not_empty":
      return share(values.length - empty);
    case "checked":
      return checked;
    case "unchecked":
      return values.length - checked;
    case "percent_checked":
      return share(checked);
    case "percent_unchecked":
      return share(values.length - checked);
    default:
      return null;
  }
}

function numbers(value: Fields): number[] {
  const inner = innerOf(value);
  const computed = typeof inner === "object" ? (inner as Fields | null)?.number : inner;
  return typeof computed === "number" ? [computed] : [];
}

function statistic(how: string, all: number[]): number | null {
  const sorted = [...all].sort((a, b) => a - b);
  const [least] = sorted;
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return null;
  const sum = all.reduce((total, each) => total + each, 0);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle]!;
  const median = sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
  const results: Record<string, number> = {
    ...{ sum, average: sum / all.length, median, min: least, max: most, range: most - least },
  };
  return results[how] ?? null;
}

function dateOf(how: string, values: readonly Fields[]): Json {
  const starts = values.flatMap((value) => {
    const inner = innerOf(value);
    const start = typeof inner === "string" ? inner : (inner as Fields | null)?.start;
    return typeof start === "string" ? [start] : [];
  });
  starts.sort((a, b) => Date.parse(a) - Date.parse(b));
  const first = starts[0];
  const last = starts.at(-1);
  if (first === undefined || last === undefined) return null;
  if (how === "date_range") return { start: first, end: last, time_zone: null };
  return { start: how === "earliest_date" ? first : last, end: null, time_zone: null };
}

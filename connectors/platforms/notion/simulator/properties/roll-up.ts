import type { Json } from "#core/kernel/canonical-json.ts";
import type { DataSource, Fields, NotionWorld, Page } from "../state.ts";

/**
 * The value of a rollup: what a function makes of one property of the related rows.
 * @param related Ids of the rows, and how a property of one is read
 */
export function rollUp(
  world: NotionWorld,
  property: Fields,
  related: { rows: readonly string[]; read: (row: Page, source: DataSource, target: Fields) => Json },
): Json {
  const { rollup_property_id, function: how } = property.rollup as Fields;
  const values = related.rows.flatMap((id): Fields[] => {
    const row = world.state.pages[id]!;
    const source = row.parent.type === "data_source_id" ? world.state.dataSources[row.parent.id] : undefined;
    const target = source?.properties[String(rollup_property_id)];
    // A rollup of a rollup is not computed; Notion allows none.
    if (!source || !target || target.type === "rollup") return [];
    const type = String(target.type);
    return [{ type, [type]: related.read(row, source, target) }];
  });
  const numbers = values.map(({ number }) => number).filter((each) => typeof each === "number");
  const number = numberOf(String(how), values, numbers);
  if (number !== undefined) return { type: "number", number, function: how ?? null };
  return { type: "array", array: values, function: how ?? null };
}

function numberOf(
  how: string,
  values: readonly Fields[],
  numbers: readonly number[],
): number | null | undefined {
  const sum = numbers.reduce((all, each) => all + each, 0);
  const none = numbers.length === 0;
  switch (how) {
    case "count":
    case "count_values":
      return values.length;
    case "sum":
      return none ? null : sum;
    case "average":
      return none ? null : sum / numbers.length;
    case "min":
      return none ? null : Math.min(...numbers);
    case "max":
      return none ? null : Math.max(...numbers);
    default:
      return undefined;
  }
}

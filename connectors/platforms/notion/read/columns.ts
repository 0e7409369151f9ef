import type { TableColumn } from "#connectors/contract/table-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { propertyKey } from "../property-key.ts";
import { listOf, memberOf, textOf } from "./members.ts";

/** A column with the property that it shows. */
export type SourceColumn = TableColumn & {
  /** Id of the property as `propertyKey` writes it. */
  key: string;
  /** The property of the schema. */
  schema: Json;
};

/** The columns of a data source, without the title, which every row has. Sorted by name, as stored. */
export function columnsOf(source: Json): SourceColumn[] {
  return Object.values(memberOf(source, "properties")).flatMap((schema): SourceColumn[] => {
    const [type, id, name] = [textOf(schema, "type"), textOf(schema, "id"), textOf(schema, "name")];
    if (type === "title" || type === "button" || id === "") return [];
    const key = propertyKey(id);
    return [{ id: columnId(key), name, type: columnType(type, schema), key, schema }];
  });
}

/** Ids of properties hold any sign; those of columns are safe in a URL. */
export function columnId(key: string): string {
  return key.replace(/[^A-Za-z0-9]/gu, (sign) => `-${sign.codePointAt(0)!.toString(16)}-`);
}

/** Rollups whose results are numbers (`RollupFunction`); others show dates or what they found. */
const NUMERIC =
  /^(?:count|percent|sum|average|median|min|max|range|empty|not_empty|unique|checked|unchecked)/;

function columnType(type: string, schema: Json): TableColumn["type"] {
  switch (type) {
    case "number":
      return "number";
    case "rollup":
      return NUMERIC.test(textOf(memberOf(schema, "rollup"), "function")) ? "number" : "text";
    case "select":
    case "status":
    case "multi_select":
      return "tags";
    case "date":
    case "created_time":
    case "last_edited_time":
    case "last_visited_time":
      return "date";
    case "checkbox":
      return "check";
    case "files":
      return "files";
    case "relation":
      return "rows";
    default:
      return "text";
  }
}

/** The options of a property in the order of the schema; empty = it has none. */
export function optionsOf(schema: Json): string[] {
  const names = listOf(memberOf(schema, textOf(schema, "type")), "options").map((each) =>
    textOf(each, "name"),
  );
  return [...new Set(names.filter(Boolean))];
}

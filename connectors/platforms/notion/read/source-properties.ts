import type { Json } from "#core/kernel/canonical-json.ts";
import { propertyKey } from "../property-key.ts";
import { type Members, memberOf, membersOf, textOf } from "./members.ts";

/**
 * The property of a schema that a view names by its id or its name, or else the one that holds this time of a page
 * (`created_time`, `last_edited_time`); null = the schema has none.
 */
export function findProperty(source: Json, named: string, time: string): Members | null {
  const all = Object.values(memberOf(source, "properties"));
  const wanted = propertyKey(named);
  const found =
    named === ""
      ? all.find((each) => time !== "" && textOf(each, "type") === time)
      : (all.find((each) => propertyKey(textOf(each, "id")) === wanted) ??
        all.find((each) => textOf(each, "name") === named));
  return found === undefined ? null : membersOf(found);
}

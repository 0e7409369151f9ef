import type { Json } from "#core/kernel/canonical-json.ts";
import { propertyKey } from "../property-key.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "./json-parts.ts";

/** How the things that a view names are called in the restored table. */
export type ViewNames = {
  /** The new id of a property by its old one; null = the restored table has no such property. */
  propertyId: (oldId: string) => string | null;
  /** The new id of a page; null = it was not restored. */
  pageId: (oldId: string) => string | null;
};

/** Members that hold the id of a property (`@notionhq/client` 5.26.0, `ViewConfigRequest`). */
const PROPERTY_IDS = new Set([
  ...["property_id", "date_property_id", "end_date_property_id", "toggle_column_id", "map_by", "property"],
  ...["x_axis_property_id", "y_axis_property_id"],
]);
/** Members of answers that requests do not have. */
const ANSWERS_ONLY = new Set([
  "property_name",
  "date_property_name",
  "end_date_property_name",
  "map_by_property_name",
]);

/** A view as a request makes it, without its place. Null = of a kind that requests cannot make. */
export function viewForm(view: JsonObject, names: ViewNames): JsonObject | null {
  const type = textOf(view.type);
  if (type === null || type === "dashboard") return null;
  const form: JsonObject = { name: textOf(view.name) || "View", type };
  const configuration = withoutLost(view.configuration, names);
  if (configuration !== null && Object.keys(objectOf(configuration)).length > 1)
    form.configuration = configuration;
  const filter = withoutLost(view.filter, names);
  if (filter !== null) form.filter = filter;
  const sorts = objectsOf(view.sorts).flatMap((sort) => withoutLost(sort, names) ?? []);
  if (sorts.length > 0) form.sorts = sorts;
  const quick = quickFilters(view.quick_filters, names);
  if (quick !== null) form.quick_filters = quick;
  return form;
}

function quickFilters(stored: Json | undefined, names: ViewNames): JsonObject | null {
  const filters: JsonObject = {};
  for (const [id, condition] of Object.entries(objectOf(stored))) {
    const key = names.propertyId(propertyKey(id));
    const written = withoutLost(condition, names);
    if (key !== null && written !== null) filters[key] = written;
  }
  return Object.keys(filters).length === 0 ? null : filters;
}

/** A value with the new ids; null = it is about a property that is lost. Members of lists that are lost are left out. */
function withoutLost(value: Json | undefined, names: ViewNames): Json | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return names.pageId(value) ?? value;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.flatMap((each) => withoutLost(each, names) ?? []);
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (ANSWERS_ONLY.has(key)) continue;
    if (PROPERTY_IDS.has(key) && typeof member === "string") {
      const id = names.propertyId(propertyKey(member));
      if (id === null) return null;
      copy[key] = id;
      continue;
    }
    const written = withoutLost(member, names);
    if (written !== null) copy[key] = written;
  }
  return copy;
}

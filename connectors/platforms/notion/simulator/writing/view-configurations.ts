import { isObject, readList, readObject, unfit } from "../properties/read-input.ts";
import { findProperty } from "../properties/schema.ts";
import type { DataSource, Fields } from "../state.ts";

/**
 * Types of views that requests may make. A dashboard has widgets, whose making no source shows, so it is refused. Source:
 * contract, `ViewConfigRequest`, which has no dashboards.
 */
export const VIEW_TYPES = [
  ...["table", "board", "list", "calendar", "timeline", "gallery", "form", "chart", "map"],
];

/** Members of each type's configuration; those that must be there end in `!`. Source: contract, `…ViewConfigRequest`. */
const MEMBERS: Record<string, readonly string[]> = {
  table: ["properties", "group_by", "subtasks", "wrap_cells", "frozen_column_index", "show_vertical_lines"],
  board: ["group_by!", "sub_group_by", "properties", "cover", "cover_size", "cover_aspect", "card_layout"],
  list: ["properties"],
  calendar: ["date_property_id!", "properties", "view_range", "show_weekends"],
  timeline: [
    ...["date_property_id!", "end_date_property_id", "properties", "show_table", "table_properties"],
    ...["preference", "arrows_by", "color_by"],
  ],
  gallery: ["properties", "cover", "cover_size", "cover_aspect", "card_layout"],
  form: ["is_form_closed", "anonymous_submissions", "submission_permissions"],
  map: ["height", "map_by", "properties"],
  chart: [
    ...["chart_type!", "x_axis", "y_axis", "x_axis_property_id", "y_axis_property_id", "value", "sort"],
    ...["color_theme", "height", "hide_empty_groups", "legend_position", "show_data_labels", "axis_labels"],
    ...["grid_lines", "cumulative", "smooth_line", "hide_line_fill_area", "group_style", "y_axis_min"],
    ...[
      "y_axis_max",
      "donut_labels",
      "hide_title",
      "stack_by",
      "reference_lines",
      "caption",
      "color_by_value",
    ],
  ],
};

/** Members of a shown property. Source: contract, `ViewPropertyConfigRequest`. */
const SHOWN = [
  ...["property_id", "visible", "width", "wrap", "status_show_as", "card_property_width_mode"],
  ...["date_format", "time_format"],
];

/**
 * Reads the configuration of a view: its members are those of its type, and every property that it names exists.
 * `null` takes a setting back, so it is not stored; answers leave it out (contract: they have no such null).
 */
export function readConfiguration(source: DataSource, type: string, value: unknown, place: string): Fields {
  const members = MEMBERS[type] ?? [];
  const names = members.map((member) => member.replace("!", ""));
  const input = readObject(value, place, ["type", ...names]);
  if (input.type !== type) throw unfit(`${place}.type`, `\`"${type}"\``, input.type);
  for (const member of members) {
    if (member.endsWith("!") && input[member.slice(0, -1)] === undefined)
      throw unfit(`${place}.${member.slice(0, -1)}`, "defined");
  }
  for (const member of ["properties", "table_properties"]) {
    const list = input[member] ?? null;
    if (list !== null)
      for (const each of readList(list, `${place}.${member}`, 500)) readObject(each, place, SHOWN);
  }
  refuseUnknownIds(source, input, place);
  return Object.fromEntries(Object.entries(input).filter(([, each]) => each !== null)) as Fields;
}

/** Every `property_id` and `…_property_id`, at any depth, names a property. */
function refuseUnknownIds(source: DataSource, value: unknown, place: string): void {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) refuseUnknownIds(source, each, `${place}[${index}]`);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const isId = (name.endsWith("property_id") || name === "map_by") && inner !== null;
    if (isId && (typeof inner !== "string" || findProperty(source, inner) === null))
      throw unfit(`${place}.${name}`, "the id of a property", inner);
    refuseUnknownIds(source, inner, `${place}.${name}`);
  }
}

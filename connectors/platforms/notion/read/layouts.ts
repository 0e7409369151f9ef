import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { TableLayout } from "#connectors/contract/table-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { byPlace } from "../listed-order.ts";
import { propertyKey } from "../property-key.ts";
import { recordPaths } from "../record-paths.ts";
import { optionsOf, type SourceColumn } from "./columns.ts";
import { listOf, type Members, memberOf, membersOf, textOf } from "./members.ts";
import { type Source, sourceIdsOf } from "./titles.ts";
import { type RowFilter, viewFilter } from "./view-filter.ts";
import { viewSorts } from "./view-sorts.ts";

/** The layouts of a data source and the filters of those that have one, by their ids. */
export type SourceLayouts = { layouts: TableLayout[]; filters: ReadonlyMap<string, RowFilter> };

/**
 * The layouts of a data source: its views in the order of their tabs, each with its filter and sorts. One more shows all
 * rows where no view does: people look in a version for what they miss.
 */
export async function layoutsOf(
  snapshot: SnapshotView,
  source: Source,
  columns: readonly SourceColumn[],
): Promise<SourceLayouts> {
  const filters = new Map<string, RowFilter>();
  const layouts = (await viewsOf(snapshot, source)).map((view): TableLayout => {
    const layout = layoutOf(view, columns);
    const filter = viewFilter(view, source.record);
    const { sorts, isWhole } = viewSorts(view, columns, source.record);
    if (typeof filter === "function") filters.set(layout.id, filter);
    const lacks = [
      ...(filter === "unknown" ? ["filter" as const] : []),
      ...(isWhole ? [] : ["sort" as const]),
    ];
    return {
      ...layout,
      ...(sorts.length > 0 && { sorts }),
      ...(filters.has(layout.id) && { hasFilter: true as const }),
      ...(lacks.length > 0 && { lacks }),
    };
  });
  if (layouts.every(({ hasFilter }) => hasFilter)) {
    const label = layouts.length === 0 ? "All properties" : "All rows";
    layouts.push({ id: "all", label, type: "table", columns: columns.map(({ id }) => id) });
  }
  return { layouts, filters };
}

async function viewsOf(snapshot: SnapshotView, { id, database, databaseId }: Source): Promise<Members[]> {
  if (databaseId === null) return [];
  const isOnly = database === null || sourceIdsOf(database).length <= 1;
  const views: Members[] = [];
  for await (const { path } of snapshot.list(recordPaths.viewsOf(databaseId))) {
    const view = membersOf(await snapshot.readRecord(path));
    const sourceId = textOf(view, "data_source_id");
    // A view names its data source; a dashboard has none (`DataSourceViewObjectResponse`).
    if (sourceId === id || (sourceId === "" && isOnly)) views.push(view);
  }
  return views.sort(byPlace);
}

function layoutOf(view: Json, columns: readonly SourceColumn[]): TableLayout {
  const type = textOf(view, "type");
  const configuration = memberOf(view, "configuration");
  const named = textOf(view, "name") || `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;
  const own = { id: textOf(view, "id"), columns: shownColumns(configuration, columns) };
  const find = (id: string) => (id === "" ? undefined : columns.find(({ key }) => key === propertyKey(id)));
  switch (type) {
    case "table":
    case "list":
      return { ...own, label: named, type };
    case "gallery": {
      const cover = find(textOf(memberOf(configuration, "cover"), "property_id"));
      return { ...own, label: named, type, cover: cover?.type === "files" ? cover.id : null };
    }
    case "calendar": {
      const date = find(textOf(configuration, "date_property_id"));
      if (date?.type === "date") return { ...own, label: named, type, date: date.id };
      break;
    }
    case "board": {
      const group = find(textOf(memberOf(configuration, "group_by"), "property_id"));
      if (group !== undefined && group.type !== "files")
        return { ...own, label: named, type, group: group.id, order: optionsOf(group.schema) };
      break;
    }
    default:
  }
  return { ...own, label: `${named} (${type}, shown as a table)`, type: "table" };
}

/** Visible columns in the view's order; a view that does not list any shows all. */
function shownColumns(configuration: Json, columns: readonly SourceColumn[]): string[] {
  const listed = listOf(configuration, "properties");
  if (listed.length === 0) return columns.map(({ id }) => id);
  const shown = listed.flatMap((property) => {
    if (membersOf(property).visible === false) return [];
    const key = propertyKey(textOf(property, "property_id"));
    return columns.find((column) => column.key === key)?.id ?? [];
  });
  return [...new Set(shown)];
}

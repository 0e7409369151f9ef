import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import { pageOf, readWish } from "../paging.ts";
import { renderValues } from "../properties/render-values.ts";
import { findProperty } from "../properties/schema.ts";
import { invalid } from "../refused.ts";
import type { DataSource, Fields, NotionWorld } from "../state.ts";
import { childrenOf } from "../store.ts";
import { type Entry, isRow, rowFits } from "./row-filters.ts";

/** Source: contract, `QueryDataSourceBodyParameters`. */
const bodySchema = z.strictObject({
  filter: z.record(z.string(), z.unknown()).optional(),
  sorts: z
    .array(
      z.union([
        z.strictObject({ property: z.string(), direction: z.enum(["ascending", "descending"]) }),
        z.strictObject({
          timestamp: z.enum(["created_time", "last_edited_time"]),
          direction: z.enum(["ascending", "descending"]),
        }),
      ]),
    )
    .optional(),
  start_cursor: z.string().nullish(),
  page_size: z.number().optional(),
  in_trash: z.boolean().optional(),
  archived: z.boolean().optional(),
  result_type: z.enum(["page", "data_source"]).optional(),
});
type Sort = NonNullable<z.output<typeof bodySchema>["sorts"]>[number];

/**
 * Rows of a data source, and in a wiki the data sources of the databases in it (contract: `QueryDataSourceResponse`). One query gives no more rows than the limit; then `has_more` is false, and the answer says that
 * it was cut (contract: `request_status`; [large]). Without sorts, the newest rows come first: unproven.
 * @throws Refused
 */
export function queryRows(
  world: NotionWorld,
  source: DataSource,
  request: unknown,
): { ids: string[]; next: string | null; isCut: boolean } {
  const body = bodySchema.safeParse(request);
  if (!body.success) throw invalid(`body failed validation: ${z.prettifyError(body.error)}`);
  const { filter, sorts = [], start_cursor, page_size, in_trash, archived, result_type } = body.data;
  const isTrash = in_trash ?? archived ?? false;
  const wish = readWish(page_size, start_cursor);
  const rows: Entry[] = source.rowIds.map((id) => world.state.pages[id]!).reverse();
  const wanted = [...rows, ...tablesIn(world, source)].filter(
    (row) =>
      row.isTrashed === isTrash &&
      (result_type === undefined || (result_type === "page") === isRow(row)) &&
      (filter === undefined || rowFits({ world, source, row }, filter as Fields)),
  );
  const sorted = sortRows({ world, source }, wanted, sorts);
  const { queryRows: most } = world.settings;
  const given = sorted.slice(0, most).map(({ id }) => id);
  const { ids, next } = pageOf(given, wish);
  return { ids, next, isCut: sorted.length > most && next === null };
}

/** Data sources of the databases that stand in a wiki. */
function tablesIn(world: NotionWorld, { id }: DataSource): DataSource[] {
  const databases = childrenOf(world, id).flatMap((each) => world.state.databases[each] ?? []);
  return databases.flatMap(({ dataSourceIds }) =>
    dataSourceIds.map((each) => world.state.dataSources[each]!),
  );
}

function sortRows(
  at: { world: NotionWorld; source: DataSource },
  rows: Entry[],
  sorts: readonly Sort[],
): Entry[] {
  if (sorts.length === 0) return rows;
  const keys = new Map(rows.map((row) => [row.id, sorts.map((sort) => keyOf(at, row, sort))]));
  return [...rows].sort((one, other) => {
    for (const [index, { direction }] of sorts.entries()) {
      const order = compare(keys.get(one.id)![index]!, keys.get(other.id)![index]!);
      if (order !== 0) return direction === "ascending" ? order : -order;
    }
    return 0;
  });
}

/** What a row is sorted by: a number, or a text. */
function keyOf(
  { world, source }: { world: NotionWorld; source: DataSource },
  row: Entry,
  sort: Sort,
): number | string {
  if ("timestamp" in sort) return sort.timestamp === "created_time" ? row.createdAt : row.editedAt;
  const property = findProperty(source, sort.property);
  if (property === null) throw invalid(`Could not find sort property with name or id: ${sort.property}`);
  if (!isRow(row)) return "";
  const value = renderValues(world, row)[property.name] as Fields;
  return sortable(value[property.type] ?? null);
}

function sortable(value: Json): number | string {
  if (value === null) return "";
  if (typeof value === "number" || typeof value === "string") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (Array.isArray(value)) return value.map(sortable).join(",");
  for (const name of ["plain_text", "name", "start", "number", "string", "boolean", "id"]) {
    const inner = value[name];
    if (inner !== undefined && inner !== null) return sortable(inner);
  }
  return "";
}

function compare(one: number | string, other: number | string): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0;
}

import {
  getTableConfig,
  getViewConfig,
  type SQLiteColumn,
  type SQLiteTable,
  type SQLiteView,
} from "drizzle-orm/sqlite-core";
import {
  alarm,
  backupRequest,
  backupTally,
  companion,
  exportRow,
  item,
  itemCount,
  manifest,
  manifestRow,
  nameIndex,
  numberOf,
  objectRow,
  objectSpan,
  place,
  replica,
  restoreJournal,
  run,
  schedule,
  seenItem,
  snapshot,
  spanRow,
  storageTally,
  storageTotal,
  vaultObject,
} from "#core/database/ledger/index.ts";
import { hashBytes } from "#core/database/short-hash.ts";

/** A table with rows of organisations, as the statements of a move need it. */
export type MovedTable = {
  /** The table or, where its rows have the number of an item, the view with ids. It is read by this name. */
  name: string;
  columns: readonly string[];
  /** The columns of the primary key. The first is a text that is never empty. */
  key: readonly string[];
  /** The table that is written. `values`: SQL of its columns from those of a page; `key`: of its primary key, also read by name. */
  rows: {
    name: string;
    key: readonly string[];
    values: (of: (column: string) => string) => Readonly<Record<string, string>>;
  };
  /** SQL: the row belongs to the organisation ?1. */
  isOwned: string;
  /** SQL: the row goes where the organisation ?1 has none. */
  mayGo: string;
};

/** Rows that name no organisation, by what they are deleted with. */
const OWNERS: Readonly<Record<string, string>> = {
  restore_journal: "EXISTS (SELECT 1 FROM run WHERE run.id = run_id AND run.organisation_id = ?1)",
  companion:
    "EXISTS (SELECT 1 FROM object WHERE object.id = companion.object_id AND object.organisation_id = ?1)",
};

/**
 * Rows that are copied before the rows through which they are found. A command that died between the two has left some that
 * belong to nobody: they go with whoever is removed or copied there next. Where another organisation is just being
 * copied, its next pass writes them again.
 */
const STRANGERS: Readonly<Record<string, string>> = {
  restore_journal: "NOT EXISTS (SELECT 1 FROM run WHERE run.id = run_id AND run.organisation_id <> ?1)",
  companion:
    "NOT EXISTS (SELECT 1 FROM object WHERE object.id = companion.object_id AND object.organisation_id <> ?1)",
};

/**
 * Every table with rows of organisations, in the order in which they are copied. What a trigger changes comes after the
 * table that it is on, so that a pass sets it right: the copies of a deleted version, the spans of a manifest, the mark
 * of an object, and the counts and tallies. Rows that are found through others come before those, so that they are found
 * where those go.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  ...[restoreJournal, companion, place, seenItem, item, run, schedule, backupRequest, alarm].map(ofTable),
  ofView(manifest, manifestRow, ["item_id", "seq"]),
  ...[snapshot, replica].map(ofTable),
  ofView(objectSpan, spanRow, ["item_id", "object_id", "from_seq"]),
  ofView(vaultObject, objectRow, ["id"]),
  ...[nameIndex, exportRow, itemCount, backupTally, storageTally, storageTotal].map(ofTable),
];

/**
 * The same in the order in which rows are removed. Copies in customers' storage go before the versions, whose trigger would
 * call for the deletion of their files; spans go before the manifests through which they are found.
 */
export const REMOVED_TABLES: readonly MovedTable[] = MOVED_TABLES.toSorted((a, b) => turnOf(a) - turnOf(b));

function turnOf({ name }: MovedTable): number {
  return name === "replica" || name === "object_span" ? 0 : 1;
}

function ofTable(table: SQLiteTable): MovedTable {
  const { name, columns: all, primaryKeys } = getTableConfig(table);
  const columns = all.map((column) => column.name);
  const key = (primaryKeys[0]?.columns ?? all.filter(({ primary }) => primary)).map((column) => column.name);
  const values: MovedTable["rows"]["values"] = (of) =>
    Object.fromEntries(columns.map((column) => [column, of(column)]));
  return { name, columns, key, rows: { name, key, values }, ...ownedBy(name) };
}

/** A table whose rows have the number of an item, and its view. Numbers belong to a ledger, so pages have the ids. */
function ofView(view: SQLiteView, table: SQLiteTable, key: readonly string[]): MovedTable {
  const { name } = getViewConfig(view);
  const of = ofTable(table);
  const all = getTableConfig(table).columns;
  const columns = ["organisation_id", "item_id", ...of.columns.filter((column) => column !== "item")];
  const values: MovedTable["rows"]["values"] = (page) =>
    Object.fromEntries(all.map((column) => [column.name, valueIn(column, page)]));
  return { name, columns, key, rows: { ...of.rows, values }, ...ownedBy(name) };
}

/** SQL of a column that is written, from those of the view. The only bytes in such rows are hashes. */
function valueIn(column: SQLiteColumn, page: (column: string) => string): string {
  if (column.name === "item") return numberOf(page("item_id"));
  return column.getSQLType() === "blob" ? hashBytes(page(column.name)) : page(column.name);
}

function ownedBy(name: string): Pick<MovedTable, "isOwned" | "mayGo"> {
  // The plus keeps the planner from an index by organisation: rows are read in the order of their keys.
  const isOwned = OWNERS[name] ?? "+organisation_id = ?1";
  return { isOwned, mayGo: STRANGERS[name] ?? isOwned };
}

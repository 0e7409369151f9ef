import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  alarm,
  backupRequest,
  backupTally,
  companion,
  exportRow,
  item,
  itemCount,
  manifest,
  nameIndex,
  objectSpan,
  place,
  replica,
  restoreJournal,
  run,
  schedule,
  seenItem,
  snapshot,
  storageTally,
  storageTotal,
  vaultObject,
} from "#core/database/ledger/index.ts";

/** A table with rows of organisations, as the statements of a move need it. */
export type MovedTable = {
  name: string;
  columns: readonly string[];
  /** The columns of the primary key. The first is a text that is never empty. */
  key: readonly string[];
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
  object_span: `EXISTS (SELECT 1 FROM manifest
    WHERE manifest.item_id = object_span.item_id AND manifest.organisation_id = ?1)`,
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
  restoreJournal,
  companion,
  place,
  seenItem,
  item,
  run,
  schedule,
  backupRequest,
  alarm,
  manifest,
  snapshot,
  replica,
  objectSpan,
  vaultObject,
  nameIndex,
  exportRow,
  itemCount,
  backupTally,
  storageTally,
  storageTotal,
].map(describe);

/**
 * The same in the order in which rows are removed. Copies in customers' storage go before the versions, whose trigger would
 * call for the deletion of their files; spans go before the manifests through which they are found.
 */
export const REMOVED_TABLES: readonly MovedTable[] = MOVED_TABLES.toSorted((a, b) => turnOf(a) - turnOf(b));

function turnOf({ name }: MovedTable): number {
  return name === "replica" || name === "object_span" ? 0 : 1;
}

function describe(table: SQLiteTable): MovedTable {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const single = columns.filter(({ primary }) => primary);
  // The plus keeps the planner from an index by organisation: rows are read in the order of their keys.
  const isOwned = OWNERS[name] ?? "+organisation_id = ?1";
  return {
    name,
    columns: columns.map((column) => column.name),
    key: (primaryKeys[0]?.columns ?? single).map((column) => column.name),
    isOwned,
    mayGo: STRANGERS[name] ?? isOwned,
  };
}

import type { ControlDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";

/** The tables of the control database, by name. */
export async function listTables(control: ControlDatabase): Promise<string[]> {
  const { results } = await statement(
    control,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' ORDER BY name",
  ).all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !/^d1_|_migrations$/.test(name));
}

/** A page of a table's rows in the order of their row ids, as JSON objects, and the last row id. */
export async function readPage(
  control: ControlDatabase,
  table: string,
  after: number,
  limit: number,
): Promise<{ rows: Record<string, unknown>[]; last: number }> {
  const { results } = await statement(
    control,
    `SELECT rowid AS "rowid_of_dump", * FROM "${table}" WHERE rowid > ?1 ORDER BY rowid LIMIT ?2`,
    after,
    limit,
  ).all<Record<string, unknown>>();
  const last = Number(results.at(-1)?.rowid_of_dump ?? after);
  return { rows: results.map(({ rowid_of_dump: _, ...row }) => row), last };
}

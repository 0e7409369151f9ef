import { env } from "cloudflare:workers";
import { ledgerBindings } from "./ledger-bindings.ts";
import { LIMITS } from "./platform-limits.ts";
import { listTables } from "./tables.ts";

/** The query for the largest row of every table, per database. */
const questions = new WeakMap<D1Database, string>();

/**
 * Checks rows after a write, because a statement can join its values to a larger row. @throws Error naming a table with
 * a row too large for D1
 */
export async function assertSmallRows(): Promise<void> {
  const databases = [env.DB, ...ledgerBindings()];
  await Promise.all(databases.map(assertSmallRowsOf));
}

/** The tables of a database that have rows. Call it before emptying a table. @throws Error as `assertSmallRows` does */
export async function assertSmallRowsOf(database: D1Database): Promise<string[]> {
  const question = questions.get(database) ?? (await questionOf(database));
  questions.set(database, question);
  const largest = await database.prepare(question).first<Record<string, number | null>>();
  const filled = Object.entries(largest ?? {}).filter(([, bytes]) => bytes !== null);
  for (const [table, bytes] of filled) {
    if (bytes! > LIMITS.valueBytes)
      throw new Error(
        `Beyond the platform's limits: a stored row of ${table} has ${bytes} bytes, where ${LIMITS.valueBytes} are allowed`,
      );
  }
  return filled.map(([table]) => table);
}

async function questionOf(database: D1Database): Promise<string> {
  const tables = await listTables(database);
  if (tables.length === 0) throw new Error("There are no tables: the migrations did not run.");
  const largest: string[] = [];
  for (const table of tables) {
    const { results } = await database
      .prepare(`SELECT name FROM pragma_table_info(?)`)
      .bind(table)
      .all<{ name: string }>();
    const sizes = results.map(({ name }) => `coalesce(octet_length("${name}"), 0)`);
    largest.push(`(SELECT max(${sizes.join(" + ")}) FROM "${table}") AS "${table}"`);
  }
  return `SELECT ${largest.join(", ")}`;
}

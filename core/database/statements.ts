import type { ControlDatabase, LedgerDatabase } from "./ledgers.ts";

/** The values that D1 can bind. */
export type SqlValue = string | number | null;

/**
 * A prepared statement for `commitTogether`. Guarded writes are plain SQL, because their guards (epoch, status,
 * existence) must be readable. Parameters are bound by number, at most 100 of them.
 */
export function statement(
  database: ControlDatabase | LedgerDatabase,
  text: string,
  ...values: (SqlValue | boolean)[]
): D1PreparedStatement {
  return database.$client
    .prepare(text)
    .bind(...values.map((value) => (typeof value === "boolean" ? Number(value) : value)));
}

/**
 * Runs statements as one transaction: all or none. A batch does not stop at a statement that changes nothing, so each
 * statement needs its own guard.
 */
export function commitTogether<Row = Record<string, unknown>>(
  database: ControlDatabase | LedgerDatabase,
  statements: D1PreparedStatement[],
): Promise<D1Result<Row>[]> {
  return database.$client.batch<Row>(statements);
}

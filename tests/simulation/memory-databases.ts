import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type DatabaseObject, quickDatabase } from "#tests/harness/databases/quick-database.ts";

type Value = string | number | null | ArrayBuffer;

/** A database in this process: what D1 and the storage of a Durable Object are made of. */
export type MemoryDatabase = {
  /** D1's interface. */
  d1: D1Database;
  /** What a Durable Object's storage offers. */
  sql: SqlStorage;
  /** Rows for a check, past all faults. */
  rows<T>(text: string, ...values: (string | number | null)[]): T[];
  run(text: string, ...values: (string | number | null)[]): void;
};

/** Opens a database with all migrations of a plane. */
export function openMigrated(root: string, plane: "control" | "ledger"): MemoryDatabase {
  const database = new DatabaseSync(":memory:");
  const folder = path.join(root, "migrations", plane);
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of files.sort()) database.exec(readFileSync(path.join(folder, name), "utf8"));
  return wrap(database);
}

/** Opens an empty database. */
export const openEmpty = (): MemoryDatabase => wrap(new DatabaseSync(":memory:"));

type Prepared = { statement: StatementSync; columns: string[] };

function wrap(database: DatabaseSync): MemoryDatabase {
  const prepared = new Map<string, Prepared>();
  const prepare = (text: string): Prepared => {
    const known = prepared.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    const made = { statement, columns: statement.columns().map(({ name }) => name) };
    prepared.set(text, made);
    return made;
  };
  const countChanges = database.prepare("SELECT total_changes() AS total");
  let changes = 0;
  const readSize = database.prepare(
    "SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size",
  );
  const sizeOf = () => (readSize.get() as { size: number }).size;
  const run = (text: string, values: readonly Value[]) => {
    const { statement, columns } = prepare(text);
    const bound = values.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
    const rows = statement.all(...bound) as unknown as unknown[][];
    return { columns, rows: rows.map((row) => row.map(asColumn)) };
  };
  const answer = ({ sql, params }: { sql: string; params: Value[] }) => {
    const { columns, rows } = run(sql, params);
    const { total } = countChanges.get() as { total: number };
    const changed = total - changes;
    changes = total;
    const meta = { changes: changed, rows_written: changed, rows_read: rows.length, size_after: sizeOf() };
    return { columns, rows, meta };
  };
  const object: DatabaseObject = {
    async query(queries) {
      try {
        if (queries.length === 1) return [answer(queries[0]!)];
        database.exec("BEGIN");
        const answers = queries.map(answer);
        database.exec("COMMIT");
        return answers;
      } catch (error) {
        if (queries.length > 1) database.exec("ROLLBACK");
        return { error: asD1Says(error as Error) };
      }
    },
  };
  const objectsOf = <T>(text: string, values: readonly Value[]): T[] => {
    const { columns, rows } = run(text, values);
    return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])) as T);
  };
  const exec = (text: string, ...values: Value[]) => {
    // A schema is several statements without parameters.
    const isSchema = values.length === 0 && /;\s*\S/.test(text);
    if (isSchema) database.exec(text);
    const rows = isSchema ? [] : objectsOf<Record<string, Value>>(text, values);
    return { toArray: () => rows, one: () => rows[0], [Symbol.iterator]: () => rows[Symbol.iterator]() };
  };
  return {
    d1: quickDatabase(() => object),
    sql: { exec } as unknown as SqlStorage,
    rows: (text, ...values) => objectsOf(text, values),
    run: (text, ...values) => void run(text, values),
  };
}

const asColumn = (value: unknown) => (value instanceof Uint8Array ? value.slice().buffer : value);

/** SQLite's message as D1 reports it, with the kind of a broken constraint. */
const asD1Says = ({ message }: Error) =>
  message.includes("constraint failed") ? `${message}: SQLITE_CONSTRAINT` : message;

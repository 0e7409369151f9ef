/** The databases of the tests behave as D1's client does (workerd, src/cloudflare/internal/d1-api.ts). */

type Value = string | number | null | ArrayBuffer;
type Query = { sql: string; params: Value[] };
type Answer = { columns: string[]; rows: unknown[][]; meta: Record<string, unknown> };

/** The methods of `Database` in database-object.js. */
export type DatabaseObject = { query(queries: Query[]): Promise<Answer[] | { error: string }> };

/**
 * A database of the tests: D1's interface over SQLite in a Durable Object. A stub belongs to the request that made it, so `open`
 * makes one for each call.
 */
export function quickDatabase(open: () => DatabaseObject): D1Database {
  return new QuickDatabase(open) as unknown as D1Database;
}

class QuickDatabase {
  readonly #open: () => DatabaseObject;
  /** What D1 returns until the first query of a session. */
  #bookmark: string | null = null;

  constructor(open: () => DatabaseObject) {
    this.#open = open;
  }

  prepare(sql: string): QuickStatement {
    return new QuickStatement(this, sql, []);
  }

  async batch(statements: readonly QuickStatement[]) {
    const answers = await this.send(statements.map(({ sql, params }) => ({ sql, params })));
    return answers.map(asObjects);
  }

  /** A session has one database, so that it always reads what was written. */
  withSession(): QuickDatabase {
    return new QuickDatabase(this.#open);
  }

  getBookmark(): string | null {
    return this.#bookmark;
  }

  /** @throws Error `D1_ERROR: …`, as D1 does */
  async send(queries: Query[]): Promise<Answer[]> {
    const texts = queries.filter(({ sql }) => sql.trim() !== "");
    if (texts.length === 0) throw databaseError("D1_ERROR", "No SQL statements detected.");
    const answers = await this.#open().query(texts);
    if ("error" in answers) throw databaseError("D1_ERROR", answers.error);
    this.#bookmark = "bookmark";
    return answers;
  }
}

class QuickStatement {
  readonly #database: QuickDatabase;
  readonly sql: string;
  readonly params: Value[];

  constructor(database: QuickDatabase, sql: string, params: Value[]) {
    this.#database = database;
    this.sql = sql;
    this.params = params;
  }

  bind(...values: unknown[]): QuickStatement {
    return new QuickStatement(this.#database, this.sql, values.map(asParameter));
  }

  async first(column?: string): Promise<unknown> {
    const row = asObjects(await this.#answer()).results[0];
    if (row === undefined || column === undefined) return row ?? null;
    if (row[column] !== undefined) return row[column];
    throw databaseError("D1_COLUMN_NOTFOUND", "Column not found", ` (${column})`);
  }

  async all() {
    return asObjects(await this.#answer());
  }

  run = this.all;

  async raw(options?: { columnNames?: boolean }): Promise<unknown[][]> {
    const { columns, rows } = await this.#answer();
    return [...(options?.columnNames ? [columns] : []), ...rows.map((row) => row.map(asWire))];
  }

  async #answer(): Promise<Answer> {
    const [answer] = await this.#database.send([{ sql: this.sql, params: this.params }]);
    return answer!;
  }
}

function asParameter(value: unknown): Value {
  if (typeof value === "number" || typeof value === "string" || value === null) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof ArrayBuffer) return value;
  if (ArrayBuffer.isView(value) || isBytes(value)) return Uint8Array.from(value as Uint8Array).buffer;
  throw databaseError("D1_TYPE_ERROR", `Type '${typeof value}' not supported for value '${String(value)}'`);
}

const databaseError = (code: string, message: string, more = "") =>
  new Error(`${code}: ${message}${more}`, { cause: new Error(message) });

const isBytes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((byte) => typeof byte === "number" && byte >= 0 && byte < 256);

/** D1 returns BLOBs as arrays of numbers. */
const asWire = (value: unknown): unknown =>
  value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value;

const asObjects = ({ columns, rows, meta }: Answer) => ({
  success: true,
  results: rows.map(
    (row): Record<string, unknown> => Object.fromEntries(columns.map((name, at) => [name, asWire(row[at])])),
  ),
  meta,
});

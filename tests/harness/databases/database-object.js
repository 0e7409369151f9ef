import { DurableObject } from "cloudflare:workers";

/**
 * The databases of the tests, as a Worker of its own: SQLite in a Durable Object, which is what D1 is made of. The D1 of
 * the local runtime parses and checks each request and response several times, which took half of all processor time.
 */
export class Database extends DurableObject {
  #changes = 0;

  /**
   * Runs statements in one transaction. All of them count, or none. Returns the message of an error: the runtime would log
   * a thrown one.
   *
   * @param {{ sql: string, params: (string | number | null | ArrayBuffer)[] }[]} queries
   */
  query(queries) {
    try {
      return this.ctx.storage.transactionSync(() => queries.map((query) => this.#run(query)));
    } catch (error) {
      return { error: error.message };
    }
  }

  #run({ sql, params }) {
    const { sql: database } = this.ctx.storage;
    const startedAt = performance.now();
    const cursor = database.exec(sql, ...params);
    const rows = [...cursor.raw()];
    const { rowsRead, rowsWritten } = cursor;
    const before = this.#changes;
    const [total, lastRowId] = database
      .exec("SELECT total_changes(), last_insert_rowid()")
      .raw()
      .next().value;
    this.#changes = total;
    return {
      columns: cursor.columnNames,
      rows,
      meta: {
        duration: performance.now() - startedAt,
        changes: total - before,
        last_row_id: lastRowId,
        changed_db: rowsWritten > 0,
        size_after: database.databaseSize,
        rows_read: rowsRead,
        rows_written: rowsWritten,
      },
    };
  }
}

export default { fetch: () => new Response("Only databases.", { status: 404 }) };

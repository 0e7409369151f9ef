/** How each statement is prepared, so that a batch can prepare it in its own database. */
const makers = new WeakMap<object, (database: D1Database) => D1PreparedStatement>();

/**
 * A database that is found when the first statement runs: statements are built before, without waiting. `find` is asked
 * for every call and may remember its answer.
 */
export function placedDatabase(find: () => Promise<D1Database>): D1Database {
  const database: Pick<D1Database, "prepare" | "batch"> = {
    prepare: (text) => placedStatement(find, (found) => found.prepare(text)),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      const found = await find();
      return found.batch<T>(statements.map((each) => makers.get(each)?.(found) ?? each));
    },
  };
  return database as D1Database;
}

function placedStatement(
  find: () => Promise<D1Database>,
  make: (database: D1Database) => D1PreparedStatement,
): D1PreparedStatement {
  const ask =
    (method: "first" | "run" | "all" | "raw") =>
    async (...values: unknown[]) => {
      const statement = make(await find());
      return Reflect.apply(statement[method], statement, values) as unknown;
    };
  const placed = {
    bind: (...values: unknown[]) => placedStatement(find, (database) => make(database).bind(...values)),
    first: ask("first"),
    run: ask("run"),
    all: ask("all"),
    raw: ask("raw"),
  } as unknown as D1PreparedStatement;
  makers.set(placed, make);
  return placed;
}

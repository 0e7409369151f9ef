/** Names of the product's tables in a database, without SQLite's own and the migration tables. */
export async function listTables(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_'")
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !/^(sqlite_|d1_)|_migrations$/.test(name));
}

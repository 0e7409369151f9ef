import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { quickDatabase } from "./quick-database.ts";

const databases = { d1: env.LOCAL_D1, quick: quickDatabase(() => env.DATABASES.getByName("alike")) };

/** The result or error of the same act on both. Times and sizes differ. */
async function both(act: (database: D1Database) => Promise<unknown>): Promise<unknown> {
  const [d1, quick] = await Promise.all([outcomeOf(act, databases.d1), outcomeOf(act, databases.quick)]);
  expect(quick).toEqual(d1);
  return quick;
}

async function outcomeOf(act: (database: D1Database) => Promise<unknown>, database: D1Database) {
  try {
    return JSON.parse(JSON.stringify(await act(database), withoutChance) ?? "null") as unknown;
  } catch (error) {
    const { message, cause } = error as Error;
    return { message, cause: cause instanceof Error ? cause.message : cause };
  }
}

const CHANCE = ["duration", "timings", "size_after", "served_by", "served_by_primary", "total_attempts"];
const withoutChance = (key: string, value: unknown) => (CHANCE.includes(key) ? undefined : value);

const run = (text: string, ...values: unknown[]) =>
  both((database) =>
    database
      .prepare(text)
      .bind(...values)
      .run(),
  );

beforeEach(async () => {
  for (const database of Object.values(databases)) {
    await database.batch([
      database.prepare("DROP TABLE IF EXISTS child"),
      database.prepare("DROP TABLE IF EXISTS thing"),
      database.prepare(
        "CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size REAL, bytes BLOB, CHECK (size <> 13))",
      ),
      database.prepare("CREATE TABLE child (id INTEGER PRIMARY KEY, thing INTEGER REFERENCES thing (id))"),
    ]);
  }
});

test("values of every type are written and read as D1 does", async () => {
  const bytes = new Uint8Array([0, 1, 255]);
  const values = [
    1,
    2.5,
    -0.1,
    "text",
    "ünï\u0000code 🦥",
    "",
    null,
    true,
    false,
    bytes,
    bytes.buffer,
    [7, 8],
  ];
  for (const [at, value] of [...values, 2 ** 53 - 1, 1e300, new Uint8Array()].entries()) {
    await run("INSERT INTO thing (id, bytes) VALUES (?, ?)", at, value);
    await run("SELECT bytes, typeof(bytes) AS type FROM thing WHERE id = ?", at);
  }
  for (const value of [undefined, 7n, { a: 1 }, () => 1, [256], Symbol.iterator.description])
    await run("INSERT INTO thing (name) VALUES (?)", value);
});

test("all, first, raw and run have D1's results", async () => {
  for (let id = 1; id <= 3; id++) await run("INSERT INTO thing (id, name) VALUES (?, ?)", id, `n${id}`);
  const ask = (act: (statement: D1PreparedStatement) => Promise<unknown>, text: string) =>
    both((database) => act(database.prepare(text)));
  for (const text of [
    "SELECT * FROM thing ORDER BY id",
    "SELECT id, id AS id, name FROM thing",
    "SELECT * FROM thing WHERE id > 9",
    "SELECT count(*) AS n, max(name) FROM thing",
    "INSERT INTO thing (name) VALUES ('new') RETURNING id, name",
    "UPDATE thing SET size = 1 WHERE id < 3",
    "UPDATE thing SET size = 1 WHERE id > 900",
    "DELETE FROM thing WHERE id = 2",
    "PRAGMA table_info(thing)",
  ]) {
    await ask((statement) => statement.all(), text);
    await ask((statement) => statement.first(), text);
    await ask((statement) => statement.raw(), text);
    await ask((statement) => statement.raw({ columnNames: true }), text);
    await ask((statement) => statement.run(), text);
    await ask((statement) => statement.first("name"), text);
  }
});

test("errors have D1's texts, and a batch that fails changes nothing", async () => {
  await run("INSERT INTO thing (id, name) VALUES (1, 'one')");
  for (const text of [
    "INSERT INTO thing (id, name) VALUES (2, 'one')",
    "INSERT INTO thing (id) VALUES (1)",
    "INSERT INTO thing (id, size) VALUES (2, 13)",
    "INSERT INTO child (thing) VALUES (99)",
    "SELECT missing FROM thing",
    "SELECT * FROM nowhere",
    "SELEC 1",
    "SELECT ?1, ?2",
    "BEGIN",
    "ATTACH DATABASE 'x' AS y",
    "",
  ])
    await run(text);
  const failed = await both((database) =>
    database.batch([
      database.prepare("INSERT INTO thing (id) VALUES (50)"),
      database.prepare("INSERT INTO thing (id) VALUES (1)"),
    ]),
  );
  expect(failed).toHaveProperty("message");
  await run("SELECT count(*) AS n FROM thing");
});

test("a batch is one transaction, in which foreign keys may wait for its end", async () => {
  const batch = (...texts: string[]) =>
    both((database) => database.batch(texts.map((text) => database.prepare(text))));
  await batch(
    "PRAGMA defer_foreign_keys = ON",
    "INSERT INTO child (id, thing) VALUES (1, 5)",
    "INSERT INTO thing (id) VALUES (5)",
    "SELECT changes() AS n",
  );
  await batch("INSERT INTO child (id, thing) VALUES (2, 6)", "INSERT INTO thing (id) VALUES (6)");
  await batch("DELETE FROM thing WHERE id = 5");
  await both((database) => database.batch([]));
});

test("a session reads what it has written and then has a bookmark", async () => {
  const seen = await both(async (database) => {
    const session = database.withSession("first-primary");
    const before = session.getBookmark();
    await session.prepare("INSERT INTO thing (id) VALUES (1)").run();
    const { results } = await session.prepare("SELECT id FROM thing").all();
    return [before, results, typeof session.getBookmark()];
  });
  expect(seen).toEqual([null, [{ id: 1 }], "string"]);
});

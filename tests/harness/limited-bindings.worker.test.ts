import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { assertWithinLimits } from "./held-limits.ts";
import {
  limitedBucket,
  limitedDatabase,
  limitedFetch,
  limitedObjects,
  limitedQueue,
} from "./limited-bindings.ts";
import { type PlatformLimits, watchLimits } from "./platform-limits.ts";
import { assertSmallRows } from "./row-sizes.ts";

/** This test's own limits, because it exceeds them on purpose. */
let limits: PlatformLimits;
beforeEach(() => {
  limits = watchLimits();
});

test("a database refuses the values, rows and statements that D1 refuses, by their bytes", async () => {
  const database = limitedDatabase(env.DB, limits);
  const large = (bytes: number) => "é".repeat(bytes / 2);
  const echo = (...values: unknown[]) =>
    database.prepare(`SELECT ${values.map(() => "length(?)")}`).bind(...values);
  await echo(large(2_000_000), new Uint8Array(2_000_000)).first();
  await database.prepare(`SELECT '${large(99_990)}'`).first();
  expect([...limits.exceeded]).toEqual([]);
  await expect(echo(large(2_000_002)).first()).rejects.toThrow("bytes of a bound value: 2000002");
  await expect(echo(new ArrayBuffer(2_000_001)).all()).rejects.toThrow("bytes of a bound value: 2000001");
  await expect(database.batch([echo(1), echo(large(2_000_004))])).rejects.toThrow("bound value: 2000004");
  await expect(database.prepare(`SELECT '${large(99_992)}'`).all()).rejects.toThrow("statement: 100001");
  await expect(echo(...Array.from({ length: 101 }, () => 1)).raw()).rejects.toThrow(
    "parameters of a statement",
  );
  const wide = database.prepare("SELECT zeroblob(1000000) AS a, hex(zeroblob(500001)) AS b");
  for (const read of [wide.first(), wide.all(), wide.raw(), database.batch([wide])])
    await expect(read).rejects.toThrow("bytes of a row: 2000002");
  // D1 itself has rejected the row as well.
  expect(assertWithinLimits).toThrow("bytes of a row: 2000002");
});

test("each statement of a batch counts as a query of its invocation", async () => {
  const database = limitedDatabase(env.DB, limits);
  const one = database.prepare("SELECT 1");
  const ask = (count: number) => database.batch(Array.from({ length: count }, () => one));
  await limits.invocation(async () => {
    await ask(999);
    await one.first();
    await expect(one.first()).rejects.toThrow("queries of an invocation: 1001");
  });
});

test("a bucket refuses the keys, metadata and deletions that R2 refuses", async () => {
  const bucket = limitedBucket(env.AVATARS, limits);
  await bucket.put("k".repeat(1_024), "x", { customMetadata: { a: "x".repeat(2_000) } });
  await bucket.delete(["k".repeat(1_024)]);
  await expect(bucket.put("k".repeat(1_025), "x")).rejects.toThrow("bytes of a key: 1025");
  const customMetadata = { a: "x".repeat(8_192) };
  await expect(bucket.put("k", "x", { customMetadata })).rejects.toThrow("an object's metadata: 8193");
  await expect(bucket.delete(Array.from({ length: 1_001 }, () => "k"))).rejects.toThrow(
    "deleted at once: 1001",
  );
});

test("queues, objects and fetches count as sub-requests and refuse what Cloudflare refuses", async () => {
  const queue = limitedQueue(env.MAIL, limits);
  const budgets = limitedObjects(env.PROVIDER_BUDGET, limits);
  const address = `https://example.test/${"a".repeat(16_384)}`;
  await limits.invocation(async () => {
    expect(await budgets.getByName("test").left(1)).toMatchObject({ pausedUntil: null });
    await expect(queue.send("x", { delaySeconds: 43_201 })).rejects.toThrow("message's delay: 43201");
    await expect(limitedFetch(fetch, limits)(address)).rejects.toThrow("bytes of an address");
    for (let count = 3; count < 10_000; count++) await limits.call("object", "other", async () => {});
    await expect(budgets.getByName("test").left(1)).rejects.toThrow("sub-requests of an invocation: 10001");
  });
});

test("every binding of a test enforces the limits, and a caught refusal fails the test at its end", async () => {
  await env.DB.prepare("SELECT ?")
    .bind("x".repeat(2_000_001))
    .first()
    .catch(() => {});
  await env.VAULT_DE.head("k".repeat(1_025)).catch(() => {});
  await env.EXPORTS.send("x", { delaySeconds: 50_000 }).catch(() => {});
  expect(assertWithinLimits).toThrow(
    "Beyond the platform's limits: bytes of a bound value: 2000001, where 2000000 are allowed (SELECT ?); " +
      "bytes of a key: 1025, where 1024 are allowed",
  );
  assertWithinLimits();
});

test("a stored row that grew beyond two megabytes in the database is detected", async () => {
  const note = (id: string) =>
    env.LEDGER_DE.prepare(
      "INSERT INTO restore_journal (run_id, key, value, created_at) VALUES (?1, 'k', ?2, 1)",
    ).bind(id, "x".repeat(1_500_000));
  await note("run_a").run();
  await assertSmallRows();
  await env.LEDGER_DE.prepare("UPDATE restore_journal SET value = value || value").run();
  await expect(assertSmallRows()).rejects.toThrow("a stored row of restore_journal has 3000007 bytes");
  await env.LEDGER_DE.prepare("DELETE FROM restore_journal").run();
});

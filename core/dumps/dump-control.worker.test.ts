import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { createPerson } from "#core/accounts/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS, HOUR_MS, systemClock } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { emptyEverything, listKeys } from "#tests/harness/empty-bindings.ts";
import { listTables } from "#tests/harness/tables.ts";
import type { DumpCursor } from "./dump-control.ts";
import { createDumpKeys, dumpControl, queueDump, readDump } from "./index.ts";

let now: number;
let waiting: JobMessage[];
let userId: string;
beforeEach(async () => {
  await emptyEverything();
  // Objects carry the runtime's own times.
  now = Date.now();
  waiting = [];
  const rows = JSON.stringify(Array.from({ length: 1_203 }, (_, i) => i));
  const person = { name: "Ängström", familyName: "Example", email: "dump@example.com" };
  const settings = { MASTER_KEYS: env.MASTER_KEYS, AUTH_SECRET: env.AUTH_SECRET };
  const deps = { control: controlDatabase(env), clock: systemClock, ids: randomIds, settings };
  ({ userId } = await createPerson(deps as Parameters<typeof createPerson>[0], person));
  await env.DB.prepare(
    "INSERT INTO item_region (item_id, region) SELECT 'itm_' || value, 'DE' FROM json_each(?)",
  )
    .bind(rows)
    .run();
});

const servicesFor = (publicKey: string) => ({
  clock: { now: () => now },
  control: controlDatabase(env),
  dumps: { bucket: env.DUMPS, publicKey },
  queue: { send: async (messages: readonly JobMessage[]) => void waiting.push(...messages) },
});
type S = ReturnType<typeof servicesFor>;

/** Delivers the waiting message, and those that follow. */
async function carryOut(s: S, pieces?: number): Promise<void> {
  for (let message = waiting.shift(); message; message = waiting.shift())
    await dumpControl(s, message.payload as DumpCursor, pieces);
}

const read = async (key: string) => {
  const object = await env.DUMPS.get(key);
  return object ? new Uint8Array(await object.arrayBuffer()) : null;
};

async function readAll(privateKey: string, indexKey: string) {
  const found: Record<string, Record<string, unknown>[]> = {};
  for await (const { table, rows } of readDump(read, { privateKey, indexKey }))
    found[table] = [...rows, ...(found[table] ?? [])];
  return found;
}

const indexes = async () => (await listKeys(env.DUMPS)).filter((key) => key.includes("/index-"));

test("a dump holds every row of every table, in as many slices as it takes, and only the offline key reads it", async () => {
  const { publicKey, privateKey } = await createDumpKeys();
  const s = servicesFor(publicKey);
  await queueDump(s);
  await carryOut(s, 2);
  const [index, ...others] = await indexes();
  expect(others).toEqual([]);
  const dumped = await readAll(privateKey, index!);
  const tables = await listTables(env.DB);
  for (const table of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${table}" ORDER BY rowid`).all();
    expect([table, dumped[table] ?? []]).toEqual([table, results]);
  }
  expect(dumped.item_region).toHaveLength(1_203);
  expect(dumped.user![0]).toMatchObject({ id: userId, name: "Ängström" });
  expect(JSON.parse(String(dumped.organisation![0]!.wrapped_key))).toMatchObject({ masterVersion: 1 });

  const other = await createDumpKeys();
  await expect(readAll(other.privateKey, index!)).rejects.toThrow();
});

test("a dump is made once a day, anew when its chain was lost, and not without a key", async () => {
  await queueDump(servicesFor(""));
  expect(waiting).toEqual([]);
  const { publicKey, privateKey } = await createDumpKeys();
  const s = servicesFor(publicKey);
  await queueDump(s);
  await dumpControl(s, waiting.shift()!.payload as DumpCursor, 30);
  expect((await listKeys(env.DUMPS)).length).toBeGreaterThan(0);
  waiting.length = 0;
  await queueDump(s);
  expect(waiting).toEqual([]);
  const date = new Date(now).toISOString().slice(0, 10);
  now = Math.min(now + HOUR_MS, Date.parse(`${date}T23:59:59Z`) + HOUR_MS);
  await queueDump(s);
  expect(waiting).toHaveLength(1);
  await carryOut(s);
  const [index] = await indexes();
  expect((await readAll(privateKey, index!)).item_region).toHaveLength(1_203);
  await queueDump(s);
  expect(waiting).toEqual([]);
});

test("a dump that lacks a piece, or of which one was changed, is refused by name", async () => {
  const { publicKey, privateKey } = await createDumpKeys();
  const s = servicesFor(publicKey);
  await queueDump(s);
  await carryOut(s);
  const [index] = await indexes();
  const piece = (await listKeys(env.DUMPS)).find((key) => key.includes("/piece-"))!;
  const bytes = (await read(piece))!;
  bytes[200]! ^= 1;
  await env.DUMPS.put(piece, bytes);
  await expect(readAll(privateKey, index!)).rejects.toThrow(`${piece} was changed.`);
  await env.DUMPS.delete(piece);
  await expect(readAll(privateKey, index!)).rejects.toThrow(`${piece} is missing.`);
});

test("dumps are deleted after seven days, so that a shredded key is in none of them", async () => {
  const { publicKey } = await createDumpKeys();
  const s = servicesFor(publicKey);
  await queueDump(s);
  await carryOut(s);
  const old = await listKeys(env.DUMPS);
  now += 7 * DAY_MS - HOUR_MS;
  await queueDump(s);
  waiting.length = 0;
  expect(await listKeys(env.DUMPS)).toEqual(old);
  now += 2 * HOUR_MS;
  await queueDump(s);
  expect(await listKeys(env.DUMPS)).toEqual([]);
});

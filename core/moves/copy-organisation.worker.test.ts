import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { numberOf } from "#core/database/ledger/index.ts";
import { ledgerOn } from "#core/database/ledgers.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { dice } from "#tests/harness/dice.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { furtherLedger } from "#tests/harness/further-ledger.ts";
import {
  addAlarm,
  addItem,
  addManifest,
  addObject,
  addReplica,
  addRun,
  addSnapshot,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import { listOwnedTables, rowsOf } from "#tests/harness/two-ledgers.ts";
import { copyOrganisation } from "./copy-organisation.ts";
import { freeze, setDoor, writeClosed } from "./doors.store.ts";
import { removeOldRows } from "./remove-old-rows.ts";

const MOVING = /the organisation is moving/;
const asker = { organisationId: ORGANISATION, epoch: 7 };
let second: D1Database;
beforeAll(async () => {
  second = await furtherLedger();
});
beforeEach(async () => {
  await emptyEverything();
  const tables = await listOwnedTables(second);
  await second.batch(
    ["moving_organisation", ...tables, ...tables].map((name) => second.prepare(`DELETE FROM "${name}"`)),
  );
  await setDoor(ledgerOn(second), asker, { state: "arriving", now: 1 });
  await setDoor(ledger, asker, { state: "copying", now: 1 });
});

const copy = (pages: { count: number } = { count: 0 }) =>
  copyOrganisation({
    source: ledger,
    target: ledgerOn(second),
    asker,
    afterPage: async () => {
      pages.count += 1;
    },
  });

const run = (sql: string, ...values: unknown[]) =>
  env.LEDGER_DE.prepare(sql)
    .bind(...values)
    .run();

/** Passes until one finds nothing. Returns what each found. */
async function copyUntilEqual(): Promise<number[]> {
  const found: number[] = [];
  do found.push(await copy());
  while (found.at(-1) !== 0 && found.length < 9);
  expect(await rowsOf(second, ORGANISATION)).toEqual(await rowsOf(env.LEDGER_DE, ORGANISATION));
  return found;
}

async function addVersion(name: string, objects: readonly string[]): Promise<void> {
  await addRun({ id: `run of ${name}`, status: "succeeded" });
  await addManifest({ id: `manifest of ${name}`, objects });
  await addSnapshot({ id: name });
  await addReplica({ snapshotId: name, status: "stored" });
}

test("every table with rows of organisations has a guard against each kind of write", async () => {
  const { results } = await env.LEDGER_DE.prepare(
    "SELECT tbl_name || ' ' || replace(name, tbl_name || '_closed_to_', '') AS guard FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_closed_to_%' ORDER BY 1",
  ).all();
  const tables = await listOwnedTables(env.LEDGER_DE);
  expect(results.map(({ guard }) => guard)).toEqual(
    tables.flatMap((name) => ["delete", "insert", "update"].map((write) => `${name} ${write}`)),
  );
});

test("a copy fires triggers at the target, and becomes equal all the same", async () => {
  await addItem({ lastError: "It failed.", lastErrorAt: 3, lastBackupAt: 2, status: "backuped" });
  for (const id of ["a", "b", "c"]) await addObject({ id, markedAt: 5 });
  await addVersion("one", ["a", "b"]);
  await addVersion("two", ["b", "c"]);
  // The trigger that shortens tallies would delete the older of these at the target.
  await run("INSERT INTO backup_tally VALUES (?1, 'con_a', 5000, 1, 0, 0, 0)", ORGANISATION);
  await run("INSERT INTO backup_tally VALUES (?1, 'con_a', 10, 1, 0, 0, 0)", ORGANISATION);
  const [first, ...rest] = await copyUntilEqual();
  expect(first).toBeGreaterThan(10);
  expect(rest.at(-1)).toBe(0);
  expect(await copy()).toBe(0);
});

test("what goes at the source goes at the target: versions, spans, copies, and an item that was added again", async () => {
  await addItem();
  for (const id of ["a", "b", "c"]) await addObject({ id });
  await addVersion("one", ["a", "b"]);
  await addVersion("two", ["c"]);
  await copyUntilEqual();
  await run("DELETE FROM snapshot WHERE id = 'one'");
  await run("DELETE FROM manifest_row WHERE id = 'manifest of one'");
  await run("DELETE FROM object_row WHERE id = 'a'");
  await run("UPDATE object_row SET status = 'deleting' WHERE id = 'b'");
  await copyUntilEqual();
  // The same item under an earlier id: the target still has its place taken.
  await run("DELETE FROM item WHERE id = ?1", ITEM);
  await addItem({ id: "itm_0", externalId: ITEM });
  await copyUntilEqual();
  expect(await second.prepare("SELECT total FROM item_count").raw()).toEqual([[1]]);
});

test("rows that a dead command copied without their owners go with the next copy, and with the removal", async () => {
  const strays = ["companion", "restore_journal"];
  const addStrays = () =>
    second.batch([
      second.prepare("INSERT INTO companion VALUES ('obj_gone', 'index', 'obj_stray', 'itm_gone', 1)"),
      second.prepare("INSERT INTO restore_journal VALUES ('run_gone', 'board', '1', 1)"),
    ]);
  const countStrays = async () =>
    (await second.batch(strays.map((name) => second.prepare(`SELECT count(*) AS n FROM ${name}`)))).map(
      ({ results }) => (results[0] as { n: number }).n,
    );
  // What another organisation has there stays.
  await second.batch([
    second.prepare("INSERT INTO numbered_item (item_id, organisation_id) VALUES ('itm_other', 'org_other')"),
    second.prepare(
      `INSERT INTO object_row (id, item, run_id, kind, status, created_at)
       SELECT 'obj_other', number, 'run_other', 'companion', 'stored', 1 FROM numbered_item WHERE item_id = 'itm_other'`,
    ),
    second.prepare("INSERT INTO companion VALUES ('obj_other', 'index', 'obj_other', 'itm_other', 1)"),
  ]);
  await addStrays();
  await copy();
  expect(await countStrays()).toEqual([1, 0]);
  await addStrays();
  await setDoor(ledgerOn(second), { ...asker, epoch: 8 }, { state: "left", now: 2 });
  const services = { clock: { now: () => 2 + HOUR_MS }, ledger: () => ledgerOn(second) };
  const removal = removeOldRows(
    { ...services, shards: ["DE", "DE_2"] },
    { organisationId: ORGANISATION, target: "DE" },
  );
  for await (const event of removal) expect(event).toMatchObject({ type: "removed", shard: "DE_2", rows: 2 });
  expect(await countStrays()).toEqual([1, 0]);
});

test("pages are cut by rows and by bytes, and long stretches of others are passed over", async () => {
  await addItem();
  // More rows than a page, between more rows of another organisation than a stretch.
  await run(
    `INSERT INTO seen_item (connection_id, place_id, kind, external_id, organisation_id, seen_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45000)
     SELECT 'con_a', 'plc_a', 'repository', printf('%06d', i), iif(i % 41 = 0, ?1, 'org_other'), i FROM n`,
    ORGANISATION,
  );
  for (let at = 0; at < 5; at++)
    await addRun({
      id: `run_${at}`,
      kind: "verify",
      status: "succeeded",
      cursor: JSON.stringify('"'.repeat(200_000)),
    });
  const pages = { count: 0 };
  expect(await copy(pages)).toBeGreaterThan(1_000);
  // 20 tables, two more pages of seen items in three stretches, and two more of runs.
  expect(pages.count).toBeGreaterThanOrEqual(24);
  expect(await copyUntilEqual()).toEqual([0]);
  expect(await second.prepare("SELECT count(*) FROM seen_item").raw()).toEqual([[Math.floor(45_000 / 41)]]);
});

test("after any changes between passes, the last passes find what differs", async () => {
  const throwDice = dice(0x5eed);
  await addItem();
  for (let round = 0; round < 12; round++) {
    for (let step = 0; step < 6; step++) {
      const name = `v${round}${step}`;
      const act = throwDice(5);
      if (act <= 1) {
        await addObject({ id: `obj ${name}` });
        await addVersion(name, [`obj ${name}`]);
      } else if (act === 2) await run("DELETE FROM snapshot WHERE id = (SELECT min(id) FROM snapshot)");
      else if (act === 3)
        await run(
          "DELETE FROM manifest_row WHERE NOT EXISTS (SELECT 1 FROM snapshot WHERE manifest_id = manifest_row.id)",
        );
      else await addAlarm({ id: `alm ${name}`, snapshotId: name });
      // A pass in the middle of the changes.
      if (throwDice(4) === 0) await copy();
    }
    await copyUntilEqual();
  }
});

test("nobody writes to a closed organisation, and everybody to the others", async () => {
  await addItem();
  await addItem({ id: "itm_other", organisationId: "org_other", connectionId: "con_other" });
  await addObject({ id: "a" });
  await addVersion("one", ["a"]);
  expect(await freeze(ledger, asker, 2)).toBe(true);
  for (const table of [
    "item",
    "object_row",
    "snapshot",
    "manifest_row",
    "span_row",
    "replica",
    "run",
    "item_count",
  ]) {
    const isNumbered = table.endsWith("_row");
    const mine = isNumbered ? `item = ${numberOf(`'${ITEM}'`)}` : `organisation_id = '${ORGANISATION}'`;
    const column = isNumbered ? "item" : "organisation_id";
    await expect(run(`DELETE FROM ${table} WHERE ${mine}`)).rejects.toThrow(MOVING);
    await expect(run(`UPDATE ${table} SET ${column} = ${column} WHERE ${mine}`)).rejects.toThrow(MOVING);
    await expect(run(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table} WHERE ${mine}`)).rejects.toThrow(
      MOVING,
    );
  }
  await run("UPDATE item SET name = 'new' WHERE id = 'itm_other'");
  await run("DELETE FROM item WHERE id = 'itm_other'");
  const batch = [run, run].map((_, at) =>
    env.LEDGER_DE.prepare(`UPDATE item SET name = '${at}' WHERE organisation_id = '${ORGANISATION}'`),
  );
  await expect(env.LEDGER_DE.batch(batch)).rejects.toThrow(MOVING);
});

test("a command with an earlier epoch, or at the wrong ledger, writes nothing", async () => {
  await addItem();
  const target = ledgerOn(second);
  const write = () => [target.$client.prepare(`DELETE FROM item WHERE id = '${ITEM}'`)];
  await expect(writeClosed(target, { ...asker, epoch: 6 }, "arriving", write())).rejects.toThrow("NOT NULL");
  await expect(writeClosed(target, asker, "left", write())).rejects.toThrow("NOT NULL");
  await expect(
    writeClosed(target, { organisationId: "org_other", epoch: 7 }, "arriving", write()),
  ).rejects.toThrow("NOT NULL");
  await setDoor(target, { ...asker, epoch: 6 }, { state: "home", now: 3 });
  expect(await freeze(ledger, { ...asker, epoch: 6 }, 2)).toBe(false);
  const doors = await second.prepare("SELECT state, is_closed, epoch, since FROM moving_organisation").raw();
  expect(doors).toEqual([["arriving", 1, 7, 1]]);
  // A statement that fails leaves the ledger closed.
  await expect(
    writeClosed(target, asker, "arriving", [target.$client.prepare("INSERT INTO item (id) VALUES ('x')")]),
  ).rejects.toThrow();
  expect(await second.prepare("SELECT is_closed FROM moving_organisation").raw()).toEqual([[1]]);
});

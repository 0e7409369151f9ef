import { expect, test } from "vitest";
import { ledgerOn } from "#core/database/ledgers.ts";
import { listLostRuns } from "#core/runs/runs.store.ts";
import { ledgerBefore } from "#tests/harness/databases/ledger-before.ts";

test("runs of an earlier release are open after the migration exactly if they have not ended", async () => {
  const { database, migrate } = await ledgerBefore("0029");
  const rows = [
    ["failed", "itm_a", "backup", "failed", null],
    ["done", "itm_a", "backup", "succeeded", 9],
    ["overtaken", "itm_a", "backup", "superseded", null],
    ["queued", "itm_a", "backup", "queued", null],
    ["check", "itm_a", "verify", "running", null],
    ["other check", "itm_a", "verify", "queued", null],
  ] as const;
  const insert = database.prepare(
    `INSERT INTO run (id, item_id, kind, status, finished_at, organisation_id, connection_id, platform, trigger, lease_until,
       started_at, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, 'org', 'con', 'github', 'schedule', 5, 3, 2)`,
  );
  await database.batch(rows.map((row) => insert.bind(...row)));
  await migrate();

  const lost = await listLostRuns(ledgerOn(database), 5, 9);
  expect(lost.map(({ id }) => id).sort()).toEqual(["check", "other check", "queued"]);
  const { results } = await database.prepare("SELECT id, finished_at AS at FROM run ORDER BY id").all();
  expect(results).toContainEqual({ id: "done", at: 9 });
  expect(results).toContainEqual({ id: "failed", at: 3 });
  const again = insert.bind("second", "itm_a", "backup", "queued", null).run();
  await expect(again).rejects.toThrow("UNIQUE constraint failed");
});

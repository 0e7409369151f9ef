import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { run, schedule } from "#core/database/ledger/index.ts";
import { ledgerOn } from "#core/database/ledgers.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { countingDatabase, noCounts } from "#tests/bench/counting.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { columnsOf, ledger, ORGANISATION } from "#tests/harness/ledger-rows.ts";
import { listDue, moveDue, type ScheduleRow } from "./backups.store.ts";

beforeEach(emptyEverything);

const NOW = 10 * DAY_MS;

/** Items that came due one after another before now, and as many that are not due. */
async function addSchedules(due: number): Promise<void> {
  const rows = Array.from(
    { length: 2 * due },
    (_, at): ScheduleRow => ({
      itemId: `itm_${at}`,
      dueAt: at < due ? NOW - at : NOW + 1,
      periodMs: DAY_MS,
      organisationId: ORGANISATION,
      connectionId: "con_a",
      platform: "github",
    }),
  );
  for (const row of rows) await ledger.insert(schedule).values(row);
}

const move = (row: ScheduleRow) => ({
  row,
  runId: `run_${row.itemId}`,
  nextDueAt: NOW + DAY_MS,
  periodMs: DAY_MS,
});

test("a due item reads two rows: its schedule, to find it and to move it", async () => {
  await addSchedules(40);
  const counts = noCounts();
  const counted = ledgerOn(countingDatabase(env.LEDGER_DE, counts));
  const due = await listDue(counted, NOW, 100);
  expect(await moveDue(counted, due.map(move), NOW)).toHaveLength(40);
  // And one for the first item that is not due.
  expect(counts.rowsRead).toBeLessThanOrEqual(2 * 40 + 1);
});

test("a due item that was moved meanwhile, or has an open backup, gets no run", async () => {
  await addSchedules(3);
  const [first, second, third] = await listDue(ledger, NOW, 100);
  const again = { ...move(second!), runId: "run_other" };
  expect(await moveDue(ledger, [move(first!), move(first!), move(second!)], NOW)).toEqual([
    `run_${first!.itemId}`,
    `run_${second!.itemId}`,
  ]);
  expect(await moveDue(ledger, [again], NOW)).toEqual([]);
  // Due again while its backup is still open.
  const [moved] = (await listDue(ledger, NOW + DAY_MS, 100)).filter(
    ({ itemId }) => itemId === second!.itemId,
  );
  expect(
    await moveDue(
      ledger,
      [
        { ...again, row: moved! },
        { ...move(third!), runId: null },
      ],
      NOW,
    ),
  ).toEqual([]);
  expect((await columnsOf(run, "id, item_id, status, trigger, created_at")).length).toBe(2);
  expect(await listDue(ledger, NOW, 100)).toEqual([]);
});

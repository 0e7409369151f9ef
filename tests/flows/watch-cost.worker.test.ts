import { afterEach, beforeEach, expect, test } from "vitest";
import { numberOf } from "#core/database/ledger/index.ts";
import { ledgerDatabase } from "#core/database/ledgers.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { prune } from "#core/upkeep/index.ts";
import { countingDatabase, noCounts } from "#tests/bench/counting.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { nightWatch } from "#tests/harness/night-watch.ts";
import { assertNoScans } from "#tests/harness/query-plans.ts";
import { onTick } from "#workers/crons/index.ts";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

test("no tick reads a whole table: every query of every rule uses an index", async () => {
  await world.protect("plans", "tiny");
  await world.drain();
  const asked = new Set<string>();
  world.limits.onStatement = (text) => void asked.add(text);
  for (const cron of ["* * * * *", "17 * * * *"])
    await world.limits.invocation(() => onTick(world.services, cron));
  for (const letter of world.queue.letters.splice(0)) await world.deliver(letter);
  world.limits.onStatement = () => {};
  expect(asked.size).toBeGreaterThan(20);
  await assertNoScans();
});

/** Items with a manifest and two objects each. Nothing needs the second object. */
async function fillVault(from: number, to: number): Promise<void> {
  const insert = (what: string, into: string) =>
    world.ledger
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
         INSERT INTO ${into} SELECT ${what} FROM n`,
      )
      .bind(from, to)
      .run();
  const item = "printf('itm_%08d', i)";
  await insert(`${item}, 'org'`, "numbered_item (item_id, organisation_id)");
  for (const name of ["a", "b"])
    await insert(
      `printf('obj_%08d${name}', i), ${numberOf(item)}, 'run', 'pack', 'stored', 1`,
      "object_row (id, item, run_id, kind, status, created_at)",
    );
  await insert(
    `${numberOf(item)}, 1, 'm', printf('obj_%08da', i), 0, 1, 0, 'h', 1, 1, '{}', 1`,
    `manifest_row (item, seq, id, root_object, root_offset, root_length, root_method, root_hash, entry_count, size_bytes,
       completeness, created_at)`,
  );
  await insert(
    `printf('snp_%08d', i), 'org', ${item}, printf('run_%08d', i), 1, 'm', 1, 1, 'verified', 9e15`,
    `snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes, new_bytes, verify_state, expires_at)`,
  );
}

const marked = async () =>
  (await world.rows<{ id: string }>("SELECT id FROM object WHERE marked_at IS NOT NULL ORDER BY id")).map(
    ({ id }) => id,
  );

test("a watch that reaches its limit resumes where it stopped, until everything is checked, and then starts over", async () => {
  await fillVault(0, 25);
  const sweep = { items: 5, stretches: 2 };
  const counts: number[] = [];
  for (let watch = 0; watch < 3; watch++) {
    await prune(world.services, world.region, sweep);
    counts.push((await marked()).length);
  }
  expect(counts).toEqual([10, 20, 25]);
  expect((await marked()).every((id) => id.endsWith("b"))).toBe(true);
  // Objects that become unneeded during a round are found in the next one, which starts with the first item.
  await world.rows("DELETE FROM snapshot WHERE item_id = 'itm_00000001'");
  await prune(world.services, world.region, sweep);
  expect(await marked()).toContain("obj_00000001a");
  expect(await world.rows("SELECT id FROM manifest WHERE item_id = 'itm_00000001'")).toEqual([]);
  // A day later, everything marked is deleted, and everything needed stays.
  world.clock.advance(DAY_MS + 1);
  for (let watch = 0; watch < 3; watch++) await world.tick(nightWatch);
  const left = await world.rows<{ id: string }>("SELECT id FROM object ORDER BY id");
  expect(left).toHaveLength(24);
  expect(left.every(({ id }) => id.endsWith("a") && id !== "obj_00000001a")).toBe(true);
});

test("the cost of a range does not grow with the number of items", async () => {
  const costs: number[] = [];
  for (const [from, to] of [
    [0, 60],
    [60, 3_000],
  ] as const) {
    await fillVault(from, to);
    await world.rows("DELETE FROM sweep_position");
    await world.rows("UPDATE object_row SET marked_at = NULL");
    const counts = noCounts();
    const database = countingDatabase(world.ledger, counts);
    const ledger = ledgerDatabase({ [`LEDGER_${world.region}`]: database } as unknown as Env, world.region);
    await prune({ ...world.services, ledger: () => ledger }, world.region, { items: 10, stretches: 2 });
    expect(await marked()).toHaveLength(20);
    costs.push(counts.rowsRead);
  }
  expect(costs[1]! / costs[0]!).toBeLessThan(1.1);
});

import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { dispatchDue } from "#core/backups/index.ts";
import { controlDatabase, ledgerDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { countingDatabase, noCounts } from "#tests/bench/counting.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { handle } from "#workers/queues/handle.ts";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

/** The next day: what is due is backed up, and what that has queued is done. */
async function nextDay() {
  world.clock.advance(DAY_MS);
  const counts = noCounts();
  const bindings = {
    ...env,
    DB: countingDatabase(env.DB, counts),
    [`LEDGER_${world.region}`]: countingDatabase(world.ledger, counts),
  };
  const messages: JobMessage[] = [];
  const services = {
    ...world.services,
    control: controlDatabase(bindings),
    ledger: () => ledgerDatabase(bindings, world.region),
    queue: { send: async (sent: readonly JobMessage[]) => void messages.push(...sent) },
  };
  await dispatchDue(services, world.region);
  for (let message = messages.shift(); message; message = messages.shift()) await handle(services, message);
  return { read: counts.rowsRead, written: counts.rowsWritten };
}

// Less than half of what a day had cost, as in the bench, which has the dollars. The first backup of an hour writes one row more.
test("a day without a change reads at most 62 rows and writes at most 21", async () => {
  const item = await world.protect("plans", "tiny");
  await world.drain();
  for (let days = 0; days < 3; days++) await nextDay();
  while (isWholeDay(item.externalId, world.clock.now() + DAY_MS)) await nextDay();
  const quiet = await nextDay();
  expect(quiet.read).toBeLessThanOrEqual(62);
  expect(quiet.written).toBeLessThanOrEqual(21);
  const versions = await world.rows("SELECT verify_state AS state FROM snapshot");
  expect(versions.length).toBeGreaterThan(4);
  expect(versions.every(({ state }) => state === "verified")).toBe(true);

  const files = [{ path: "notes.txt", base64: btoa("what happened today") }];
  await world.outside.control(`repos/${item.fullName}/files`, { files });
  const changed = await nextDay();
  expect(changed.read).toBeLessThanOrEqual(643);
  expect(changed.written).toBeLessThanOrEqual(124);
});

import { requestBackup } from "#core/backups/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { type FlowWorld, PLATFORM } from "./flow-world.ts";

/** The columns of a version's row that tests read. */
export type SnapshotFacts = {
  id: string;
  item_id: string;
  manifest_id: string;
  taken_at: number;
  new_bytes: number;
  size_bytes: number;
  skipped_count: number;
  verify_state: "queued" | "verified" | "intact" | "failed";
  verified_at: number | null;
  verify_text: string | null;
};

/** The columns of a run's row that tests read. */
export type RunFacts = {
  id: string;
  kind: string;
  status: "queued" | "running" | "succeeded" | "failed";
  epoch: number;
  attempts: number;
  waiting_until: number | null;
  /** How often it restarted because its cursor could not be read. */
  restarts: number;
  error_code: string | null;
  error_text: string | null;
};

/** Requests a backup after the window of any earlier one. Returns the run's id. */
export async function askForBackup(world: FlowWorld, itemId: string): Promise<string> {
  world.clock.advance(DAY_MS);
  return (await requestBackup(world.services, world.member, { platform: PLATFORM, itemId })).runId;
}

/** Backs up now and waits until everything has ended. Returns the run. */
export async function backUpNow(world: FlowWorld, itemId: string): Promise<RunFacts> {
  const runId = await askForBackup(world, itemId);
  await world.drain();
  return findRun(world, runId);
}

/** One run, also if it is folded into its version. @throws Error when it is missing */
export async function findRun(world: FlowWorld, runId: string): Promise<RunFacts> {
  const [run] = await world.rows<RunFacts>("SELECT * FROM known_run WHERE id = ?", runId);
  if (!run) throw new Error(`There is no run ${runId}`);
  return run;
}

/** The versions of an item, newest first. */
export function listSnapshots(world: FlowWorld, itemId: string): Promise<SnapshotFacts[]> {
  return world.rows<SnapshotFacts>("SELECT * FROM snapshot WHERE item_id = ? ORDER BY taken_at DESC", itemId);
}

/** The newest version of an item. @throws Error when there are none */
export async function newestSnapshot(world: FlowWorld, itemId: string): Promise<SnapshotFacts> {
  const [snapshot] = await listSnapshots(world, itemId);
  if (!snapshot) throw new Error(`There is no version of ${itemId}`);
  return snapshot;
}

import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { DAY_MS } from "#core/kernel/clock.ts";

/** Path of the record in which a backup leaves for the next one what it has read; no person needs to see it. */
export const STATE_PATH = "state.json";

/** What totals cannot show, such as deleted comments, is found by reading everything this often. */
const WHOLE_EVERY_MS = 7 * DAY_MS;

export const backupStateSchema = z.object({
  version: z.literal(1),
  /** The week in which everything was read last, counted by `weekOf`. */
  week: z.int(),
  /** How far each list was read: the time of its newest change, or its newest id. */
  marks: z.record(z.string(), z.string()),
  /** How many things of a kind the version holds, to be compared with the platform's own total. */
  counts: z.record(z.string(), z.number()),
});
export type BackupState = z.output<typeof backupStateSchema>;

/** What the previous version left; null when there is none that can be built on. */
export async function findState(previous: SnapshotView | null): Promise<BackupState | null> {
  if (previous === null || (await previous.find(STATE_PATH)) === null) return null;
  const parsed = backupStateSchema.safeParse(await previous.readRecord(STATE_PATH));
  return parsed.success ? parsed.data : null;
}

/**
 * The number of the week, which begins for each item at another moment, so that they do not all read everything at once.
 * A week instead of a time keeps versions equal that have equal content.
 */
export function weekOf(externalId: string, nowMs: number): number {
  let hash = 0;
  for (const letter of externalId) hash = (hash * 31 + letter.charCodeAt(0)) % WHOLE_EVERY_MS;
  return Math.floor((nowMs + hash) / WHOLE_EVERY_MS);
}

/** The state that a backup begins to write: that of the previous version, or an empty one when it reads everything. */
export function beginState(known: BackupState | null, week: number): BackupState {
  return known === null ? { version: 1, week, marks: {}, counts: {} } : structuredClone(known);
}

/** The record of a state. Equal content gives an equal state, so an unchanged item keeps its manifest. */
export function stateRecord(state: BackupState): BackupEvent {
  return { type: "record", path: STATE_PATH, kind: "state", value: state };
}

import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { DAY_MS } from "#core/kernel/clock.ts";

/** Path of the record in which a backup leaves for the next one what it has read; no person needs to see it. */
export const STATE_PATH = "state.json";

/** What totals cannot show, such as deleted comments, is found by reading everything this often. */
const WHOLE_EVERY_DAYS = 7;

export const backupStateSchema = z.object({
  version: z.literal(1),
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
 * Whether this is the item's day of the week for reading everything. The day follows from the item, so that they do not
 * all have the same one, and nothing about it is stored: versions of equal content stay equal.
 */
export function isWholeDay(externalId: string, nowMs: number): boolean {
  let hash = 0;
  for (const letter of externalId) hash = (hash * 31 + letter.charCodeAt(0)) % (WHOLE_EVERY_DAYS * DAY_MS);
  return Math.floor((nowMs + hash) / DAY_MS) % WHOLE_EVERY_DAYS === 0;
}

/** The state that a backup begins to write: that of the previous version, or an empty one when it reads everything. */
export function beginState(known: BackupState | null): BackupState {
  return known === null ? { version: 1, marks: {}, counts: {} } : structuredClone(known);
}

/** The record of a state. Equal content gives an equal state, so an unchanged item keeps its manifest. */
export function stateRecord(state: BackupState): BackupEvent {
  return { type: "record", path: STATE_PATH, kind: "state", value: state };
}

import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { DAY_MS } from "#core/kernel/clock.ts";

/** Path of the record that a backup leaves for the next one; not shown to users. */
export const STATE_PATH = "state.json";

/** Days between full reads, which find what totals cannot show, such as deleted comments. */
export const WHOLE_EVERY_DAYS = 7;

export const backupStateSchema = z.object({
  version: z.literal(1),
  /** How far each list was read: the time of its latest change, or its highest id. */
  marks: z.record(z.string(), z.string()),
  /** The number of things by kind in the version, for comparison with the platform's total. */
  counts: z.record(z.string(), z.number()),
});
export type BackupState = z.output<typeof backupStateSchema>;

/** Reads the state that the previous version left; null = there is none, or it is unusable. */
export async function findState(previous: SnapshotView | null): Promise<BackupState | null> {
  if (previous === null || (await previous.find(STATE_PATH)) === null) return null;
  const parsed = backupStateSchema.safeParse(await previous.readRecord(STATE_PATH));
  return parsed.success ? parsed.data : null;
}

/**
 * Whether a full read is due today. The weekday is derived from the item's id, which spreads the load. It is not
 * stored, so that versions with equal content stay equal.
 */
export function isWholeDay(externalId: string, nowMs: number): boolean {
  let hash = 0;
  for (const letter of externalId) hash = (hash * 31 + letter.charCodeAt(0)) % (WHOLE_EVERY_DAYS * DAY_MS);
  return Math.floor((nowMs + hash) / DAY_MS) % WHOLE_EVERY_DAYS === 0;
}

/** The initial state of a backup: that of the previous version, or an empty one for a full read. */
export function beginState(known: BackupState | null): BackupState {
  return known === null ? { version: 1, marks: {}, counts: {} } : structuredClone(known);
}

/** The record of a state. Equal content gives an equal record, so an unchanged item keeps its manifest. */
export function stateRecord(state: BackupState): BackupEvent {
  return { type: "record", path: STATE_PATH, kind: "state", value: state };
}

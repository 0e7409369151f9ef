import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { DAY_MS } from "#core/kernel/clock.ts";

/** Path of the record that a backup leaves for the next one; not shown to users. */
export const STATE_PATH = "state.json";

/** Days between full reads, which find what totals cannot show, such as deleted comments. */
export const WHOLE_EVERY_DAYS = 7;

/** What a stage left for the days on which it is not read. */
export const restSchema = z.object({
  /** The value of the stage's feed when it was read; null = the stage has no feed. */
  feed: z.string().nullable(),
  /** What the stage reported and skipped. A version without it would look more complete than it is. */
  reported: z.record(z.string(), z.number()),
  skipped: z.array(z.object({ path: z.string(), kind: z.string(), reason: z.string() })),
});
export type Rest = z.output<typeof restSchema>;

export const backupStateSchema = z.object({
  version: z.literal(1),
  /** How far each list was read: the time of its latest change, or its highest id. */
  marks: z.record(z.string(), z.string()),
  /** The number of things by kind in the version, for comparison with the platform's total. */
  counts: z.record(z.string(), z.number()),
  /** By stage. Absent = no stage may rest. */
  rests: z.record(z.string(), restSchema).optional(),
});
export type BackupState = z.output<typeof backupStateSchema>;

/** Reads the state that the previous version left; null = there is none, or it is unusable. */
export async function findState(previous: SnapshotView | null): Promise<BackupState | null> {
  if (previous === null || (await previous.find(STATE_PATH)) === null) return null;
  const parsed = backupStateSchema.safeParse(await previous.readRecord(STATE_PATH));
  return parsed.success ? parsed.data : null;
}

/**
 * Whether a full read is due: in the first backup of each week. The week begins on a day derived from the item's id,
 * which spreads the load. Nothing is stored for it, so that versions with equal content stay equal. Because it compares
 * with the previous version, a day without a backup delays a full read, but never leaves it out.
 *
 * @param previousAt When the reading of the previous version began. Absent = unknown; then it is the week's first day.
 */
export function isWholeDue(externalId: string, nowMs: number, previousAt?: number): boolean {
  if (previousAt === undefined) return isWholeDay(externalId, nowMs);
  return weekStart(externalId, nowMs) !== weekStart(externalId, previousAt);
}

/** Whether this is the first day of the item's week. */
export function isWholeDay(externalId: string, nowMs: number): boolean {
  return nowMs - weekStart(externalId, nowMs) < DAY_MS;
}

/**
 * When the item's week began, epoch ms. A version taken in that week holds nothing older: its first backup read everything
 * again, except what the version lists as skipped.
 */
export function weekStart(externalId: string, nowMs: number): number {
  const weekMs = WHOLE_EVERY_DAYS * DAY_MS;
  // FNV-1a, and a step that mixes its high bits: ids that follow each other, such as those of a Jira site's projects, get
  // different days.
  let hash = 0x811c9dc5;
  for (const letter of externalId) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  const start = ((hash ^ (hash >>> 12)) >>> 0) % weekMs;
  return Math.floor((nowMs + start) / weekMs) * weekMs - start;
}

/** The initial state of a backup: that of the previous version, or an empty one for a full read. */
export function beginState(known: BackupState | null): BackupState {
  return known === null ? { version: 1, marks: {}, counts: {} } : structuredClone(known);
}

/** The record of a state. Equal content gives an equal record, so an unchanged item keeps its manifest. */
export function stateRecord(state: BackupState): BackupEvent {
  return { type: "record", path: STATE_PATH, kind: "state", value: state };
}

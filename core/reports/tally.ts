import type { PlatformId } from "#core/kernel/platform-id.ts";
import type { ResultRow } from "./results.store.ts";

export type Counts = { succeeded: number; partial: number; failed: number };

/** A failed or partial result of an item, once or several times. */
export type Incident = {
  platform: PlatformId;
  kind: "backup" | "restore";
  itemId: string;
  itemName: string;
  count: number;
  /** Time of the newest one. */
  at: number;
  text: string;
};

/** The results of a period by platform. */
export type Tally = {
  platforms: Map<PlatformId, { backups: Counts; restores: Counts }>;
  failures: Map<string, Incident>;
  partials: Map<string, Incident>;
  /** Number of backups of the period that have not ended. */
  unfinishedCount: number;
};

export function emptyTally(): Tally {
  return { platforms: new Map(), failures: new Map(), partials: new Map(), unfinishedCount: 0 };
}

const none = (): Counts => ({ succeeded: 0, partial: 0, failed: 0 });

/** Adds a result that ended within the period. An open backup counts as unfinished. */
export function addResult(tally: Tally, row: ResultRow, period: { from: number; to: number }): void {
  if (row.status === "queued" || row.status === "running") {
    if (row.kind === "backup") tally.unfinishedCount += 1;
    return;
  }
  if (row.finishedAt === null || row.finishedAt < period.from || row.finishedAt >= period.to) return;
  const known = tally.platforms.get(row.platform);
  const platform = known ?? { backups: none(), restores: none() };
  if (!known) tally.platforms.set(row.platform, platform);
  const counts = row.kind === "backup" ? platform.backups : platform.restores;
  if (row.status === "failed") {
    counts.failed += 1;
    note(tally.failures, row, row.finishedAt, row.errorText ?? "No reason was given.");
  } else if (row.leftOutCount > 0) {
    counts.partial += 1;
    note(tally.partials, row, row.finishedAt, leftOut(row));
  } else counts.succeeded += 1;
}

function leftOut({ kind, leftOutCount }: ResultRow): string {
  if (kind === "restore") return "Not everything was restored. The history lists what is missing.";
  return leftOutCount === 1
    ? "1 part could not be read and is not in the version."
    : `${leftOutCount} parts could not be read and are not in the version.`;
}

function note(incidents: Map<string, Incident>, row: ResultRow, at: number, text: string): void {
  const key = `${row.kind}:${row.itemId}`;
  const known = incidents.get(key);
  if (!known) {
    const { platform, kind, itemId } = row;
    incidents.set(key, { platform, kind, itemId, itemName: row.itemName ?? itemId, count: 1, at, text });
    return;
  }
  known.count += 1;
  if (at >= known.at) Object.assign(known, { at, text });
}

import type { PlatformId } from "#core/kernel/platform-id.ts";
import type { Incident, ResultCount } from "./results.store.ts";

export type Counts = { succeeded: number; partial: number; failed: number };

/** The results of a period. */
export type Tally = {
  platforms: Map<PlatformId, { backups: Counts; restores: Counts }>;
  /** The newest failed or partial results. */
  incidents: Incident[];
  /** How many items have failed or partial results, listed or not. */
  incidentCounts: { failed: number; partial: number };
  /** Number of backups of the period that have not ended. */
  unfinishedCount: number;
};

export function emptyTally(): Tally {
  return {
    platforms: new Map(),
    incidents: [],
    incidentCounts: { failed: 0, partial: 0 },
    unfinishedCount: 0,
  };
}

const none = (): Counts => ({ succeeded: 0, partial: 0, failed: 0 });

/** Adds the results of one ledger. */
export function addResults(
  tally: Tally,
  { counts, incidents }: { counts: readonly ResultCount[]; incidents: readonly Incident[] },
): void {
  tally.incidents.push(...incidents);
  for (const { platform, kind, result, count, items } of counts) {
    if (result === "open") {
      if (kind === "backup") tally.unfinishedCount += count;
      continue;
    }
    const known = tally.platforms.get(platform) ?? { backups: none(), restores: none() };
    tally.platforms.set(platform, known);
    known[kind === "backup" ? "backups" : "restores"][result] += count;
    if (result !== "succeeded") tally.incidentCounts[result] += items;
  }
}

/** The newest incidents of a result, at most `limit`. */
export function newestOf(tally: Tally, result: Incident["result"], limit: number): Incident[] {
  return tally.incidents
    .filter((incident) => incident.result === result)
    .sort((a, b) => b.at - a.at)
    .slice(0, limit);
}

/** What an incident says about its newest result. */
export function incidentText({ kind, result, errorText, leftOutCount }: Incident): string {
  if (result === "failed") return errorText ?? "No reason was given.";
  if (kind === "restore") return "Not everything was restored. The history lists what is missing.";
  return leftOutCount === 1
    ? "1 part could not be read and is not in the version."
    : `${leftOutCount} parts could not be read and are not in the version.`;
}

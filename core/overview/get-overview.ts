import { listPlans } from "#core/billing/index.ts";
import { listAllConnections } from "#core/connections/index.ts";
import type { ConnectionView } from "#core/connections/views.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import { findStorageSummary } from "#core/replicas/index.ts";
import type { Uses } from "#core/services.ts";
import { type DayHours, type DayTally, dayCells, dayHours, NO_TALLY } from "./day-cells.ts";
import { type OverviewRows, readOverview } from "./overview.store.ts";
import type { AttentionView, Overview, OverviewCounts, PlatformOverview } from "./views.ts";

/** Items that the dashboard names under "Needs attention". */
const ATTENTION_ROWS = 6;

export type OverviewServices = Uses<"memory" | "clock" | "control" | "ledger" | "connectors">;

/**
 * The dashboard of a member: the platforms that they may use and that are connected (spec part 3 section 2, "Home
 * dashboard"). One round trip to each region that holds items, whatever they are many.
 *
 * @param platform Only this platform.
 */
export async function getOverview(
  s: OverviewServices,
  member: Member,
  { platform = null }: { platform?: string | null } = {},
): Promise<Overview> {
  const now = s.clock.now();
  // A page knows its connections and plans already, so that the other reads are one trip.
  const storageRead = findStorageSummary(s, member.organisationId);
  const [all, plans] = await Promise.all([
    listAllConnections(s, member),
    listPlans(s, member.organisationId),
  ]);
  const connections = platform === null ? all : all.filter((each) => each.platform === platform);
  const days = dayHours(now, member.timeZone);
  const regions = [...new Set(connections.map(({ region }) => region))];
  const [storage, ...parts] = await Promise.all([
    storageRead,
    ...regions.map((region) => readRegion(s, member, { region, connections, days, now })),
  ]);
  const rows = merged(parts);
  const ids = [...s.connectors.keys()].filter((id) => connections.some((each) => each.platform === id));
  return {
    platforms: ids.map((id) =>
      platformOf(
        id,
        connections.filter((each) => each.platform === id),
        {
          rows,
          days,
          timeZone: member.timeZone,
          runsADay: Math.round(DAY_MS / (plans.get(id)?.periodMs ?? DAY_MS)),
        },
      ),
    ),
    attention: worstFirst(rows.attention).slice(0, ATTENTION_ROWS),
    stored: { bytes: rows.storedBytes, days: storedDays(days, rows), regions },
    storage: storage && { kind: storage.kind, isActive: storage.isActive },
    now,
  };
}

function readRegion(
  s: Uses<"ledger" | "connectors">,
  { organisationId }: Member,
  {
    region,
    connections,
    days,
    now,
  }: { region: Region; connections: readonly ConnectionView[]; days: readonly DayHours[]; now: number },
): Promise<OverviewRows> {
  const here = connections.filter((each) => each.region === region);
  const lists = here.flatMap(({ id, platform }) =>
    (s.connectors.get(platform)?.descriptor.itemKinds ?? []).map((kind) => ({
      connectionId: id,
      kind: kind.id,
      platform,
    })),
  );
  const platforms = [...new Set(here.map(({ platform }) => platform))];
  return readOverview(s.ledger(region, organisationId), {
    organisationId,
    platforms,
    lists,
    days,
    now,
    attention: ATTENTION_ROWS,
  });
}

/** The answers of several ledgers as one. */
function merged(parts: readonly OverviewRows[]): OverviewRows {
  const added = (maps: ReadonlyMap<string, number>[]) => {
    const sums = new Map<string, number>();
    for (const [key, value] of maps.flatMap((map) => [...map])) sums.set(key, (sums.get(key) ?? 0) + value);
    return sums;
  };
  return {
    counts: parts.flatMap(({ counts }) => counts),
    stale: added(parts.map(({ stale }) => stale)),
    pausedNever: added(parts.map(({ pausedNever }) => pausedNever)),
    tallies: parts.flatMap(({ tallies }) => tallies),
    attention: parts.flatMap(({ attention }) => attention),
    activity: parts.flatMap(({ activity }) => activity).toSorted((a, b) => b.date - a.date),
    lastBackups: parts.flatMap(({ lastBackups }) => lastBackups),
    storedBytes: parts.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
    storedChanges: added(parts.map(({ storedChanges }) => storedChanges)),
  };
}

type Around = { rows: OverviewRows; days: readonly DayHours[]; timeZone: string; runsADay: number };

function platformOf(
  platform: string,
  connections: readonly ConnectionView[],
  { rows, days, timeZone, runsADay }: Around,
): PlatformOverview {
  const own = new Set(connections.map(({ id }) => id));
  const kindRows = rows.counts.filter(({ connectionId }) => own.has(connectionId));
  const counts = countsOf(kindRows, {
    stale: connections.reduce((sum, { id }) => sum + (rows.stale.get(id) ?? 0), 0),
    pausedNever: rows.pausedNever.get(platform) ?? 0,
  });
  const tallies = new Map<string, DayTally>();
  for (const { connectionId, date, tally } of rows.tallies) {
    if (!own.has(connectionId)) continue;
    const before = tallies.get(date) ?? NO_TALLY;
    tallies.set(date, {
      succeeded: before.succeeded + tally.succeeded,
      failed: before.failed + tally.failed,
      broke: before.broke + tally.broke,
      recovered: before.recovered + tally.recovered,
    });
  }
  const today = tallies.get(days.at(-1)?.date ?? "") ?? NO_TALLY;
  const since = Math.min(...connections.map(({ createdAt }) => createdAt));
  const kinds = [...new Set(kindRows.map(({ kind }) => kind))];
  return {
    platform,
    accounts: connections.map(({ id, name, region, status }) => ({
      id,
      name,
      region,
      isRevoked: status === "revoked",
    })),
    counts,
    kinds: kinds.map((kind) => {
      const ofKind = kindRows.filter((row) => row.kind === kind);
      const all = sumOf(ofKind, "all");
      return { kind, all, backedUp: all - sumOf(ofKind, "never") };
    }),
    days: dayCells(days, tallies, {
      failing: sumOf(kindRows, "failed"),
      active: counts.all - counts.paused - counts.deleted,
      sinceDate: new Date(since).toLocaleDateString("en-CA", { timeZone }),
      runsADay,
    }),
    lastBackup: newestOf(rows.lastBackups.filter((each) => each.platform === platform)),
    activity: rows.activity.filter((each) => each.platform === platform),
    todayCount: today.succeeded + today.failed,
  };
}

type Counted = "all" | "failed" | "never" | "paused" | "deleted";

const sumOf = (rows: OverviewRows["counts"], name: Counted) => rows.reduce((sum, row) => sum + row[name], 0);

function countsOf(
  rows: OverviewRows["counts"],
  { stale, pausedNever }: { stale: number; pausedNever: number },
): OverviewCounts {
  const [all, never, deleted] = [sumOf(rows, "all"), sumOf(rows, "never"), sumOf(rows, "deleted")];
  // An item that is paused before its first backup counts once, as one without a version.
  const paused = Math.max(0, sumOf(rows, "paused") - pausedNever);
  const fresh = Math.max(0, all - never - deleted - paused - stale);
  return { all, fresh, older: stale, never, paused, deleted };
}

function newestOf(backups: OverviewRows["lastBackups"]): PlatformOverview["lastBackup"] {
  const [newest] = backups.toSorted((a, b) => b.at - a.at);
  return newest ? { name: newest.name, at: newest.at } : null;
}

const WORST = { failed: 0, stale: 1, deleted: 2 } as const;

function worstFirst(attention: readonly AttentionView[]): AttentionView[] {
  return attention.toSorted(
    (a, b) => WORST[a.kind] - WORST[b.kind] || (a.lastBackupAt ?? 0) - (b.lastBackupAt ?? 0),
  );
}

/** The bytes at the end of each day, going back from those of now. */
function storedDays(
  days: readonly DayHours[],
  { storedBytes, storedChanges }: Pick<OverviewRows, "storedBytes" | "storedChanges">,
): Overview["stored"]["days"] {
  let bytes = storedBytes;
  return days
    .toReversed()
    .map(({ date }) => {
      const day = { date, bytes: Math.max(0, bytes) };
      bytes -= storedChanges.get(date) ?? 0;
      return day;
    })
    .reverse();
}

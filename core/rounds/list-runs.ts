import { entitlementsOf } from "#core/billing/index.ts";
import { listAllConnections } from "#core/connections/index.ts";
import type { ConnectionView } from "#core/connections/views.ts";
import { progressOf } from "#core/inventory/index.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import { outcomeOf, restoreReport } from "#core/restores/restore-report.schema.ts";
import { MAX_ATTEMPTS, RUNS_OF_AN_ACCOUNT } from "#core/runs/index.ts";
import type { Uses } from "#core/services.ts";
import { dayBounds } from "./day-bounds.ts";
import { DRAWN_ITEMS, DUE_NAMED } from "./limits.ts";
import { providerLimits } from "./provider-limits.ts";
import { type CellRow, type DoneRow, type LedgerRuns, type OpenRow, readRuns } from "./rounds.store.ts";
import type { DoneRun, OpenRun, Round, RoundCell, RoundCounts, RunsView } from "./views.ts";

/**
 * The runs of today on the platforms that the member may use, with one page of those that have ended.
 *
 * The round is today's: the items that were backed up since the day began in the member's time zone or are being backed
 * up now, and those whose next scheduled backup is due before the day ends. Each item counts once, by its newest backup,
 * so the states add up to the number of items. Restores and ZIPs are runs, but no part of the round.
 *
 * Ledgers are read in parallel, each in one round trip.
 */
export async function listRuns(
  s: Uses<"memory" | "clock" | "control" | "ledger" | "connectors" | "budgets">,
  member: Member,
  { page, perPage }: { page: number; perPage: number },
): Promise<RunsView> {
  const now = s.clock.now();
  const day = dayBounds(now, member.timeZone);
  const connections = await listAllConnections(s, member);
  const active = await activePlatforms(s, member, connections);
  const regions = [...new Set(connections.map(({ region }) => region))];
  const known = (page + 1) * perPage;
  const [limits, ...ledgers] = await Promise.all([
    providerLimits(s, connections),
    ...regions.map((region) => {
      const own = connections.filter((connection) => connection.region === region);
      return readRuns(s.ledger(region as Region, member.organisationId), {
        organisationId: member.organisationId,
        connectionIds: own.map(({ id }) => id),
        platforms: [...new Set(own.map(({ platform }) => platform))],
        scheduledIds: own.filter(({ platform }) => active.has(platform)).map(({ id }) => id),
        now,
        ...day,
        // A single ledger skips the earlier pages itself.
        done: regions.length === 1 ? { limit: perPage, offset: page * perPage } : { limit: known, offset: 0 },
      });
    }),
  ]);
  const open = ledgers.flatMap((ledger) => ledger.open);
  const cells = ledgers.flatMap((ledger) => ledger.cells).map(toCell);
  const done = ledgers.flatMap((ledger) => ledger.done).sort((a, b) => b.finishedAt - a.finishedAt);
  const dues = ledgers.flatMap(({ nextDueAt }) => nextDueAt ?? []);
  return {
    readAt: now,
    round: toRound(ledgers, cells),
    placesOfAccount: RUNS_OF_AN_ACCOUNT,
    running: open
      .filter((row) => !row.isQueued)
      .sort(byStart)
      .map((row) => toOpenRun(row, member, now)),
    queue: open
      .filter((row) => row.isQueued)
      .sort(byTurn)
      .map((row) => toOpenRun(row, member, now)),
    queueTotal: ledgers.reduce((sum, ledger) => sum + (ledger.open[0]?.queued ?? 0), 0),
    due: cells
      .filter(({ state }) => state === "due")
      .sort(byTime)
      .slice(0, DUE_NAMED),
    done: (regions.length === 1 ? done : done.slice(page * perPage, known)).map(toDoneRun),
    doneTotal: ledgers.reduce((sum, ledger) => sum + (ledger.done[0]?.total ?? 0), 0),
    limits,
    nextDueAt: dues.length === 0 ? null : Math.min(...dues),
  };
}

/** The platforms whose scheduled backups take place, because a trial or subscription is active. */
async function activePlatforms(
  s: Uses<"memory" | "clock" | "control">,
  { organisationId }: Member,
  connections: readonly ConnectionView[],
): Promise<ReadonlySet<string>> {
  const platforms = [...new Set(connections.map(({ platform }) => platform))];
  const plans = await Promise.all(platforms.map((platform) => entitlementsOf(s, organisationId, platform)));
  return new Set(platforms.filter((_, index) => plans[index]?.isActive));
}

const NO_ITEMS: RoundCounts = {
  good: 0,
  retried: 0,
  failed: 0,
  running: 0,
  waiting: 0,
  queued: 0,
  due: 0,
};

function toRound(ledgers: readonly LedgerRuns[], cells: readonly RoundCell[]): Round {
  const counts = { ...NO_ITEMS };
  let lastDueAt: number | null = null;
  for (const { state, count, lastAt } of ledgers.flatMap((ledger) => ledger.counts)) {
    counts[state] += count;
    if (state === "due") lastDueAt = Math.max(lastDueAt ?? 0, lastAt);
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { counts, lastDueAt, cells: total > DRAWN_ITEMS ? null : [...cells].sort(byRound) };
}

/** What has ended, what is at work, what is queued, what is due; each by time. */
function byRound(a: RoundCell, b: RoundCell): number {
  return rankOf(a) - rankOf(b) || byTime(a, b);
}

const RANKS = { good: 0, retried: 0, failed: 0, running: 1, waiting: 1, queued: 2, due: 3 } as const;
const rankOf = ({ state }: RoundCell) => RANKS[state];
const byTime = (a: RoundCell, b: RoundCell) => a.at - b.at || (a.itemId < b.itemId ? -1 : 1);
const byStart = (a: OpenRow, b: OpenRow) => (a.startedAt ?? 0) - (b.startedAt ?? 0);
const turnOf = ({ createdAt, waitingUntil }: OpenRow) => Math.max(createdAt, waitingUntil ?? 0);
const byTurn = (a: OpenRow, b: OpenRow) => turnOf(a) - turnOf(b);

function toCell(row: CellRow): RoundCell {
  const { itemId, platform, name, state, at, runId, errorText } = row;
  return { itemId, platform, name: name ?? "", state, at, runId, errorText };
}

function toOpenRun(row: OpenRow, { userId }: Member, now: number): OpenRun {
  const isRetry = row.status === "queued" && row.errorText !== null && row.waitingUntil !== null;
  return {
    itemId: row.itemId,
    platform: row.platform,
    connectionId: row.connectionId,
    name: row.name ?? "",
    progress: { ...progressOf(row, row.meanMs, now), kind: row.kind },
    createdAt: row.createdAt,
    trigger: row.trigger,
    isOwn: row.createdBy === userId,
    isFirst: row.kind === "backup" && row.lastBackupAt === null,
    waitsTurn: row.waitsTurn === 1,
    retry: isRetry ? { next: Math.max(1, row.attempts), most: MAX_ATTEMPTS - 1 } : null,
  };
}

function toDoneRun(row: DoneRow): DoneRun {
  const isFailed = row.status === "failed";
  const read = row.report === null ? null : restoreReport.read(JSON.parse(row.report) as Json);
  return {
    runId: row.id,
    itemId: row.itemId,
    platform: row.platform,
    name: row.name ?? "",
    kind: row.kind,
    isFailed,
    finishedAt: row.finishedAt,
    tookMs: row.startedAt === null ? null : row.finishedAt - row.startedAt,
    newBytes: row.newBytes,
    skipped: row.skipped ?? 0,
    outcome: !isFailed && read?.kind === "value" ? outcomeOf(read.value) : null,
    errorText: isFailed ? row.errorText : null,
  };
}

import type { WithFacts } from "#connectors/contract/row-facts.ts";
import { type ConnectionRow, connectorOf } from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Member } from "#core/organisations/index.ts";
import { ESTIMATED_FROM_RUNS, RESUMING } from "#core/runs/index.ts";
import type { Uses } from "#core/services.ts";
import { itemFacts } from "./item-facts.ts";
import { type ItemFacts, readItemFacts, theseItems } from "./item-runs.store.ts";
import type { ItemRow } from "./items.store.ts";
import { RIBBON_DAYS } from "./limits.ts";
import { ribbonOf } from "./ribbon.ts";
import type { ItemView, RunProgress } from "./views.ts";

const log = logger("inventory");

/** Key of an item's Backup-now window. */
export const itemWindow = (itemId: string) => `item:${itemId}`;
/** Key of the Backup-now window of a place. `*` = every kind, every place of the connection. */
export const placeWindow = (connectionId: string, kind: string | null, placeId: string | null) =>
  `place:${connectionId}:${kind ?? "*"}:${placeId ?? "*"}`;

/** The time from which a ribbon needs the runs. */
export const ribbonStart = (now: number, ribbonDays: number = RIBBON_DAYS) => now - (ribbonDays + 1) * DAY_MS;

/**
 * When windows of the organisation open again, asked before the items are known. Null = too many are closed to list; ask
 * by key then.
 */
export async function closedWindows(
  s: Uses<"memory" | "clock" | "windows">,
  organisationId: string,
): Promise<Record<string, number> | null> {
  const read = () => s.windows.closed(organisationId, s.clock.now());
  return s.memory ? s.memory(`windows:${organisationId}`, read) : read();
}

/**
 * When these windows open again. While the hub is away they are shown as open: a click claims one, and the claim decides.
 */
export async function shownWindows(
  s: Uses<"clock" | "windows">,
  organisationId: string,
  keys: readonly string[],
): Promise<Record<string, number>> {
  return s.windows.opensAt(organisationId, keys, s.clock.now()).catch((cause: unknown) => {
    log.warn("The windows of {organisationId} are not known", { organisationId, cause });
    return {};
  });
}

/** Converts rows to views with progress, ribbon, versions and windows. One round trip for any number of rows. */
export async function loadItemViews(
  s: Uses<"clock" | "connectors" | "connectorConfig" | "windows">,
  ledger: LedgerDatabase,
  member: Member,
  connection: ConnectionRow,
  rows: readonly ItemRow[],
  {
    ribbonDays = RIBBON_DAYS,
    facts: factsAsked,
    windows: windowsAsked,
  }: {
    ribbonDays?: number;
    /** Facts and windows that the caller has already requested. */
    facts?: Promise<ItemFacts>;
    windows?: Promise<Record<string, number>>;
  } = {},
): Promise<WithFacts<ItemView>[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const now = s.clock.now();
  const { organisationId } = member;
  const [{ runs, versions, due, alarms }, windows] = await Promise.all([
    factsAsked ??
      readItemFacts(ledger, { organisationId, items: theseItems(ids), since: ribbonStart(now, ribbonDays) }),
    windowsAsked ?? shownWindows(s, organisationId, ids.map(itemWindow)),
  ]);
  const open = runs.filter(({ status }) => status === "queued" || status === "running");
  const connector = connectorOf(s, connection.platform);
  return rows.map((row) => {
    const times = versions.filter((version) => version.itemId === row.id).map((version) => version.takenAt);
    const active =
      open.find((run) => run.id === row.activeRunId) ?? open.find((run) => run.itemId === row.id);
    return {
      id: row.id,
      platform: row.platform,
      kind: row.kind,
      connectionId: row.connectionId,
      placeId: row.placeId,
      externalId: row.externalId,
      name: row.name,
      fullName: row.fullName,
      description: row.description,
      status: row.status,
      isDaily: row.isDaily,
      lastBackupAt: row.lastBackupAt,
      sizeBytes: row.sizeBytes,
      activeRun: active ? progressOf(active, meanDuration(runs, active), now) : null,
      nextDueAt: due.find((each) => each.itemId === row.id)?.dueAt ?? null,
      lastError:
        row.lastError === null ? null : { text: row.lastError, at: row.lastErrorAt ?? row.createdAt },
      alarm: alarms.find(({ itemId }) => itemId === row.id)?.message ?? null,
      backupNowOpensAt: windows[itemWindow(row.id)] ?? null,
      versionCount: times.length,
      ribbon: ribbonOf(
        {
          createdAt: row.createdAt,
          isDaily: row.isDaily,
          dailyChanges: row.dailyChanges,
          isDeleted: row.status === "deleted",
          runs: runs.filter((run) => run.itemId === row.id),
          versionTimes: times,
        },
        now,
        ribbonDays,
        member.timeZone,
      ),
      ...itemFacts(connector, { kind: row.kind, details: row.details as Json }),
      webUrl: connector.webUrl(s.connectorConfig, {
        kind: row.kind,
        fullName: row.fullName,
        details: row.details as Json,
      }),
      createdAt: row.createdAt,
    };
  });
}

/**
 * Returns the mean duration of the last successful runs of this kind, in ms, computed as the run itself does. Null =
 * there was none.
 */
export function meanDuration(
  /** Oldest first. */
  runs: readonly RunTimes[],
  { itemId, kind }: Pick<RunTimes, "itemId" | "kind">,
): number | null {
  const last = runs
    .filter((run) => run.itemId === itemId && run.kind === kind && run.status === "succeeded")
    .slice(-ESTIMATED_FROM_RUNS)
    .flatMap((run) => (run.startedAt && run.finishedAt ? [run.finishedAt - run.startedAt] : []));
  return last.length === 0 ? null : last.reduce((sum, ms) => sum + ms, 0) / last.length;
}

type RunTimes = {
  itemId: string;
  kind: RunProgress["kind"];
  status: string;
  startedAt: number | null;
  finishedAt: number | null;
};

/**
 * Converts an open run to the progress shown on screens. Between two slices a run is queued for a moment; it is shown
 * as running. One whose lease has expired was left by a consumer that died, and is resumed by the next.
 */
export function progressOf(
  run: {
    id: string;
    kind: RunProgress["kind"];
    status: string;
    phase: string | null;
    done: number;
    total: number | null;
    unit: string | null;
    bytesRead: number;
    startedAt: number | null;
    waitingUntil: number | null;
    expectedEndAt: number | null;
    errorText: string | null;
    leaseUntil: number | null;
  },
  meanMs: number | null,
  now: number,
): RunProgress {
  const isBetweenSlices = run.phase !== null && run.waitingUntil === null;
  const isRunning = run.status === "running" || isBetweenSlices;
  return {
    runId: run.id,
    kind: run.kind,
    status: isRunning ? "running" : "queued",
    phase: run.status === "running" && run.leaseUntil !== null && run.leaseUntil < now ? RESUMING : run.phase,
    done: run.done,
    total: run.total,
    unit: run.unit,
    bytesRead: run.bytesRead,
    startedAt: run.startedAt,
    expectedEndAt:
      run.expectedEndAt ??
      (run.startedAt !== null && meanMs !== null ? run.startedAt + Math.round(meanMs) : null),
    waitingUntil: run.waitingUntil,
    fault: isRunning ? null : run.errorText,
  };
}

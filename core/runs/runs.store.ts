import { and, eq, sql } from "drizzle-orm";
import { isHere, item, restoreJournal, run } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { LAST_SUCCESSES } from "./fold-runs.store.ts";
import { COPY_AGAIN_MS, ESTIMATED_FROM_RUNS, QUEUE_PATIENCE_MS, RESUMING } from "./limits.ts";
import type { RunKind, RunRow, RunTrigger } from "./run-row.ts";
import { HAS_TURN, putAside } from "./turns.store.ts";

export type NewRun = {
  id: string;
  organisationId: string;
  connectionId: string;
  itemId: string;
  platform: string;
  kind: RunKind;
  trigger: RunTrigger;
  order: Json;
  snapshotId: string | null;
  createdBy: string | null;
};

/**
 * SQL that is true while the holder of this epoch owns the run.
 *
 * @param also A further condition on the run's row.
 */
export const RUN_IS_MINE = (id: string, epoch: string, also = "true") =>
  `EXISTS (SELECT 1 FROM run WHERE id = ${id} AND epoch = ${epoch} AND status = 'running' AND ${also})`;

/**
 * Statement that queues runs. Repeating it changes nothing, and an item with an open backup gets no second one. The
 * lease of a queued run is the time after which the sweep treats its message as lost.
 *
 * @param onlyIf SQL without parameters that must be true.
 */
export function insertRuns(
  ledger: LedgerDatabase,
  runs: readonly NewRun[],
  now: number,
  onlyIf = "true",
): D1PreparedStatement {
  const rows = runs.map((row) => [
    row.id,
    row.organisationId,
    row.connectionId,
    row.itemId,
    row.platform,
    row.kind,
    row.trigger,
    JSON.stringify(row.order),
    row.snapshotId,
    row.createdBy,
  ]);
  return statement(
    ledger,
    `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, order_json, snapshot_id,
       created_by, status, epoch, lease_until, created_at)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8,
       value->>9, 'queued', 0, ?2, ?3
     FROM json_each(?1) WHERE ${onlyIf} ON CONFLICT DO NOTHING`,
    JSON.stringify(rows),
    now + QUEUE_PATIENCE_MS,
    now,
  );
}

/** Inserts runs as queued. */
export async function createRuns(
  ledger: LedgerDatabase,
  runs: readonly NewRun[],
  now: number,
): Promise<void> {
  if (runs.length > 0) await commitTogether(ledger, [insertRuns(ledger, runs, now)]);
}

/** Finds a run of any organisation. For consumers, which act for no member. */
export async function findRun(ledger: LedgerDatabase, runId: string): Promise<RunRow | null> {
  return (await ledger.select().from(run).where(eq(run.id, runId)).limit(1))[0] ?? null;
}

/**
 * Claims a run and raises its epoch, so its previous holder can no longer write. Returns null when another consumer has
 * it, or when its connection already has the maximum number of runs at work; then the run waits for its turn.
 */
export async function claimRun(
  ledger: LedgerDatabase,
  claim: { runId: string; epoch: number; leaseUntil: number; now: number },
): Promise<RunRow | null> {
  const take = ledger
    .update(run)
    .set({
      epoch: sql`${run.epoch} + 1`,
      status: "running",
      waitsTurn: false,
      leaseUntil: claim.leaseUntil,
      startedAt: sql`coalesce(${run.startedAt}, ${claim.now})`,
      // Without a cursor the run reads from the beginning, regardless of earlier slices.
      beganAt: sql`CASE WHEN ${run.cursor} IS NULL THEN ${claim.now} ELSE coalesce(${run.beganAt}, ${run.startedAt}) END`,
      attempts: sql`${run.attempts} + 1`,
      // A run that still says that it works was left by a consumer that died.
      phase: sql`CASE WHEN ${run.status} = 'running' THEN ${RESUMING} ELSE ${run.phase} END`,
      waitingUntil: null,
    })
    .where(
      and(
        eq(run.id, claim.runId),
        eq(run.epoch, claim.epoch),
        sql`${run.finishedAt} IS NULL`,
        sql.raw(HAS_TURN),
      ),
    )
    .returning();
  const [row] = await take;
  if (row) return row;
  await commitTogether(ledger, [putAside(ledger, claim)]);
  return null;
}

/**
 * Makes the run the active one of its item, unless another run is (invariant: at most one). A crashed run may still be
 * recorded there; once it has ended it no longer counts.
 *
 * @returns `gone`: the item was removed, also after the run had been asked for
 */
export async function lockItem(
  ledger: LedgerDatabase,
  lock: { runId: string; epoch: number; itemId: string; kind: "backup" | "restore" },
): Promise<"locked" | "busy" | "gone"> {
  const [result] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE item SET active_run_id = ?1, active_run_kind = ?2
       WHERE id = ?3 AND ${RUN_IS_MINE("?1", "?4")}
         AND (active_run_id IS NULL OR active_run_id = ?1
           OR NOT EXISTS (SELECT 1 FROM run other WHERE other.id = item.active_run_id AND other.status = 'running'))
       RETURNING id`,
      lock.runId,
      lock.kind,
      lock.itemId,
      lock.epoch,
    ),
  ]);
  if ((result?.results.length ?? 0) > 0) return "locked";
  const isThere = await ledger.$count(item, eq(item.id, lock.itemId));
  return isThere ? "busy" : "gone";
}

/** Statement that unlocks the item, if the run is still ours. */
export function unlockItem(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number; itemId: string },
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE item SET active_run_id = NULL, active_run_kind = NULL
     WHERE id = ?3 AND active_run_id = ?1 AND ${RUN_IS_MINE("?1", "?2")}`,
    hold.runId,
    hold.epoch,
    hold.itemId,
  );
}

export type RunMark = {
  phase: string | null;
  done: number;
  total: number | null;
  unit: string | null;
  bytesRead: number;
  leaseUntil: number;
};

/** Writes progress and renews the lease. Returns false when the run was taken over. */
export async function markRun(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number },
  mark: RunMark,
): Promise<boolean> {
  const rows = await ledger
    .update(run)
    .set(mark)
    .where(and(eq(run.id, hold.runId), eq(run.epoch, hold.epoch), eq(run.status, "running")))
    .returning({ id: run.id });
  return rows.length > 0;
}

/** Number of slices started since the run last made progress, including the current one. */
export function attemptsInARow({
  attempts,
  advancedAttempt,
}: Pick<RunRow, "attempts" | "advancedAttempt">): number {
  return attempts - Math.max(0, advancedAttempt - 1);
}

/**
 * Parks a run so that a later slice resumes it at `at`. A run parked at the end of its slice (`advancedAt`) has made
 * progress, so only consecutive faults count.
 */
export async function parkRun(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number; itemId: string },
  park: {
    at: number;
    cursor?: Json;
    waitingUntil: number | null;
    attempts: number;
    errorText: string | null;
    advancedAt?: number;
  },
): Promise<boolean> {
  const [parked] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE run SET status = 'queued', lease_until = ?3, waiting_until = ?4, attempts = ?5, error_text = ?6,
         cursor = CASE WHEN ?7 IS NULL THEN cursor ELSE ?7 END, advanced_at = coalesce(?8, advanced_at),
         advanced_attempt = CASE WHEN ?8 IS NULL THEN advanced_attempt ELSE 0 END
       WHERE id = ?1 AND epoch = ?2 AND status = 'running' RETURNING id`,
      hold.runId,
      hold.epoch,
      park.at + QUEUE_PATIENCE_MS,
      park.waitingUntil,
      park.attempts,
      park.errorText,
      park.cursor === undefined ? null : JSON.stringify(park.cursor),
      park.advancedAt ?? null,
    ),
  ]);
  return (parked?.results.length ?? 0) > 0;
}

/** Records the expected end from the run's own plan. */
export async function saveExpectedEnd(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number },
  expectedEndAt: number,
): Promise<void> {
  await ledger
    .update(run)
    .set({ expectedEndAt })
    .where(and(eq(run.id, hold.runId), eq(run.epoch, hold.epoch), eq(run.status, "running")));
}

/**
 * Stores the cursor without releasing the run. `advancedAt` is set when the cursor is new; storing the same cursor
 * again is not progress.
 */
export async function saveCursor(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number },
  { cursor, advancedAt }: { cursor: Json; advancedAt: number | null },
): Promise<boolean> {
  const progress = advancedAt === null ? {} : { advancedAt, advancedAttempt: run.attempts };
  const rows = await ledger
    .update(run)
    .set({ cursor, ...progress })
    .where(and(eq(run.id, hold.runId), eq(run.epoch, hold.epoch), eq(run.status, "running")))
    .returning({ id: run.id });
  return rows.length > 0;
}

/** Statements that fail a run and unlock its item. The result of the last one shows whether the run was still ours. */
export function failRun(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number; itemId: string; kind: RunKind },
  failure: { code: string; text: string; now: number },
): D1PreparedStatement[] {
  const mine = RUN_IS_MINE("?1", "?2");
  const statements: D1PreparedStatement[] = [];
  if (hold.kind === "backup") {
    statements.push(
      statement(
        ledger,
        // An item that is gone at its platform counts as deleted, not as failed.
        `UPDATE item SET last_error = iif(status = 'deleted', NULL, ?3),
           last_error_at = iif(status = 'deleted', NULL, ?4), backup_now_opens_at = NULL
         WHERE id = ?5 AND ${mine}`,
        hold.runId,
        hold.epoch,
        failure.text,
        failure.now,
        hold.itemId,
      ),
    );
  }
  if (hold.kind === "export") {
    statements.push(
      statement(
        ledger,
        `UPDATE export SET status = 'failed' WHERE run_id = ?1 AND status = 'pending' AND ${mine}`,
        hold.runId,
        hold.epoch,
      ),
    );
  }
  if (hold.kind === "replicate") {
    // `catchUpReplicas` retries the copy at growing intervals. With an invalid grant the copy waits for its owner.
    statements.push(
      statement(
        ledger,
        `UPDATE replica SET status = 'failed', run_id = NULL, error_text = ?3, attempts = attempts + 1,
           next_try_at = CASE WHEN ?4 THEN NULL ELSE ?5 + coalesce(json_extract(?6, '$[' || attempts || ']'), ?7) END
         WHERE run_id = ?1 AND status <> 'expired' AND ${mine}`,
        hold.runId,
        hold.epoch,
        failure.text,
        failure.code === "err.connection.unauthorized",
        failure.now,
        JSON.stringify(COPY_AGAIN_MS),
        COPY_AGAIN_MS.at(-1)!,
      ),
    );
  }
  statements.push(
    unlockItem(ledger, hold),
    statement(
      ledger,
      `UPDATE run SET status = 'failed', error_code = ?3, error_text = ?4, finished_at = ?5, lease_until = NULL,
         waiting_until = NULL
       WHERE id = ?1 AND epoch = ?2 AND status = 'running' RETURNING id`,
      hold.runId,
      hold.epoch,
      failure.code,
      failure.text,
      failure.now,
    ),
  );
  return statements;
}

/**
 * Statement that marks a run as succeeded. Put it last in its batch, because the other statements check that the run is
 * still running. A run that made a snapshot (`snapshotId`) ends only if the snapshot's row exists.
 */
export function succeedRun(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number },
  success: { now: number; snapshotId: string | null; bytesRead: number; bytesStored: number; report: Json },
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE run SET status = 'succeeded', finished_at = ?3, snapshot_id = coalesce(?4, snapshot_id), bytes_read = ?5,
       bytes_stored = ?6, report = ?7, lease_until = NULL, waiting_until = NULL, cursor = NULL, error_text = NULL,
       phase = NULL, unit = NULL
     WHERE id = ?1 AND epoch = ?2 AND status = 'running'
       AND (?4 IS NULL OR EXISTS (SELECT 1 FROM snapshot WHERE id = ?4)) RETURNING id`,
    hold.runId,
    hold.epoch,
    success.now,
    success.snapshotId,
    success.bytesRead,
    success.bytesStored,
    success.report === null ? null : JSON.stringify(success.report),
  );
}

/**
 * Ends a backup that finished too late and unlocks its item: a version that began later already exists.
 *
 * @returns When that version began, epoch ms. Null when there is none or the run is no longer ours.
 */
export async function supersedeRun(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number; itemId: string },
  now: number,
): Promise<number | null> {
  const later = "SELECT max(taken_at) FROM snapshot WHERE item_id = run.item_id AND taken_at >= run.began_at";
  const [, ended] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE item SET active_run_id = NULL, active_run_kind = NULL
       WHERE id = ?3 AND active_run_id = ?1 AND EXISTS (SELECT 1 FROM run
         WHERE id = ?1 AND epoch = ?2 AND status = 'running' AND (${later}) IS NOT NULL)`,
      hold.runId,
      hold.epoch,
      hold.itemId,
    ),
    statement(
      ledger,
      `UPDATE run SET status = 'superseded', finished_at = ?3, lease_until = NULL, waiting_until = NULL, cursor = NULL,
         error_text = NULL
       WHERE id = ?1 AND epoch = ?2 AND status = 'running' AND (${later}) IS NOT NULL
       RETURNING (${later}) AS takenAt`,
      hold.runId,
      hold.epoch,
      now,
    ),
  ]);
  const row = ended?.results[0] as { takenAt: number } | undefined;
  return row?.takenAt ?? null;
}

/**
 * Lists open runs whose lease has expired: their consumer crashed, or their message was lost. The sweep offers them
 * again.
 */
export async function listLostRuns(
  ledger: LedgerDatabase,
  now: number,
  limit: number,
): Promise<Pick<RunRow, "id" | "organisationId" | "kind" | "epoch">[]> {
  return ledger
    .select({ id: run.id, organisationId: run.organisationId, kind: run.kind, epoch: run.epoch })
    .from(run)
    .where(
      and(
        sql`${run.finishedAt} IS NULL`,
        sql`${run.leaseUntil} <= ${now}`,
        sql.raw(isHere("run.organisation_id")),
      ),
    )
    .limit(limit);
}

/** Extends the lease of lost runs before they are offered again. */
export async function postponeRuns(
  ledger: LedgerDatabase,
  ids: readonly string[],
  until: number,
): Promise<void> {
  if (ids.length === 0) return;
  await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE run SET lease_until = ?2 WHERE id IN (SELECT value FROM json_each(?1)) AND finished_at IS NULL`,
      JSON.stringify(ids),
      until,
    ),
  ]);
}

/** Returns the durations of the item's last successful runs of a kind, newest first, to estimate the next one. */
export async function recentDurations(
  ledger: LedgerDatabase,
  itemId: string,
  kind: RunKind,
): Promise<number[]> {
  const { results } = await statement(
    ledger,
    LAST_SUCCESSES("?1", "?2", ESTIMATED_FROM_RUNS),
    itemId,
    kind,
  ).all<{ started_at: number | null; finished_at: number | null }>();
  return results.flatMap(({ started_at: from, finished_at: to }) => (from && to ? [to - from] : []));
}

/** Returns what a restore recorded under a key, or null. */
export async function findJournalEntry(
  ledger: LedgerDatabase,
  runId: string,
  key: string,
): Promise<Json | null> {
  const rows = await ledger
    .select({ value: restoreJournal.value })
    .from(restoreJournal)
    .where(and(eq(restoreJournal.runId, runId), eq(restoreJournal.key, key)))
    .limit(1);
  return (rows[0]?.value as Json | undefined) ?? null;
}

/**
 * Records what a restore created before it continues. Only the holder of the run may. A new or changed entry counts as
 * progress.
 */
export async function recordJournalEntry(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number },
  entry: { key: string; value: Json; now: number },
): Promise<{ isOurs: boolean; isNews: boolean }> {
  const value = JSON.stringify(entry.value);
  const [news, recorded] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE run SET advanced_at = ?5, advanced_attempt = attempts
       WHERE id = ?1 AND epoch = ?2 AND status = 'running' AND NOT EXISTS
         (SELECT 1 FROM restore_journal WHERE run_id = ?1 AND key = ?3 AND value = ?4) RETURNING id`,
      hold.runId,
      hold.epoch,
      entry.key,
      value,
      entry.now,
    ),
    statement(
      ledger,
      `INSERT INTO restore_journal (run_id, key, value, created_at)
       SELECT ?1, ?3, ?4, ?5 WHERE ${RUN_IS_MINE("?1", "?2")}
       ON CONFLICT (run_id, key) DO UPDATE SET value = excluded.value RETURNING key`,
      hold.runId,
      hold.epoch,
      entry.key,
      value,
      entry.now,
    ),
  ]);
  return { isOurs: (recorded?.results.length ?? 0) > 0, isNews: (news?.results.length ?? 0) > 0 };
}

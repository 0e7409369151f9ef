import { commitTogether } from "#core/database/statements.ts";
import type { JobMessage, JobName } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import type { RunServices, Uses } from "#core/services.ts";
import { JOB_OF } from "./job-of.ts";
import { BUSY_RETRY_MS, LEASE_MS, MAX_CLAIMS, MAX_RESTARTS } from "./limits.ts";
import { LostRunError, type OpenSlice, openSlice, type RunSlice, SliceEndError } from "./open-slice.ts";
import { restartRun } from "./restart.store.ts";
import type { RunRow } from "./run-row.ts";
import { attemptsInARow, claimRun, failRun, lockItem, parkRun } from "./runs.store.ts";
import { type FailureVerdict, settleFailure } from "./settle-failure.ts";
import { takeNextTurn, takesTurns } from "./turns.store.ts";

const log = logger("runs");

/** The phase shown for a restarted run until it reports progress. */
const STARTING_AGAIN = "Starting again: Holdfast was updated";

/**
 * Payload of a queue message: the run, whose it is, and the epoch its sender knew. A message of a release that had one
 * ledger per region names no organisation.
 */
export type RunOrder = { region: Region; organisationId?: string; runId: string; epoch: number };

/** The order that continues a run. */
export const orderOf = (region: Region, run: Pick<RunRow, "id" | "organisationId" | "epoch">) => ({
  region,
  organisationId: run.organisationId,
  runId: run.id,
  epoch: run.epoch,
});

/**
 * Runs one slice of a run: claims it, does the work and handles the outcome. Errors of the work never escape: success
 * is the work's own commit, anything else parks or fails the run. A duplicate message finds a newer epoch and ends. The
 * sweep detects a crash by the expired lease.
 *
 * @param locks Locks the item against other backups and restores while the run is open.
 */
export async function runSlice(
  s: RunServices,
  order: RunOrder,
  plan: { job: JobName; locks: "backup" | "restore" | null; onEnd?: RunEndListener },
  work: (slice: RunSlice) => Promise<void>,
): Promise<void> {
  const ledger = s.ledger(order.region, order.organisationId);
  const startedAt = s.clock.now();
  const run = await claimRun(ledger, {
    runId: order.runId,
    epoch: order.epoch,
    leaseUntil: startedAt + LEASE_MS,
    now: startedAt,
  });
  if (!run) return;
  const hold = { runId: run.id, epoch: run.epoch, itemId: run.itemId, kind: run.kind };
  const lock = plan.locks ? await lockItem(ledger, { ...hold, kind: plan.locks }) : "locked";
  if (lock === "busy") {
    await park(
      s,
      plan.job,
      { ...hold, region: order.region, organisationId: run.organisationId },
      {
        at: startedAt + BUSY_RETRY_MS,
        waitingUntil: null,
        attempts: run.attempts - 1,
        errorText: null,
      },
    );
    await offerNextTurn(s, order.region, run);
    return;
  }
  const slice = openSlice(s, order.region, run, hold, startedAt);
  try {
    if (lock === "gone") throw new AppError("err.not.found", { message: "The item is no longer protected." });
    if (attemptsInARow(run) > MAX_CLAIMS)
      throw new AppError("err.internal", { message: "This run stopped again and again and was given up." });
    await slice.start();
    await work(slice);
  } catch (cause) {
    await settle(s, plan, slice, cause);
  } finally {
    await slice.close();
    await offerNextTurn(s, order.region, run);
  }
}

/**
 * Queues the connection's next run that waits for its turn. A fault here only costs time: the sweep offers waiting runs
 * again.
 */
async function offerNextTurn(
  s: Uses<"clock" | "ledger" | "queue">,
  region: Region,
  run: RunRow,
): Promise<void> {
  if (!takesTurns(run.kind)) return;
  try {
    const next = await takeNextTurn(s.ledger(region, run.organisationId), run.connectionId, s.clock.now());
    if (next === null) return;
    const payload = orderOf(region, { ...next, organisationId: run.organisationId });
    await s.queue.send([{ job: JOB_OF[next.kind], payload } as JobMessage]);
  } catch (cause) {
    log.warn("the next turn of {connectionId} could not be offered", {
      connectionId: run.connectionId,
      cause,
    });
  }
}

/** Called when a run has failed for good, with the row as claimed. */
export type RunEndListener = (
  slice: RunSlice,
  failure: Extract<FailureVerdict, { kind: "unauthorized" | "gone" | "fail" }>,
) => Promise<D1PreparedStatement[]>;

async function settle(
  s: RunServices,
  plan: { job: JobName; onEnd?: RunEndListener },
  slice: OpenSlice,
  cause: unknown,
): Promise<void> {
  if (cause instanceof LostRunError) return;
  const { run, hold, ledger } = slice;
  const held = heldBy(slice);
  const now = s.clock.now();
  if (cause instanceof SliceEndError) {
    await park(s, plan.job, held, {
      at: now,
      cursor: cause.cursor,
      waitingUntil: null,
      attempts: 0,
      errorText: null,
      advancedAt: now,
    });
    return;
  }
  if (cause instanceof UnreadableCursorError && run.restarts < MAX_RESTARTS) {
    await startAgain(s, plan.job, slice, cause);
    return;
  }
  const verdict = settleFailure(cause, slice.standing(), now);
  log.warn("run {runId} stopped: {verdict} {text}", {
    runId: run.id,
    verdict: verdict.kind,
    text: verdict.text,
    cause,
  });
  if (verdict.kind === "retry") {
    // A rate limit is not a fault; the time to wait says enough.
    const fault = verdict.isWaiting ? null : verdict.text;
    const isParked = await park(s, plan.job, held, {
      at: verdict.at,
      waitingUntil: verdict.at,
      attempts: verdict.isWaiting ? run.attempts - 1 : run.attempts,
      errorText: fault,
    });
    if (isParked) await slice.tellWaiting(verdict.at, fault);
    return;
  }
  const extra = await noteOfEnd(plan.onEnd, slice, verdict);
  const results = await commitTogether(ledger, [...extra, ...failRun(ledger, hold, { ...verdict, now })]);
  if ((results.at(-1)?.results.length ?? 0) === 0) return;
  await announceEnd(s, run, "failed", { date: now, size: 0, errorText: verdict.text });
}

/**
 * What else is written with the failure of a run. If that cannot be found out, the run stays open and is claimed again,
 * but not for ever: every run ends.
 */
async function noteOfEnd(
  onEnd: RunEndListener | undefined,
  slice: OpenSlice,
  verdict: Parameters<RunEndListener>[1],
): Promise<D1PreparedStatement[]> {
  try {
    return onEnd ? await onEnd(slice, verdict) : [];
  } catch (cause) {
    if (attemptsInARow(slice.run) <= MAX_CLAIMS) throw cause;
    log.error("run {runId} ends without what its failure should change", { runId: slice.run.id, cause });
    return [];
  }
}

/**
 * Restarts a run whose cursor this code does not understand because another version stored it. The work never continues
 * half-way, because what it has stored belongs to the cursor.
 */
async function startAgain(
  s: Uses<"clock" | "queue">,
  job: JobName,
  slice: OpenSlice,
  cause: UnreadableCursorError,
): Promise<void> {
  const { run, ledger, hold, tellRestart } = slice;
  log.warn("run {runId} starts again: {text}", { runId: run.id, text: cause.message, cause });
  if (!(await restartRun(ledger, hold, { phase: STARTING_AGAIN, now: s.clock.now() }))) return;
  await send(s, job, heldBy(slice), 0);
  await tellRestart(STARTING_AGAIN);
}

/** A held run, and whose it is. */
type Held = RunSlice["hold"] & { region: Region; organisationId: string };

const heldBy = ({ hold, region, run }: RunSlice): Held => ({
  ...hold,
  region,
  organisationId: run.organisationId,
});

/** Parks the run and queues its next slice. Returns false when the run was taken over. */
async function park(
  s: Uses<"clock" | "ledger" | "queue">,
  job: JobName,
  held: Held,
  parking: Parameters<typeof parkRun>[2],
): Promise<boolean> {
  if (!(await parkRun(s.ledger(held.region, held.organisationId), held, parking))) return false;
  const delaySeconds = Math.min(Math.max(0, Math.ceil((parking.at - s.clock.now()) / 1_000)), 12 * 60 * 60);
  await send(s, job, held, delaySeconds);
  return true;
}

async function send(
  s: Uses<"queue">,
  job: JobName,
  { region, organisationId, runId, epoch }: Held,
  delaySeconds: number,
): Promise<void> {
  const payload = { region, organisationId, runId, epoch };
  await s.queue.send([{ job, payload } as JobMessage], { delaySeconds });
}

/** Tells open screens that a backup or restore ended. */
export async function announceEnd(
  s: Uses<"live">,
  run: Pick<RunRow, "id" | "organisationId" | "itemId" | "platform" | "kind">,
  status: "success" | "failed",
  end: {
    date: number;
    /** Bytes newly stored. */
    size: number;
    /** Bytes of the whole version, where one was taken. */
    sizeBytes?: number;
    errorText: string | null;
  },
): Promise<void> {
  if (run.kind !== "backup" && run.kind !== "restore") return;
  await s.live.publish(run.organisationId, [
    {
      method: "item-status",
      platform: run.platform,
      id: run.itemId,
      type: run.kind,
      status,
      date: end.date,
      data_size: end.size,
      ...(end.sizeBytes !== undefined && { sizeBytes: end.sizeBytes }),
      actionProcess: null,
      runId: run.id,
      errorText: end.errorText,
    },
  ]);
}

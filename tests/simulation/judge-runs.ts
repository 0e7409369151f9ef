import { DAY_MS } from "#core/kernel/clock.ts";
import type { Rows } from "./region-ledgers.ts";
import type { Life } from "./scheduler.ts";

/** Judges who holds runs, and how often they are tried. Each function returns one sentence per broken promise. */
export type RunJudge = {
  /** After every commit. `by` has committed. */
  lookAtStep(by: Life): string[];
  look(): string[];
};

/**
 * A run that is claimed this often never ends. Waiting for a platform that asks for patience all day takes up to some
 * hundred claims.
 */
const CLAIMS_AT_MOST = 1_000;
/** Errors that may pass: of the platform, and our own. Five attempts, unless nothing has moved for two days. */
const PASSING = "'err.internal', 'err.platform.unavailable', 'err.platform.malformed'";
const TRIED_AT_LEAST = 5;
const STANDS_STILL_MS = 2 * DAY_MS;
/** Twelve claims without progress end a run, if the fault that counts them does not prevent just that. */
const TRIED_AT_MOST = 16;

/** Opens the judge of the runs in the ledger where the organisation is. */
export function openRunJudge(ledger: Pick<Rows, "rows">): RunJudge {
  /** The invocation that has claimed each running run last, by the run's epoch. */
  const holders = new Map<string, { epoch: number; by: Life }>();

  /** A run succeeds by the invocation that holds it: one that it was taken from has read an older state. */
  const lookAtStep = (by: Life): string[] => {
    const faults: string[] = [];
    const running = ledger.rows<{ id: string; epoch: number }>(
      "SELECT id, epoch FROM run WHERE status = 'running'",
    );
    const ids = new Set(running.map(({ id }) => id));
    for (const [id, { by: holder }] of holders) {
      if (ids.has(id)) continue;
      holders.delete(id);
      // The run of an unchanged version is folded into it at once.
      const [run] = ledger.rows<{ status: string }>(
        "SELECT status FROM run WHERE id = ? UNION ALL SELECT 'succeeded' FROM snapshot WHERE run_id = ?",
        id,
        id,
      );
      if (run?.status === "succeeded" && by !== holder)
        faults.push(`${id} succeeded by ${by.name} although ${holder.name} holds it`);
    }
    for (const { id, epoch } of running) if (holders.get(id)?.epoch !== epoch) holders.set(id, { epoch, by });
    return faults;
  };

  /** A fault that may pass does not end a run before it has been tried again some times. */
  const tooSeldom = () =>
    ledger
      .rows<{ id: string; kind: string; attempts: number; error_code: string }>(
        `SELECT id, kind, attempts, error_code FROM run
         WHERE status = 'failed' AND error_code IN (${PASSING}) AND attempts < ?
           AND finished_at - max(created_at, coalesce(advanced_at, 0)) < ?`,
        TRIED_AT_LEAST,
        STANDS_STILL_MS,
      )
      .map((run) => `${run.kind} ${run.id} failed with ${run.error_code} after ${run.attempts} attempts`);

  /** Nothing is tried for ever. */
  const tooOften = () => [
    ...ledger
      .rows<{ id: string; kind: string; n: number }>(
        `SELECT id, kind, attempts - max(0, advanced_attempt - 1) AS n FROM run
         WHERE status IN ('queued', 'running') AND n > ?`,
        TRIED_AT_MOST,
      )
      .map(({ id, kind, n }) => `${kind} ${id} was tried ${n} times without progress`),
    ...ledger
      .rows<{ id: string; kind: string; epoch: number }>(
        "SELECT id, kind, epoch FROM run WHERE epoch > ?",
        CLAIMS_AT_MOST,
      )
      .map(({ id, kind, epoch }) => `${kind} ${id} was claimed ${epoch} times`),
  ];

  return { lookAtStep, look: () => [...tooSeldom(), ...tooOften()] };
}

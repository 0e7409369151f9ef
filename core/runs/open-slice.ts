import type { Progress } from "#connectors/contract/platform-connector.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Clock } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Uses } from "#core/services.ts";
import { HEARTBEAT_MS, SLICE_MS, SLICE_QUERIES, SLICE_REQUESTS } from "./limits.ts";
import type { RunKind, RunRow } from "./run-row.ts";
import { attemptsInARow, saveCursor, saveExpectedEnd } from "./runs.store.ts";
import { isLastAttempt } from "./settle-failure.ts";
import { createSliceProgress } from "./slice-progress.ts";

const log = logger("runs");

/** Thrown when another consumer has taken over the run. The slice ends silently. */
export class LostRunError extends Error {
  override name = "LostRunError";
}

/** Thrown by work to store its cursor and hand over to the next slice. */
export class SliceEndError extends Error {
  override name = "SliceEndError";
  readonly cursor: Json;
  constructor(cursor: Json) {
    super("the slice is over");
    this.cursor = cursor;
  }
}

/** Everything that the work of one slice can use. */
export type RunSlice = {
  region: Region;
  ledger: LedgerDatabase;
  run: RunRow;
  hold: { runId: string; epoch: number; itemId: string; kind: RunKind };
  /** Reports progress. Written and pushed at most every two seconds. */
  progress: (progress: Progress) => Promise<void>;
  /** The same from inside a stream that cannot wait. A lost run is detected at the next `progress`. */
  note: (progress: Progress) => void;
  /** Counts bytes read from outside. */
  countBytes: (bytes: number) => void;
  bytesRead: () => number;
  /** Counts one sub-request against the slice's budget. */
  countRequest: () => void;
  /** Counts database queries, which have a tighter budget. */
  countQueries: (count: number) => void;
  /** True when the slice should store its cursor and hand over. */
  isOver: () => boolean;
  /** True when a transient fault now would fail the run instead of parking it for another attempt. */
  isLastAttempt: () => boolean;
  /** Sets the expected end from the run's own plan, epoch ms. Kept for later slices. */
  expectEnd: (at: number) => Promise<void>;
  /** Stores the cursor from which the run can resume. @throws LostRunError */
  checkpoint: (cursor: Json) => Promise<void>;
  /** Reports that the work has stored something new in the ledger itself. */
  advanced: () => void;
  /** Does something when the slice ends, whatever its outcome. A failure is only logged. */
  atEnd: (act: () => Promise<void>) => void;
  /** The versions of the account's tokens that the work used last, by method. The session notes them. */
  usedTokens: Map<string, number>;
};

/** A slice with the functions that only `runSlice` uses. */
export type OpenSlice = RunSlice & {
  /** Shows what the run's row says of its progress. */
  start: () => Promise<void>;
  /** Ends the slice. Never throws. */
  close: () => Promise<void>;
  /** Attempts and last progress of the run, for `settleFailure`. */
  standing: () => { attempts: number; since: number };
  /** Tells open screens how long the run waits, and after which fault. */
  tellWaiting: (until: number, fault: string | null) => Promise<void>;
  /** Tells open screens that the run restarts. */
  tellRestart: (phase: string) => Promise<void>;
};

/** Opens the slice of a claimed run. It keeps the run's lease until it is closed. */
export function openSlice(
  s: Uses<"clock" | "ledger" | "live">,
  region: Region,
  run: RunRow,
  hold: RunSlice["hold"],
  startedAt: number,
): OpenSlice {
  const ledger = s.ledger(region, run.organisationId);
  const budget = openBudget(s.clock, startedAt);
  const standing = openStanding(s.clock, run);
  const shown = createSliceProgress(s, {
    ledger,
    run,
    hold,
    startedAt,
    onQuery: () => budget.countQueries(1),
  });
  const endings: (() => Promise<void>)[] = [];
  let isLost = false;
  const write = async () => {
    if (!(await shown.writeInTurn())) isLost = true;
  };
  const stopIfLost = () => {
    if (isLost) throw new LostRunError(run.id);
  };
  // Keeps the lease alive while a provider is silent. The next write handles a failed heartbeat.
  const heartbeat = setInterval(() => void write().catch(() => undefined), HEARTBEAT_MS);
  return {
    region,
    ledger,
    run,
    hold,
    start: shown.begin,
    progress: async (progress) => {
      stopIfLost();
      shown.show(progress);
      if (shown.isDue()) await write();
      stopIfLost();
    },
    note: (progress) => {
      shown.show(progress);
      if (shown.isDue()) void write().catch(() => undefined);
    },
    countBytes: shown.countBytes,
    bytesRead: shown.bytesRead,
    ...budget,
    isLastAttempt: () => isLastAttempt(standing.now(), s.clock.now()),
    expectEnd: async (at) => {
      shown.expectEnd(at);
      await saveExpectedEnd(ledger, hold, at);
    },
    tellWaiting: shown.tellWaiting,
    tellRestart: shown.tellRestart,
    checkpoint: async (cursor) => {
      budget.countQueries(1);
      const news = standing.newsIn(cursor);
      if (!(await saveCursor(ledger, hold, { cursor, advancedAt: news.advancedAt }))) {
        throw new LostRunError(run.id);
      }
      news.keep();
    },
    advanced: standing.advance,
    standing: standing.now,
    atEnd: (act) => void endings.push(act),
    usedTokens: new Map(),
    close: async () => {
      clearInterval(heartbeat);
      const ended = await Promise.allSettled(endings.map((act) => act()));
      for (const end of ended)
        if (end.status === "rejected")
          log.warn("run {runId} could not clear up", { runId: run.id, cause: end.reason });
    },
  };
}

/** Tracks what a slice may still use: time, requests and queries. */
function openBudget(
  clock: Clock,
  startedAt: number,
): Pick<RunSlice, "countRequest" | "countQueries" | "isOver"> {
  let requests = 0;
  let queries = 0;
  return {
    countRequest: () => {
      requests++;
    },
    countQueries: (count) => {
      requests += count;
      queries += count;
    },
    isOver: () => clock.now() - startedAt > SLICE_MS || requests > SLICE_REQUESTS || queries > SLICE_QUERIES,
  };
}

/** Tracks the attempts since the run last made progress. */
function openStanding(clock: Clock, run: RunRow) {
  let standing = { attempts: attemptsInARow(run), since: run.advancedAt ?? run.createdAt };
  let storedCursor = JSON.stringify(run.cursor);
  const advance = () => {
    standing = { attempts: 1, since: clock.now() };
  };
  return {
    now: () => standing,
    advance,
    /** Compares a cursor with the stored one. Call `keep` once the cursor has been stored. */
    newsIn(cursor: Json) {
      const text = JSON.stringify(cursor);
      const isNews = text !== storedCursor;
      return {
        advancedAt: isNews ? clock.now() : null,
        keep() {
          if (isNews) advance();
          storedCursor = text;
        },
      };
    },
  };
}

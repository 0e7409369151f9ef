import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { storedJson, UnreadableCursorError } from "#core/kernel/stored-json.ts";
import {
  type BackupState,
  backupStateSchema,
  beginState,
  findState,
  isWholeDue,
  stateRecord,
} from "./backup-state.ts";
import { findRest, leavingRest, resting, type StageRests } from "./stage-rests.ts";

/** Requests between two checkpoints. Each one stores what was read, so more would cost more than they save. */
const REQUESTS_BETWEEN_POINTS = 20;
const TIME_BETWEEN_POINTS_MS = 30 * SECOND_MS;

/** What the stages of a backup share. */
export type StagesRun = {
  /** Counts requests; stages must use only this session. */
  session: Session;
  order: BackupOrder;
  /** The previous version's state; null = full read. */
  known: BackupState | null;
  /** This version's state. A stage sets its marks and counts when it has finished. */
  next: BackupState;
  /** Facts for later stages or slices. They are stored in the cursor: keep them small. */
  notes: Record<string, Json>;
  /** Paths already reported in this slice that several stages may encounter; each slice starts with an empty set. */
  told: Set<string>;
};

/** A stage of a backup. Stages run in order; each resumes from its own cursor. */
export type BackupStage = {
  /** Stable name, for the cursor. */
  id: string;
  /**
   * Yields a checkpoint wherever it can resume; most of them become offers. Parses its cursor with `readCursor` and
   * must not start over by itself, because the draft, the state and the notes would keep what they already contain.
   * @throws UnreadableCursorError, ConnectorError
   */
  run: (run: StagesRun, cursor: Json | null) => AsyncIterable<BackupEvent>;
  /** All its checkpoints are stored, none becomes an offer, because much lies between two of them, e.g. bytes. */
  takesEveryPoint?: boolean;
  /**
   * If the stage fails in a way that `mayGoWithout` accepts, the version lists it as skipped and keeps what the
   * previous version has below the prefixes. Absent = a failure of the stage fails the backup. Only two stages are not
   * optional, because a version needs them: the record of the item, and its git data.
   */
  optional?: { kind: string; path: string; prefixes: readonly string[] };
  /** When the stage need not be read. Absent = it is read in every backup. */
  rests?: StageRests;
};

/**
 * The cursor of a backup. Its version covers the checkpoints and notes of all stages: to change the meaning of one,
 * raise the version or rename the stage.
 */
const cursorForm = storedJson(
  1,
  z.strictObject({
    part: z.string(),
    cursor: z.json(),
    isWhole: z.boolean(),
    next: backupStateSchema,
    notes: z.record(z.string(), z.json()),
  }),
);

/**
 * Runs the stages of a backup, then writes the state for the next one. A slice can end between two stages and wherever
 * a stage allows it. Failures that affect only one stage are recorded in the version.
 * @param isNeverWhole The stages reread a share of the item themselves, so that no day is one of a full read.
 * @throws UnreadableCursorError, ConnectorError
 */
export async function* runStages(
  stages: readonly BackupStage[],
  session: Session,
  order: BackupOrder,
  { isNeverWhole = false }: { isNeverWhole?: boolean } = {},
): AsyncGenerator<BackupEvent, void> {
  const pace = openPace(session);
  const resumed = cursorForm.resume(order.cursor);
  const found = await findState(order.previous);
  const { previousAt } = order;
  const isWhole =
    resumed?.isWhole ?? (!isNeverWhole && isWholeDue(order.item.externalId, session.clock.now(), previousAt));
  const known = isWhole ? null : found;
  let hasFailed = false;
  const run: StagesRun = {
    session: pace.session,
    order: {
      ...order,
      // Only a failure that may pass asks this. One that is gone without must not be taken for an answer tomorrow.
      isLastAttempt: () => {
        const isLast = order.isLastAttempt?.() === true;
        hasFailed ||= isLast;
        return isLast;
      },
    },
    known,
    next: resumed?.next ?? beginState(known),
    notes: resumed?.notes ?? {},
    told: new Set(),
  };
  const pointAt = (stage: string, cursor: Json, isTaken: boolean): BackupEvent => {
    if (isTaken) pace.rest();
    const { next, notes } = structuredClone({ next: run.next, notes: run.notes });
    const point = cursorForm.write({ part: stage, cursor, isWhole, next, notes });
    return { type: isTaken ? "checkpoint" : "offer", cursor: point };
  };
  const first = resumed === null ? 0 : stages.findIndex(({ id }) => id === resumed.part);
  if (first < 0) throw new UnreadableCursorError(`No stage of this backup is called ${resumed?.part}`);
  for (const [index, stage] of stages.entries()) {
    if (index < first) continue;
    if (index > first) yield pointAt(stage.id, null, pace.isDue());
    const cursor = index === first ? (resumed?.cursor ?? null) : null;
    const rest = cursor === null ? findRest(stage, { ...run, previousAt }) : null;
    if (rest !== null) {
      yield* resting(stage.rests, rest);
      continue;
    }
    hasFailed = false;
    // Skipping a stage is progress: store a checkpoint, so that later stages get new attempts.
    const events = orSkipped(stage, run, cursor, pace.hurry);
    for await (const event of leavingRest(stage, run, events, () => hasFailed)) {
      if (event.type !== "checkpoint") yield event;
      else yield pointAt(stage.id, event.cursor, stage.takesEveryPoint === true || pace.isDue());
    }
  }
  yield stateRecord(run.next);
}

/** Runs a stage. If the stage is skipped, keeps the previous version's entries and reports the reason. */
async function* orSkipped(
  stage: BackupStage,
  run: StagesRun,
  cursor: Json | null,
  onSkipped: () => void,
): AsyncGenerator<BackupEvent, void> {
  const before = structuredClone(run.next);
  try {
    yield* stage.run(run, cursor);
  } catch (error) {
    if (stage.optional === undefined || !mayGoWithout(run, error)) throw error;
    const { path, kind, prefixes } = stage.optional;
    const hadShare = run.order.previous !== null && (await hasAny(run.order.previous, prefixes));
    if (hadShare) for (const prefix of prefixes) yield { type: "keep-all", prefix };
    const kept = hadShare ? " What the previous version holds is kept." : "";
    yield { type: "skipped", path, kind, reason: `${error.message}${kept}` };
    Object.assign(run.next, before);
    onSkipped();
  }
}

/**
 * Whether a version can do without the thing that failed: the platform denies access to it, or it keeps failing on
 * the last attempt. Rate limits, a lost authorisation, the end of a slice and our own bugs affect the whole run, so
 * they are always rethrown.
 */
export function mayGoWithout({ order }: Pick<StagesRun, "order">, error: unknown): error is ConnectorError {
  if (isOutOfReach(error)) return true;
  if (!(error instanceof ConnectorError)) return false;
  return ["unavailable", "malformed"].includes(error.kind) && order.isLastAttempt?.() === true;
}

/** Whether an error is about one thing that the platform denies access to; all other errors affect the whole run. */
export function isOutOfReach(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
}

async function hasAny(
  previous: NonNullable<BackupOrder["previous"]>,
  prefixes: readonly string[],
): Promise<boolean> {
  for (const prefix of prefixes) for await (const _ of previous.list(prefix)) return true;
  return false;
}

/** Counts requests and decides when a checkpoint is due. */
function openPace(session: Session) {
  let requests = 0;
  let restedAt = session.clock.now();
  return {
    session: {
      ...session,
      fetch: (url: string, init?: RequestInit) => {
        requests += 1;
        return session.fetch(url, init);
      },
    },
    isDue: () =>
      requests >= REQUESTS_BETWEEN_POINTS ||
      (requests > 0 && session.clock.now() - restedAt >= TIME_BETWEEN_POINTS_MS),
    /** Makes a checkpoint due now. */
    hurry() {
      requests = REQUESTS_BETWEEN_POINTS;
    },
    rest() {
      requests = 0;
      restedAt = session.clock.now();
    },
  };
}

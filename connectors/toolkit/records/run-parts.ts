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
  isWholeDay,
  stateRecord,
} from "./backup-state.ts";

/** Requests between two checkpoints. Each one stores what was read, so more would cost more than they save. */
const REQUESTS_BETWEEN_POINTS = 20;
const TIME_BETWEEN_POINTS_MS = 30 * SECOND_MS;

/** What the parts of a backup share. */
export type PartsRun = {
  /** Counts requests; parts must use only this session. */
  session: Session;
  order: BackupOrder;
  /** The previous version's state; null = full read. */
  known: BackupState | null;
  /** This version's state. A part sets its marks and counts when it has finished. */
  next: BackupState;
  /** Facts for later parts or slices. They are stored in the cursor: keep them small. */
  notes: Record<string, Json>;
  /** Paths already reported in this slice that several parts may encounter; each slice starts with an empty set. */
  told: Set<string>;
};

/** A part of a backup. Parts run in order; each resumes from its own cursor. */
export type BackupPart = {
  /** Stable name, for the cursor. */
  id: string;
  /**
   * Yields a checkpoint wherever it can resume; most of them become offers. Parses its cursor with `readCursor` and
   * must not start over by itself, because the draft, the state and the notes would keep what they already contain.
   * @throws UnreadableCursorError, ConnectorError
   */
  run: (run: PartsRun, cursor: Json | null) => AsyncIterable<BackupEvent>;
  /** All its checkpoints are stored, none becomes an offer, because much lies between two of them, e.g. bytes. */
  takesEveryPoint?: boolean;
  /**
   * If the part fails in a way that `mayGoWithout` accepts, the version lists it as skipped and keeps what the
   * previous version has below the prefixes. Absent = a failure of the part fails the backup. Only two parts are not
   * optional, because a version needs them: the record of the item, and its git data.
   */
  optional?: { kind: string; path: string; prefixes: readonly string[] };
};

/**
 * The cursor of a backup. Its version covers the checkpoints and notes of all parts: to change the meaning of one,
 * raise the version or rename the part.
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
 * Runs the parts of a backup, then writes the state for the next one. A slice can end between two parts and wherever
 * a part allows it. Failures that affect only one part are recorded in the version.
 * @throws UnreadableCursorError, ConnectorError
 */
export async function* runParts(
  parts: readonly BackupPart[],
  session: Session,
  order: BackupOrder,
): AsyncGenerator<BackupEvent, void> {
  const pace = openPace(session);
  const resumed = cursorForm.resume(order.cursor);
  const found = await findState(order.previous);
  const isWhole = resumed?.isWhole ?? isWholeDay(order.item.externalId, session.clock.now());
  const known = isWhole ? null : found;
  const run: PartsRun = {
    session: pace.session,
    order,
    known,
    next: resumed?.next ?? beginState(known),
    notes: resumed?.notes ?? {},
    told: new Set(),
  };
  const pointAt = (part: string, cursor: Json, isTaken: boolean): BackupEvent => {
    if (isTaken) pace.rest();
    const { next, notes } = structuredClone({ next: run.next, notes: run.notes });
    const point = cursorForm.write({ part, cursor, isWhole, next, notes });
    return { type: isTaken ? "checkpoint" : "offer", cursor: point };
  };
  const first = resumed === null ? 0 : parts.findIndex(({ id }) => id === resumed.part);
  if (first < 0) throw new UnreadableCursorError(`No part of this backup is called ${resumed?.part}`);
  for (const [index, part] of parts.entries()) {
    if (index < first) continue;
    if (index > first) yield pointAt(part.id, null, pace.isDue());
    const cursor = index === first ? (resumed?.cursor ?? null) : null;
    // Skipping a part is progress: store a checkpoint, so that later parts get new attempts.
    for await (const event of orSkipped(part, run, cursor, pace.hurry)) {
      if (event.type !== "checkpoint") yield event;
      else yield pointAt(part.id, event.cursor, part.takesEveryPoint === true || pace.isDue());
    }
  }
  yield stateRecord(run.next);
}

/** Runs a part. If the part is skipped, keeps the previous version's entries and reports the reason. */
async function* orSkipped(
  part: BackupPart,
  run: PartsRun,
  cursor: Json | null,
  onSkipped: () => void,
): AsyncGenerator<BackupEvent, void> {
  const before = structuredClone(run.next);
  try {
    yield* part.run(run, cursor);
  } catch (error) {
    if (part.optional === undefined || !mayGoWithout(run, error)) throw error;
    const { path, kind, prefixes } = part.optional;
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
export function mayGoWithout({ order }: Pick<PartsRun, "order">, error: unknown): error is ConnectorError {
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

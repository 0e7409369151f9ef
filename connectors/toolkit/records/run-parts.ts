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

/** Requests after which a slice may end: each point stores what was read, so more of them would cost more than they save. */
const REQUESTS_BETWEEN_POINTS = 20;
const TIME_BETWEEN_POINTS_MS = 30 * SECOND_MS;

/** What all parts of one backup share. */
export type PartsRun = {
  /** Counts requests; parts must use this session and no other. */
  session: Session;
  order: BackupOrder;
  /** What the previous version left; null when everything is read. */
  known: BackupState | null;
  /** What this version leaves. A part sets its marks and counts when it is through. */
  next: BackupState;
  /** Facts that a later part, or a later slice, needs. They travel with the cursor: keep them small. */
  notes: Record<string, Json>;
  /** Paths that several parts may meet and this slice has told already; a later slice begins with none. */
  told: Set<string>;
};

/** A part of a backup. Parts run in order, each goes on where its own cursor points to. */
export type BackupPart = {
  /** Stable name, for the cursor. */
  id: string;
  /**
   * A part yields a checkpoint wherever it could go on; most of them become offers. It reads its point back with
   * `readCursor`: to begin anew by itself would leave what the draft, the state and the notes hold already.
   * @throws UnreadableCursorError, ConnectorError
   */
  run: (run: PartsRun, cursor: Json | null) => AsyncIterable<BackupEvent>;
  /** None of its checkpoints becomes an offer, because much lies between two of them, e.g. bytes. */
  takesEveryPoint?: boolean;
  /**
   * The version can do without the part (`mayGoWithout`): it then lists the part as skipped, and takes over what the
   * previous version has below the prefixes. Absent = a failure of the part fails the backup. Only two parts lack it,
   * since nothing is a version without them: the record that names the item, and its git data.
   */
  optional?: { kind: string; path: string; prefixes: readonly string[] };
};

/**
 * Where a backup of parts goes on. The version stands for the points and notes of all parts: whoever changes what one of
 * them means raises it, or calls the part otherwise.
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
 * Runs the parts of a backup and writes the state for the next one at the end. A slice can end between any two parts
 * and wherever a part offers it; failures that concern one part alone become a sentence in the version.
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
    // A skipped part is a step forward: the ones behind it get attempts of their own.
    for await (const event of orSkipped(part, run, cursor, pace.hurry)) {
      if (event.type !== "checkpoint") yield event;
      else yield pointAt(part.id, event.cursor, part.takesEveryPoint === true || pace.isDue());
    }
  }
  yield stateRecord(run.next);
}

/** Runs a part; when the version does without it, the previous version's share stands, and the reason is told. */
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
 * Whether a version goes on without the thing whose reading failed: the platform does not show it to us, or it keeps
 * failing and no attempt is left. Limits, a lost authorisation, the end of a slice and our own mistakes concern the run
 * whatever was being read, so they always pass through.
 */
export function mayGoWithout({ order }: Pick<PartsRun, "order">, error: unknown): error is ConnectorError {
  if (isOutOfReach(error)) return true;
  if (!(error instanceof ConnectorError)) return false;
  return ["unavailable", "malformed"].includes(error.kind) && order.isLastAttempt?.() === true;
}

/** Whether a failure is about one thing that the platform does not show us; everything else concerns the run. */
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

/** A session that counts, and whether it is time for a point from which a later slice could go on. */
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
    /** A point is due now. */
    hurry() {
      requests = REQUESTS_BETWEEN_POINTS;
    },
    rest() {
      requests = 0;
      restedAt = session.clock.now();
    },
  };
}

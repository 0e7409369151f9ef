import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { type BackupState, type Rest, restSchema } from "./backup-state.ts";

/** What the platform tells about a kind without the kind being read. Equal values mean that nothing has changed. */
export type Feed = {
  value: string;
  /** ISO time of the latest change that the value shows; null = the value names the content itself. */
  newest: string | null;
};

/** When a stage need not be read. */
export type StageRests = {
  /** Everything the stage yields is below these. They are kept while it rests. */
  prefixes: readonly string[];
  /**
   * The feed that proves that nothing changed; null = the platform does not tell today, so the stage is read. Absent = the
   * kind is undated: no feed of the platform covers it, and it is read in full reads only.
   */
  feed?: (notes: Notes) => Feed | null;
};

type Notes = Record<string, Json>;
type RestingStage = { id: string; rests?: StageRests };
type RestingRun = {
  known: BackupState | null;
  next: BackupState;
  notes: Notes;
  previousAt: number | undefined;
};

/** Changes may become visible slightly later than their timestamps, and several may have the same one. */
const OVERLAP_MS = 5 * MINUTE_MS;
/** A stage that skipped more is read every day, to keep the state small. */
const MOST_SKIPPED = 50;

/**
 * Returns what the stage left when it was read last, if it need not be read today; else null. A feed is trusted only if
 * its latest change is older than the previous backup: another change at the same time would not show.
 */
export function findRest({ id, rests }: RestingStage, run: RestingRun): Rest | null {
  const rest = run.known?.rests?.[id];
  if (rests === undefined || rest === undefined || run.previousAt === undefined) return null;
  if (rests.feed === undefined) return rest;
  const feed = rests.feed(run.notes);
  if (feed === null || feed.value !== rest.feed) return null;
  return feed.newest === null || Date.parse(feed.newest) + OVERLAP_MS < run.previousAt ? rest : null;
}

/** What a stage that rests contributes: everything that it contributed when it was read. */
export function* resting(rests: StageRests | undefined, rest: Rest): Generator<BackupEvent, void> {
  for (const prefix of rests?.prefixes ?? []) yield { type: "keep-all", prefix };
  for (const [kind, count] of Object.entries(rest.reported)) yield { type: "reported", kind, count };
  for (const skip of rest.skipped) yield { type: "skipped", ...skip };
}

const seenSchema = z.object({
  ...restSchema.pick({ reported: true, skipped: true }).shape,
  isPassing: z.boolean(),
});

/**
 * Passes on what a stage yields, and leaves a rest in the state if the stage may rest from now on. It may not after a
 * failure that may pass, and with a feed only if nothing was skipped: what is skipped may be there tomorrow.
 *
 * @param hasFailed Whether the stage went without something because of a failure that may pass.
 */
export async function* leavingRest(
  { id, rests }: RestingStage,
  run: Omit<RestingRun, "previousAt" | "known">,
  events: AsyncIterable<BackupEvent>,
  hasFailed: () => boolean,
): AsyncGenerator<BackupEvent, void> {
  if (rests === undefined) {
    yield* events;
    return;
  }
  const note = `rest of ${id}`;
  const seen = readCursor(seenSchema, run.notes[note]) ?? { reported: {}, skipped: [], isPassing: false };
  forget(run.next, id);
  for await (const event of events) {
    if (event.type === "reported") seen.reported[event.kind] = event.count;
    if (event.type === "skipped" && seen.skipped.length <= MOST_SKIPPED) {
      const { path, kind, reason } = event;
      seen.skipped.push({ path, kind, reason });
    }
    seen.isPassing ||= hasFailed();
    run.notes[note] = seen;
    yield event;
  }
  const feed = rests.feed?.(run.notes);
  delete run.notes[note];
  forget(run.next, id);
  const { reported, skipped } = seen;
  const mostSkipped = rests.feed === undefined ? MOST_SKIPPED : 0;
  if (feed === null || seen.isPassing || hasFailed() || skipped.length > mostSkipped) return;
  run.next.rests = { ...run.next.rests, [id]: { feed: feed?.value ?? null, reported, skipped } };
}

function forget(state: BackupState, id: string): void {
  if (state.rests === undefined) return;
  const { [id]: _, ...others } = state.rests;
  if (Object.keys(others).length === 0) delete state.rests;
  else state.rests = others;
}

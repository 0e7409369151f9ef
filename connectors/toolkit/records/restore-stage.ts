import { z } from "zod";
import type { RestoreEvent, RestoreJournal } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { listRoom } from "#core/kernel/list-room.ts";
import { readNote } from "./read-note.ts";

/** A line of the report: restored in another form, impossible, missing, or restored under another number. */
export type ReportLine = Extract<RestoreEvent, { type: "changed" | "impossible" | "missing" | "mapped" }>;

/** Maximum length of a line's texts: a name may have 16,384 characters, which is too long for a report. */
const LONGEST_TEXT = 500;

/** Things created between two journal writes. After a resume, the target is searched for those since the last write. */
const STEPS_PER_NOTE = 20;
/**
 * Maximum number of lines per type and their total bytes. All four types take at most 400 kB, in a D1 value that is
 * limited to 2 MB and rewritten with every note; a typical line has 200 bytes. Lines beyond the limit are only
 * counted.
 */
const MOST = { lines: 250, bytes: 100_000 };

/**
 * One stage of a restore, e.g. labels or issues: its position and its report lines. The journal keeps both, so a later
 * slice continues where the previous one stopped and reports everything again.
 */
export type RestoreStage<Position extends Json> = {
  /** The current position; null at the beginning. */
  readonly at: Position | null;
  readonly isDone: boolean;
  count(kind: string, count?: number): void;
  tell(line: ReportLine): void;
  /** Notes that everything up to the position exists. True = it was written to the journal; the slice may end. */
  step(position: Position): Promise<boolean>;
  finish(): Promise<void>;
  /** Yields the report events of this stage. */
  events(): Generator<RestoreEvent>;
};

const lineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["changed", "impossible", "missing"]), what: z.string(), reason: z.string() }),
  z.object({
    type: z.literal("mapped"),
    kind: z.string(),
    from: z.string(),
    to: z.string(),
    url: z.string().nullable(),
  }),
]);
const notedSchema = z.object({
  at: z.json(),
  isDone: z.boolean(),
  counts: z.record(z.string(), z.number()),
  lines: z.array(lineSchema),
  /** The number of lines beyond the limit, by type. */
  left: z.partialRecord(z.enum(["changed", "impossible", "missing", "mapped"]), z.number()).default({}),
});
type Noted = z.output<typeof notedSchema>;

/** Truncates the texts of a line to the length that a report shows. */
export function shortLine<Line extends { what: string; reason: string }>(line: Line): Line {
  return { ...line, what: shorten(line.what), reason: shorten(line.reason) };
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT).join("")}…` : text;
}

/** Adds a line to the report of a stage unless it already has one of the same subject. */
export function reportOnce(
  stage: Pick<RestoreStage<never>, "tell" | "events">,
  line: Extract<ReportLine, { type: "changed" }>,
): void {
  for (const told of stage.events()) if (told.type === "changed" && told.what === line.what) return;
  stage.tell(line);
}

/** Opens a stage of a restore from its journal entry. Only this module writes these entries. */
export async function openStage<Position extends Json>(
  journal: RestoreJournal,
  name: string,
): Promise<RestoreStage<Position>> {
  // Journals of restores that are under way use this prefix.
  const key = `part:${name}`;
  const state: Noted = (await readNote(journal, key, notedSchema)) ?? {
    at: null,
    isDone: false,
    counts: {},
    lines: [],
    left: {},
  };
  const hasRoom = {
    changed: listRoom(MOST),
    impossible: listRoom(MOST),
    missing: listRoom(MOST),
    mapped: listRoom(MOST),
  };
  for (const line of state.lines) hasRoom[line.type](line);
  let sinceNote = 0;
  const note = () => journal.record(key, structuredClone(state) as Json);
  return {
    get at() {
      return state.at as Position | null;
    },
    get isDone() {
      return state.isDone;
    },
    count: (kind, count = 1) => {
      state.counts[kind] = (state.counts[kind] ?? 0) + count;
    },
    tell: (told) => {
      const line = told.type === "mapped" ? told : shortLine(told);
      if (hasRoom[line.type](line)) state.lines.push(line);
      else state.left[line.type] = (state.left[line.type] ?? 0) + 1;
    },
    step: async (position) => {
      state.at = position;
      sinceNote += 1;
      if (sinceNote < STEPS_PER_NOTE) return false;
      sinceNote = 0;
      await note();
      return true;
    },
    finish: async () => {
      state.isDone = true;
      await note();
    },
    *events() {
      for (const [kind, count] of Object.entries(state.counts)) yield { type: "restored", kind, count };
      yield* state.lines;
      for (const [list, count] of Object.entries(state.left) as [ReportLine["type"], number][])
        yield { type: "unlisted", list, count };
    },
  };
}

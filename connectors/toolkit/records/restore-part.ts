import { z } from "zod";
import type { RestoreEvent, RestoreJournal } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { listRoom } from "#core/kernel/list-room.ts";
import { readNote } from "./read-note.ts";

/** A line of the report: what came back otherwise, cannot come back, did not come back, or has another number. */
export type ReportLine = Extract<RestoreEvent, { type: "changed" | "impossible" | "missing" | "mapped" }>;

/** Characters that are kept of a line's texts: a name may have 16,384, and a report is to be read. */
const LONGEST_TEXT = 500;

/** Things created between two notes in the journal; whoever resumes looks at the target for the few after the last note. */
const STEPS_PER_NOTE = 20;
/**
 * Lines of each type kept for the report, and the bytes they may take. All four types are 400 kB at most, in a value of
 * D1 that may have two megabytes and is written anew with every note; a usual line has 200 bytes. What finds no room is
 * counted.
 */
const MOST = { lines: 250, bytes: 100_000 };

/**
 * One part of a restore, e.g. the labels or the issues: how far it came and what is to be told of it, kept in the journal
 * so that a later slice goes on where the last one stopped and tells the whole again.
 */
export type RestorePart<Position extends Json> = {
  /** The last noted position; null at the beginning. */
  readonly at: Position | null;
  readonly isDone: boolean;
  count(kind: string, count?: number): void;
  tell(line: ReportLine): void;
  /** Notes that everything up to the position exists. True = it is in the journal now, a slice may end. */
  step(position: Position): Promise<boolean>;
  finish(): Promise<void>;
  /** What the report says of this part. */
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
  /** How many lines of a type found no room. */
  left: z.partialRecord(z.enum(["changed", "impossible", "missing", "mapped"]), z.number()).default({}),
});
type Noted = z.output<typeof notedSchema>;

/** Cuts the texts of a line at the length that a report shows. */
export function shortLine<Line extends { what: string; reason: string }>(line: Line): Line {
  return { ...line, what: shorten(line.what), reason: shorten(line.reason) };
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT).join("")}…` : text;
}

/** Opens a part of a restore where the journal left it. The journal's values are this module's own. */
export async function openPart<Position extends Json>(
  journal: RestoreJournal,
  name: string,
): Promise<RestorePart<Position>> {
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

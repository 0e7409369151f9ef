import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import type { IssueRecord, SprintRecord } from "../record-types.ts";
import { isAlike } from "./columns.ts";
import { sprintsOf } from "./issue-fields.ts";
import { ISSUES_PER_MOVE } from "./jira-calls.ts";
import { isRefused } from "./rest-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { sentence } from "./restore-names.ts";
import { issuesOf, levelOf, madeOf } from "./restored-issues.ts";

/** Jira refuses longer names of sprints. */
const LONGEST_SPRINT = 30;

/** The place of restored issues on boards: their open sprint and their rank. */
type Places = {
  ranks: Rank[];
  /** Of epics and sub-tasks, which are not ranked. */
  unranked: Rank[][];
  sprints: Map<string, string[]>;
};
type Rank = { rank: string; key: string };

const notedSchema = z.object({
  /** New ids of sprints by old ones; null = refused. */
  made: z.record(z.string(), z.string().nullable()),
  /** Calls that are done: moves into sprints, and of ranks. */
  moved: z.number(),
  ranked: z.number(),
  isDone: z.boolean(),
  lines: z.array(z.object({ type: z.enum(["changed", "missing"]), what: z.string(), reason: z.string() })),
});
const KEY = "order";
const NOTHING: z.output<typeof notedSchema> = { made: {}, moved: 0, ranked: 0, isDone: false, lines: [] };

/** Puts restored issues into new sprints and into their order. Closed sprints cannot be filled; labels name them. */
export async function* restoreOrder(io: RestoreIo): AsyncGenerator<RestoreEvent, void> {
  const noted = (await readNote(io.journal, KEY, notedSchema)) ?? structuredClone(NOTHING);
  if (io.part !== null) {
    if (!noted.isDone) {
      await placePart(io, noted.lines);
      noted.isDone = true;
      await io.journal.record(KEY, structuredClone(noted));
    }
    yield* noted.lines;
    return;
  }
  if (!noted.isDone) {
    const places = await readPlaces(io);
    const record = () => io.journal.record(KEY, structuredClone(noted));
    for (const sprint of openSprints(io.frame.sprints, io)) {
      const known = noted.made[sprint.id];
      if (known === undefined) {
        noted.made[sprint.id] = await makeSprint(io, sprint, noted.lines);
        await record();
        yield { type: "checkpoint" };
      }
    }
    for (const { sprintId, keys } of sprintMoves(places, noted.made).slice(noted.moved)) {
      await io.calls.moveToSprint(sprintId, keys);
      noted.moved += 1;
      await record();
      yield { type: "checkpoint" };
    }
    for (const { keys, after } of rankMoves(places.ranks).slice(noted.ranked)) {
      if (!(await isRanked(io, { keys, after }, noted.lines))) break;
      noted.ranked += 1;
      await record();
      yield { type: "checkpoint" };
    }
    if (places.unranked.some((ranks) => rankMoves(ranks).length > 0)) noted.lines.push(UNRANKED);
    noted.isDone = true;
    await record();
  }
  const count = Object.values(noted.made).filter((id) => id !== null).length;
  if (count > 0) yield { type: "restored", kind: "sprint", count };
  yield* noted.lines;
}

const UNRANKED: Lines[number] = {
  type: "changed",
  what: "The order of epics and sub-tasks",
  reason: "They stand in the order of their making; only the issues between them are ranked.",
};
const AT_THE_END: Lines[number] = {
  type: "changed",
  what: "Place on the board",
  reason: "A single issue comes behind those that are there.",
};

/** An issue that comes back alone goes into its sprint, if that is still open; no sprint is made for it. */
async function placePart(io: RestoreIo, lines: Lines): Promise<void> {
  lines.push(AT_THE_END);
  const board = io.target.scrumBoard;
  // Without a board of sprints, labels name them.
  if (board === null) return;
  for await (const { issue } of issuesOf(io.snapshot, io.part)) {
    const made = await madeOf(io.journal, issue.key);
    const sprint = sprintsOf(io, issue).find(({ isOpen }) => isOpen);
    if (made === null || sprint === undefined || levelOf(issue) < 0) continue;
    const open = await io.calls.sprints(board.id);
    const there =
      open.find(({ id }) => id === sprint.id) ?? open.find(({ name }) => isAlike(name, sprint.name));
    const told = { type: "changed", what: `Sprint ${sprint.name} of ${issue.key}` } as const;
    if (there === undefined) lines.push({ ...told, reason: "The target has no open sprint of this name." });
    else
      await io.calls.moveToSprint(there.id, [made.key]).catch((error: unknown) => {
        if (!isRefused(error)) throw error;
        lines.push({ ...told, reason: sentence(error.message) });
      });
  }
}

/** Sprints that can be made again, if the target has a board for them. */
export function openSprints(
  sprints: readonly SprintRecord[],
  { target }: { target: { scrumBoard: unknown } },
): SprintRecord[] {
  return target.scrumBoard === null ? [] : sprints.filter(({ state }) => state !== "closed");
}

type Lines = z.output<typeof notedSchema>["lines"];

async function makeSprint(io: RestoreIo, sprint: SprintRecord, lines: Lines): Promise<string | null> {
  const boardId = io.target.scrumBoard?.id ?? "";
  const name = sprint.name.slice(0, LONGEST_SPRINT);
  const { goal, startDate, endDate } = sprint;
  try {
    const { id } = await io.maker.make<{ id: string }>({
      look: async () =>
        (await io.calls.sprints(boardId)).findLast((one) => one.name === name && one.state === "future") ??
        null,
      create: () => io.calls.createSprint({ boardId, name, goal, startDate, endDate }),
    });
    if (name !== sprint.name)
      lines.push({
        type: "changed",
        what: `Sprint ${name}`,
        reason: `Jira takes ${LONGEST_SPRINT} characters for its name; it was ${sprint.name}.`,
      });
    if (sprint.state === "active")
      lines.push({
        type: "changed",
        what: `Sprint ${name}`,
        reason: "It is a future sprint now; start it in Jira.",
      });
    return id;
  } catch (error) {
    if (!isRefused(error)) throw error;
    lines.push({ type: "missing", what: `Sprint ${name}`, reason: sentence(error.message) });
    return null;
  }
}

async function readPlaces(io: RestoreIo): Promise<Places> {
  const places: Places = { ranks: [], unranked: [], sprints: new Map() };
  const others = new Map<number, Rank[]>();
  const rankFieldId = rankField(io);
  for await (const { issue } of issuesOf(io.snapshot, io.part)) {
    const made = await madeOf(io.journal, issue.key);
    if (made === null) continue;
    const rank = rankOf(issue, rankFieldId);
    const level = levelOf(issue);
    const ranks = level === 0 ? places.ranks : (others.get(level) ?? []);
    if (rank !== null) ranks.push({ rank, key: made.key });
    if (level !== 0) others.set(level, ranks);
    const open = sprintsOf(io, issue).find(({ isOpen }) => isOpen);
    // Sub-tasks follow their parents.
    if (open && level >= 0) places.sprints.set(open.id, [...(places.sprints.get(open.id) ?? []), made.key]);
  }
  places.unranked = [...others.values()];
  return places;
}

function rankField({ frame }: RestoreIo): string | null {
  const known = frame.boards.find(({ rankFieldId }) => rankFieldId !== null)?.rankFieldId;
  if (known) return known.startsWith("customfield_") ? known : `customfield_${known}`;
  return frame.fields.find(({ schema }) => /:gh-lexo-rank$/.test(schema?.custom ?? ""))?.id ?? null;
}

function rankOf({ fields }: IssueRecord, fieldId: string | null): string | null {
  const rank = fieldId === null ? null : fields[fieldId];
  return typeof rank === "string" ? rank : null;
}

/** Issues are created by age; calls are needed only if they were ranked in another order. */
export function rankMoves(
  ranks: readonly { rank: string; key: string }[],
): { keys: string[]; after: string }[] {
  const wanted = ranks.toSorted((one, other) => (one.rank < other.rank ? -1 : Number(one.rank > other.rank)));
  if (wanted.every(({ key }, index) => ranks[index]?.key === key)) return [];
  const moves: { keys: string[]; after: string }[] = [];
  for (let from = 1; from < wanted.length; from += ISSUES_PER_MOVE) {
    const keys = wanted.slice(from, from + ISSUES_PER_MOVE).map(({ key }) => key);
    moves.push({ keys, after: wanted[from - 1]?.key ?? "" });
  }
  return moves;
}

/** Ranks issues. False = Jira refuses to, which is told. */
async function isRanked(
  io: RestoreIo,
  { keys, after }: { keys: string[]; after: string },
  lines: Lines,
): Promise<boolean> {
  try {
    await io.calls.rankAfter(keys, after);
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    lines.push({ type: "missing", what: "The order of issues", reason: sentence(error.message) });
    return false;
  }
}

/** The moves of issues into the sprints that were made, at most 50 at once. */
function sprintMoves(
  { sprints }: Places,
  made: Readonly<Record<string, string | null>>,
): { sprintId: string; keys: string[] }[] {
  return Object.entries(made).flatMap(([old, sprintId]) => {
    if (sprintId === null) return [];
    const keys = sprints.get(old) ?? [];
    const moves = Array.from(
      { length: Math.ceil(keys.length / ISSUES_PER_MOVE) },
      (_, index) => index * ISSUES_PER_MOVE,
    );
    return moves.map((from) => ({ sprintId, keys: keys.slice(from, from + ISSUES_PER_MOVE) }));
  });
}

import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import type { IssueRecord, SprintRecord } from "../record-types.ts";
import { sprintsOf } from "./issue-fields.ts";
import { ISSUES_PER_MOVE } from "./jira-calls.ts";
import { isRefused } from "./rest-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { sentence } from "./restore-names.ts";
import { issuesOf, levelOf, madeOf } from "./restored-issues.ts";

/** Jira refuses longer names of sprints. */
const LONGEST_SPRINT = 30;

/** The place of restored issues on boards: their open sprint and their rank. */
type Places = { ranks: { rank: string; key: string }[]; sprints: Map<string, string[]> };

const notedSchema = z.object({
  /** New ids of sprints by old ones; null = refused. */
  made: z.record(z.string(), z.string().nullable()),
  isDone: z.boolean(),
  lines: z.array(z.object({ type: z.enum(["changed", "missing"]), what: z.string(), reason: z.string() })),
});
const KEY = "order";

/** Puts restored issues into new sprints and into their order. Closed sprints cannot be filled; labels name them. */
export async function* restoreOrder(io: RestoreIo): AsyncGenerator<RestoreEvent, void> {
  if (io.part !== null) return;
  const noted = (await readNote(io.journal, KEY, notedSchema)) ?? { made: {}, isDone: false, lines: [] };
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
      const id = noted.made[sprint.id];
      const keys = places.sprints.get(sprint.id) ?? [];
      for (let from = 0; id && from < keys.length; from += ISSUES_PER_MOVE)
        await io.calls.moveToSprint(id, keys.slice(from, from + ISSUES_PER_MOVE));
    }
    await rankAll(io, places, noted.lines);
    noted.isDone = true;
    await record();
  }
  const count = Object.values(noted.made).filter((id) => id !== null).length;
  if (count > 0) yield { type: "restored", kind: "sprint", count };
  yield* noted.lines;
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
  const places: Places = { ranks: [], sprints: new Map() };
  const rankFieldId = rankField(io);
  for await (const { issue } of issuesOf(io.snapshot, io.part)) {
    const made = await madeOf(io.journal, issue.key);
    if (made === null) continue;
    const rank = rankOf(issue, rankFieldId);
    if (rank !== null && levelOf(issue) === 0) places.ranks.push({ rank, key: made.key });
    const open = sprintsOf(io, issue).find(({ isOpen }) => isOpen);
    // Sub-tasks follow their parents.
    if (open && levelOf(issue) >= 0)
      places.sprints.set(open.id, [...(places.sprints.get(open.id) ?? []), made.key]);
  }
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

async function rankAll(io: RestoreIo, { ranks }: Places, lines: Lines): Promise<void> {
  try {
    for (const { keys, after } of rankMoves(ranks)) await io.calls.rankAfter(keys, after);
  } catch (error) {
    if (!isRefused(error)) throw error;
    lines.push({ type: "missing", what: "The order of issues", reason: sentence(error.message) });
  }
}

import type {
  BoardCard,
  BoardCardDetail,
  BoardView,
  BoardWords,
  SearchedCard,
} from "#connectors/contract/board-view.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { mergeNotes } from "#connectors/toolkit/views/merge-notes.ts";
import { newestNotes } from "#connectors/toolkit/views/newest-notes.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import { recordPaths } from "../record-paths.ts";
import { type IssueRecord, issueRecordSchema } from "../record-types.ts";
import { adfToMarkdown } from "./adf-markdown.ts";
import { issueIdOf, roleOfIssueEntry } from "./issue-entry.ts";
import { isDone, issueFields, pointsOf, tagsOf, wordsOfIssue } from "./issue-facts.ts";
import { changeNote, commentNote, worklogNote } from "./issue-notes.ts";
import {
  filesOfIssue,
  findExtras,
  findIssue,
  relationFields,
  subtaskCount,
  subtaskList,
  titleOf,
} from "./issue-relations.ts";
import type { Names } from "./names.ts";

/** Issues without a rank come after the ranked ones, in the order of their ids. */
const UNRANKED = "~";

const WORDS: BoardWords = {
  card: { one: "issue", many: "issues" },
  column: { one: "column", many: "columns" },
  people: "assignee",
  away: "hidden",
};

/** Where the issues of a board stand. */
export type Placement = {
  /** Id of an issue's column. */
  columnOf(issue: IssueRecord): string;
  /** Id of the field that ranks issues. */
  rankField: string | null;
};

/** Everything of a board view that concerns its cards. Keeps nothing of an issue when it reads the next one. */
export function issueCards(
  snapshot: SnapshotView,
  names: Names,
  placement: Placement,
): Omit<BoardView, "facts" | "columns"> {
  return {
    words: WORDS,
    async *cards() {
      const titles = titleCache(snapshot);
      for await (const { issue, commentCount } of issuesWithCounts(snapshot)) {
        const columnId = placement.columnOf(issue);
        const { parent, issuetype } = issue.fields;
        const epic = parent && !issuetype.subtask ? await titles(parent) : null;
        const front = cardFront(issue, names, { columnId, placement, commentCount, epic });
        yield { ...front, words: wordsOfIssue(issue, names) } satisfies SearchedCard;
      }
    },
    async card(id) {
      const issue = await findIssue(snapshot, id);
      return issue && (await cardDetail(snapshot, issue, { names, placement }));
    },
    comments: (id, range) =>
      newestNotes(snapshot, { prefix: `${recordPaths.issueFolder(id)}comments/`, range }, async ({ path }) =>
        commentNote({ path, value: await snapshot.readRecord(path) }),
      ),
    async comment(path) {
      if ((await snapshot.find(path))?.kind !== "comment") return null;
      return commentNote({ path, value: await snapshot.readRecord(path) });
    },
    history: (id, range) =>
      mergeNotes(
        snapshot,
        [
          {
            prefix: `${recordPaths.issueFolder(id)}changes/`,
            read: async ({ path }) => changeNote({ path, value: await snapshot.readRecord(path) }, names),
          },
          {
            prefix: `${recordPaths.issueFolder(id)}worklogs/`,
            read: async ({ path }) => worklogNote({ path, value: await snapshot.readRecord(path) }),
          },
        ],
        range,
        "newest",
      ),
    roleOf: roleOfIssueEntry,
  };
}

/** Every issue with the number of its comments, which come right before it in the order of entries. */
export async function* issuesWithCounts(
  snapshot: SnapshotView,
): AsyncGenerator<{ issue: IssueRecord; path: string; commentCount: number }, void> {
  let [folder, commentCount]: [string | null, number] = [null, 0];
  for await (const { path, kind } of snapshot.list(recordPaths.issues)) {
    const own = issueIdOf(path);
    if (own !== folder) [folder, commentCount] = [own, 0];
    if (kind === "comment") commentCount += 1;
    if (kind !== "issue") continue;
    yield { issue: issueRecordSchema.parse(await snapshot.readRecord(path)), path, commentCount };
  }
}

function cardFront(
  issue: IssueRecord,
  names: Names,
  order: { columnId: string; placement: Placement; commentCount: number; epic: string | null },
): BoardCard {
  const { id, key, fields } = issue;
  const points = pointsOf(issue, names);
  const dueAt = timeOf(fields.duedate);
  const subtasks = subtaskCount(issue);
  return {
    id,
    path: recordPaths.issue(id),
    columnId: order.columnId,
    rank: rankOf(issue, order.placement),
    key,
    title: fields.summary,
    isArchived: false,
    role: null,
    tags: tagsOf(issue),
    cover: null,
    startAt: null,
    dueAt,
    // A done issue is not overdue. Without a day it is just in its column.
    isDone: dueAt !== null && isDone(issue),
    people: fields.assignee === null ? [] : [fields.assignee.displayName || "Somebody"],
    checks: null,
    commentCount: order.commentCount,
    fileCount: fields.attachment.length,
    hasText: fields.description !== null,
    badges: [
      fields.issuetype.name,
      ...(fields.priority === null ? [] : [fields.priority.name]),
      ...(points === null ? [] : [points === 1 ? "1 point" : `${points} points`]),
      ...(order.epic === null ? [] : [order.epic]),
      ...(subtasks === 0 ? [] : [subtasks === 1 ? "1 sub-task" : `${subtasks} sub-tasks`]),
    ],
  };
}

/** Ranks are texts that sort (LexoRank), e.g. `0|i0003b:`. */
function rankOf({ id, fields }: IssueRecord, { rankField }: Placement): string {
  const value = rankField === null ? null : fields[rankField];
  return typeof value === "string" && value !== "" ? value : `${UNRANKED}${id.padStart(12, "0")}`;
}

async function cardDetail(
  snapshot: SnapshotView,
  issue: IssueRecord,
  { names, placement }: { names: Names; placement: Placement },
): Promise<BoardCardDetail> {
  const columnId = placement.columnOf(issue);
  let commentCount = 0;
  for await (const _ of snapshot.list(`${recordPaths.issueFolder(issue.id)}comments/`)) commentCount += 1;
  const extras = await findExtras(snapshot, issue.id);
  const { parent, issuetype } = issue.fields;
  const epic = parent && !issuetype.subtask ? await titleOf(snapshot, parent) : null;
  const subtasks = await subtaskList(snapshot, issue);
  const front = cardFront(issue, names, { columnId, placement, commentCount, epic });
  return {
    ...front,
    // The list of sub-tasks says how many there are.
    badges: subtasks === null ? front.badges : front.badges.slice(0, -1),
    checks: subtasks && {
      done: subtasks.items.filter((item) => item.isDone).length,
      total: subtasks.items.length,
    },
    url: null,
    text: adfToMarkdown(issue.fields.description),
    fields: [
      ...issueFields(issue, names, ["assignee", "duedate"]),
      ...(await relationFields(snapshot, issue, extras)),
    ],
    checklists: subtasks === null ? [] : [subtasks],
    files: await filesOfIssue(snapshot, issue, extras),
  };
}

/** Titles of epics, which many issues share. */
function titleCache(snapshot: SnapshotView): (reference: { id: string; key: string }) => Promise<string> {
  const known = new Map<string, string>();
  return async (reference) => {
    const title = known.get(reference.id) ?? (await titleOf(snapshot, reference));
    if (known.size >= 500) known.clear();
    known.set(reference.id, title);
    return title;
  };
}

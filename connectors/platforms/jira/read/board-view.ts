import type { BoardColumn, BoardView } from "#connectors/contract/board-view.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import { type BoardRecord, type IssueRecord, projectRecordSchema } from "../record-types.ts";
import { issueCards } from "./issue-cards.ts";
import { sprintOf } from "./issue-facts.ts";
import { readNames } from "./names.ts";

/** Columns that Jira does not have, for issues that its board does not show. They are hidden at first. */
const ELSEWHERE: BoardColumn = { id: "elsewhere", path: null, title: "Not on this board", isArchived: true };
const WAITING: BoardColumn = { id: "waiting", path: null, title: "Not in the sprint", isArchived: true };

/**
 * A board by its columns. A board of sprints shows the issues of its active sprints, as in Jira. A board's filter and
 * sub-filter are queries that only Jira can run, so all issues of the project count as its own.
 */
export async function boardView(snapshot: SnapshotView, board: BoardRecord): Promise<BoardView> {
  const names = await readNames(snapshot);
  const columnOfStatus = new Map<string, string>();
  const columns = board.columns.map(({ name, statuses }, index): BoardColumn => {
    const id = `column-${index + 1}`;
    for (const status of statuses) columnOfStatus.set(status.id, id);
    return { id, path: null, title: name, isArchived: false };
  });
  const isActive = (sprint: { state: string } | null) => sprint?.state === "active";
  const hasSprint = board.type === "scrum" && [...names.sprints.values()].some(isActive);
  const columnOf = (issue: IssueRecord): string => {
    const column = columnOfStatus.get(issue.fields.status.id);
    if (column === undefined || (isEpic(issue) && board.type !== "kanban")) return ELSEWHERE.id;
    return hasSprint && !isActive(sprintOf(issue, names)) ? WAITING.id : column;
  };
  return {
    facts: async () => ({
      ...(await projectText(snapshot)),
      title: board.name,
      url: null,
      isArchived: false,
    }),
    columns: async () => [...columns, ...(hasSprint ? [WAITING] : []), ELSEWHERE],
    ...issueCards(snapshot, names, { columnOf, rankField: board.rankFieldId ?? names.rankField }),
  };
}

/** Epics and what stands above them. */
export function isEpic({ fields }: IssueRecord): boolean {
  return fields.issuetype.hierarchyLevel > 0;
}

/** The project's description. */
export async function projectText(snapshot: SnapshotView): Promise<{ text: string }> {
  if ((await snapshot.find(recordPaths.project)) === null) return { text: "" };
  const { description } = projectRecordSchema.parse(await snapshot.readRecord(recordPaths.project));
  return { text: description ?? "" };
}

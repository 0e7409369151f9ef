import type { BoardColumn, BoardView } from "#connectors/contract/board-view.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import type { IssueRecord, SprintRecord } from "../record-types.ts";
import { isEpic } from "./board-view.ts";
import { issueCards } from "./issue-cards.ts";
import { isDone, sprintOf } from "./issue-facts.ts";
import { readNames } from "./names.ts";

const BACKLOG: BoardColumn = { id: "backlog", path: null, title: "Backlog", isArchived: false };
const DONE: BoardColumn = { id: "done", path: null, title: "Done without a sprint", isArchived: true };
const ELSEWHERE: BoardColumn = {
  id: "elsewhere",
  path: null,
  title: "Epics and sub-tasks",
  isArchived: true,
};
/** Sprints as Jira's backlog lists them. */
const STATES = ["active", "future", "closed"];

/**
 * Sprints and the backlog, in the order of the board. Closed sprints are archived, and so is what Jira's
 * backlog does not list.
 */
export async function backlogView(snapshot: SnapshotView): Promise<BoardView> {
  const names = await readNames(snapshot);
  const sprints = [...names.sprints.values()].toSorted(
    (one, other) => orderOf(one) - orderOf(other) || Number(one.id) - Number(other.id),
  );
  const columnOf = (issue: IssueRecord): string => {
    if (isEpic(issue) || issue.fields.issuetype.subtask) return ELSEWHERE.id;
    const sprint = sprintOf(issue, names);
    if (sprint !== null && names.sprints.has(sprint.id) && (sprint.state !== "closed" || isDone(issue)))
      return columnId(sprint);
    return isDone(issue) ? DONE.id : BACKLOG.id;
  };
  return {
    facts: async () => ({ title: "Backlog", text: "", url: null, isArchived: false }),
    columns: async () => {
      const shown = sprints.map(
        (sprint): BoardColumn => ({
          id: columnId(sprint),
          path: recordPaths.sprint(sprint.id),
          title: sprint.name,
          isArchived: sprint.state === "closed",
        }),
      );
      const isShut = ({ isArchived }: BoardColumn) => isArchived;
      return [...shown.filter((each) => !isShut(each)), BACKLOG, ...shown.filter(isShut), DONE, ELSEWHERE];
    },
    ...issueCards(snapshot, names, { columnOf, rankField: names.rankField }),
  };
}

const columnId = ({ id }: Pick<SprintRecord, "id">): string => `sprint-${id}`;
const orderOf = ({ state }: SprintRecord): number => STATES.indexOf(state);

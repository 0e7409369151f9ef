import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { recordPaths } from "../record-paths.ts";
import { type BoardRecord, boardRecordSchema } from "../record-types.ts";
import { backlogView } from "./backlog-view.ts";
import { boardView } from "./board-view.ts";
import { issuesView } from "./issues-view.ts";
import { readAll } from "./names.ts";

/**
 * The views: each board by its columns, the backlog if there are sprints, and all issues. Projects of people's work
 * without a board have only the issues. The first one is compared.
 */
export async function views(snapshot: SnapshotView): Promise<readonly View[]> {
  const issues = issuesView(snapshot);
  if (issues === null) return [];
  const boards = await readAll(snapshot, recordPaths.boards, boardRecordSchema);
  const shown = boards.filter(({ columns }) => columns.length > 0);
  const labels = labelsOf(shown);
  const hasSprints = (snapshot.counts().sprint ?? 0) > 0;
  return [
    ...shown.map(
      (board, index): View => ({
        ...{ kind: "board", id: `board-${board.id}`, label: labels[index]! },
        open: () => boardView(snapshot, board),
      }),
    ),
    ...(hasSprints
      ? [{ kind: "board" as const, id: "backlog", label: "Backlog", open: () => backlogView(snapshot) }]
      : []),
    issues,
  ];
}

/** One board is "Board"; several have their names, which need not differ in Jira. */
function labelsOf(boards: readonly BoardRecord[]): string[] {
  if (boards.length === 1) return ["Board"];
  const isTwice = ({ name }: BoardRecord) => boards.filter((other) => other.name === name).length > 1;
  return boards.map((board) =>
    isTwice(board) || /^(backlog|issues)$/i.test(board.name) ? `${board.name} (${board.id})` : board.name,
  );
}

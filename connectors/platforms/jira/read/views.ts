import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { TableView } from "#connectors/contract/table-view.ts";
import type { View, ViewOf } from "#connectors/contract/view.ts";
import { recordPaths } from "../record-paths.ts";
import { type BoardRecord, boardRecordSchema } from "../record-types.ts";
import { backlogView } from "./backlog-view.ts";
import { boardView } from "./board-view.ts";
import { componentsView } from "./components-view.ts";
import { issuesView } from "./issues-view.ts";
import { readAll } from "./names.ts";
import { versionsView } from "./versions-view.ts";
import { workflowView } from "./workflow-view.ts";

/**
 * The views: each board by its columns, the backlog if there are sprints, all issues, and what the project consists of:
 * versions, components and the workflow. Projects of people's work have no board. An issue is compared in the first one.
 */
export async function views(snapshot: SnapshotView): Promise<readonly View[]> {
  const issues = issuesView(snapshot);
  const tables = projectTables(snapshot);
  if (issues === null) return tables;
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
    ...tables,
  ];
}

/** Tables of the configuration that have rows. */
function projectTables(snapshot: SnapshotView): View[] {
  const { version = 0, component = 0, status = 0 } = snapshot.counts();
  const table = (id: string, label: string, open: () => TableView | Promise<TableView>): ViewOf<"table"> => ({
    ...{ kind: "table", id, label },
    open: async () => await open(),
  });
  return [
    ...(version === 0
      ? []
      : [{ ...table("versions", "Versions", () => versionsView(snapshot)), count: version }]),
    ...(component === 0
      ? []
      : [{ ...table("components", "Components", () => componentsView(snapshot)), count: component }]),
    ...(status === 0 ? [] : [table("workflow", "Workflow", () => workflowView(snapshot))]),
  ];
}

/** Names of the views that are not boards. */
const OTHERS = /^(?:backlog|issues|versions|components|workflow)$/i;

/** One board is "Board"; several have their names, which need not differ in Jira. */
function labelsOf(boards: readonly BoardRecord[]): string[] {
  if (boards.length === 1) return ["Board"];
  const isTwice = ({ name }: BoardRecord) => boards.filter((other) => other.name === name).length > 1;
  return boards.map((board) =>
    isTwice(board) || OTHERS.test(board.name) ? `${board.name} (${board.id})` : board.name,
  );
}

import type { QuestionOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { COLUMNS, COMMENTS, KEY, LONGEST_KEY, RESTRICTED, TEMPLATE, WATCHERS, WORKLOGS } from "./answers.ts";
import { proposeColumns } from "./columns.ts";
import { countColumns } from "./count-columns.ts";
import { restCalls } from "./rest-calls.ts";
import { requirePart } from "./restored-issues.ts";
import { targetColumns } from "./target-frame.ts";
import { templatesOf } from "./templates.ts";
import { readFrame, type VersionFrame } from "./version-frame.ts";

/** Few enough for a form. */
const MOST_COLUMNS = 80;

const SWITCHES = {
  comments: {
    ...{ type: "switch", name: COMMENTS, label: "Bring comments back", default: true },
    help: "A line above each names its author and time, because Jira shows the connected account.",
  },
  worklogs: {
    ...{ type: "switch", name: WORKLOGS, label: "Bring logged work back", default: true },
    help: "With the time of the work; a line in each names who logged it.",
  },
  watchers: {
    ...{ type: "switch", name: WATCHERS, label: "Let the same people watch the issues", default: false },
    help: "Jira then writes to them about every change, also of this restore.",
  },
  restricted: {
    ...{
      type: "switch",
      name: RESTRICTED,
      label: "Bring restricted issues back without their restriction",
      default: false,
    },
    help: "Only if the target does not have their security level. Otherwise such issues are left out.",
  },
} as const satisfies Record<string, RestoreQuestion>;

/** What is asked before a restore: where the columns go, or how a new project is made, and what comes along. */
export async function restoreQuestions(
  session: Session,
  snapshot: SnapshotView,
  order: QuestionOrder,
): Promise<readonly RestoreQuestion[]> {
  await requirePart(snapshot, order);
  const frame = await readFrame(snapshot);
  const first =
    order.target.kind === "new"
      ? newQuestions(frame)
      : await columnQuestion(
          { session, snapshot, frame },
          { ...order, projectId: order.target.item.externalId },
        );
  const { comment = 0, worklog = 0 } = snapshot.counts();
  return [
    ...first,
    ...(comment > 0 ? [SWITCHES.comments] : []),
    ...(worklog > 0 ? [SWITCHES.worklogs] : []),
    SWITCHES.watchers,
    SWITCHES.restricted,
  ];
}

function newQuestions(frame: VersionFrame): RestoreQuestion[] {
  const templates = templatesOf(frame);
  const [likely] = templates;
  const key: RestoreQuestion = {
    ...{ type: "text", name: KEY, label: "Key of the new project", maxLength: LONGEST_KEY, default: "" },
    help: `Capital letters and digits. Empty = ${frame.project.key} with an R, or another free one.`,
  };
  if (likely === undefined) return [key];
  const options = templates.map(({ value, label, help }) => ({ value, label, ...(help && { help }) }));
  return [
    {
      ...{ type: "choice", name: TEMPLATE, label: "Template", options, default: likely.value },
      help: "It decides the columns, work types and fields of the new project.",
    },
    key,
  ];
}

/** Columns are matched between software projects only (spec P-437, P-457). */
async function columnQuestion(
  { session, snapshot, frame }: { session: Session; snapshot: SnapshotView; frame: VersionFrame },
  { projectId, part, hasCounts }: Pick<QuestionOrder, "part" | "hasCounts"> & { projectId: string },
): Promise<RestoreQuestion[]> {
  if (!hasColumns(frame.project)) return [];
  const calls = restCalls(session);
  const project = await calls.project(projectId);
  if (!hasColumns(project)) return [];
  const right = await targetColumns(calls, project.id, await calls.boards(project.id));
  const columns = frame.columns.slice(0, MOST_COLUMNS);
  if (columns.length === 0 || right.length === 0) return [];
  const { left, ...proposal } = proposeColumns(columns, right);
  const counts = hasCounts ? await countColumns(snapshot, { columns, part }) : null;
  return [
    {
      ...{
        type: "matching",
        name: COLUMNS,
        label: "Match Columns",
        things: { one: "column", many: "columns" },
      },
      help: "Issues go to the column that you choose. Those of a column that is left out stay in the first status, and their description names the old one.",
      ...proposal,
      left: counts === null ? left : left.map((one) => ({ ...one, count: counts.byColumn.get(one.id) ?? 0 })),
      ...(counts !== null && { counted: { one: "issue", many: "issues", isEstimate: counts.isEstimate } }),
      isRequired: true,
    },
  ];
}

/** Whether a project has columns that can be matched. */
export function hasColumns({ projectTypeKey }: { projectTypeKey: string }): boolean {
  return projectTypeKey === "software";
}

import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { defineOperation } from "#connectors/contract/operations.ts";
import { columnId } from "./columns.ts";
import { restCalls } from "./rest-calls.ts";
import { hasColumns } from "./restore-questions.ts";
import { targetColumns } from "./target-frame.ts";
import { readFrame } from "./version-frame.ts";

const wireId = z.string().min(1).max(64);
const NO_COLUMNS = "Columns are matched between software projects only.";
const NO_DESK_COLUMNS = "Jira Service Management projects cannot match columns.";

/**
 * The columns of a backed-up project and of the project that it is restored into, so that a client can match them (spec
 * P-379). `backedUpProjectId` and `versions` are our ids, `restoredProjectId` is Jira's.
 */
export const getProjectsColumns = defineOperation({
  method: "POST",
  path: "get-projects-columns",
  summary: "Columns of a backed-up project and of the one that receives it",
  input: z.strictObject({ backedUpProjectId: wireId, restoredProjectId: wireId, versions: wireId }),
  result: z.object({
    backedUpProjectColumns: z.array(z.object({ transitionId: z.string(), name: z.string() })),
    restoredProjectColumns: z.array(z.object({ name: z.string() })),
  }),
  isStateChanging: false,
  async handle({ session, openVersion }, { backedUpProjectId, restoredProjectId, versions }) {
    const { snapshot } = await openVersion({ itemId: backedUpProjectId, snapshotId: versions });
    const { project, columns } = await readFrame(snapshot);
    requireColumns(project);
    const calls = restCalls(session);
    const target = await calls.project(restoredProjectId);
    requireColumns(target);
    const there = await targetColumns(calls, target.id, await calls.boards(target.id));
    return {
      backedUpProjectColumns: columns.map((column) => ({
        transitionId: columnId(column),
        name: column.name,
      })),
      restoredProjectColumns: [...new Set(there.map(({ name }) => name))].map((name) => ({ name })),
    };
  },
});

/** @throws ConnectorError `unsupported` for a project whose columns cannot be matched (spec P-437) */
function requireColumns(project: { projectTypeKey: string }): void {
  if (hasColumns(project)) return;
  const isDesk = project.projectTypeKey === "service_desk";
  throw new ConnectorError("unsupported", isDesk ? NO_DESK_COLUMNS : NO_COLUMNS);
}

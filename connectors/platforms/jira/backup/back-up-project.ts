import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { paths } from "../client.ts";
import { readProject } from "../inventory.ts";
import { type Named, type Project, typeStatusesSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { plainForm, sortedById } from "./issue-form.ts";
import { formerNames, withNames } from "./people-names.ts";
import { NOTES, noted, openProject } from "./project-run.ts";

/** Parts of a project that have records of their own, or change by themselves. */
const APART = [
  "components",
  "versions",
  "issueTypes",
  "roles",
  "insight",
  "permissions",
  "favourite",
  "simplified",
];
/** What Jira derives from a version's dates and the language of the account. */
const DERIVED = ["overdue", "userStartDate", "userReleaseDate"];

/** The project with its components, versions, types of issues and statuses: two calls. */
export const projectStage: BackupStage = {
  id: "project",
  async *run(run) {
    yield {
      type: "progress",
      progress: { phase: "Reading the project", done: 0, total: 2, unit: "requests" },
    };
    const { client, projectId } = openProject(run);
    const project = withoutFormer(run, await readProject(run.session, projectId));
    const call = { method: "GET", path: paths.projectStatuses(projectId), endpoint: "project" } as const;
    const types = await client.request({ ...call, about: "the statuses" }, typeStatusesSchema);
    if (project.insight?.totalIssueCount != null)
      run.notes[NOTES.allIssues] = project.insight.totalIssueCount;
    yield { type: "reported", kind: "project", count: 1 };
    const value = plainForm(without(project, APART));
    yield await noted(run, {
      type: "record",
      path: recordPaths.project,
      kind: "project",
      title: project.name,
      value,
    });
    yield* each(run, project.components, "component", recordPaths.component);
    yield* each(
      run,
      project.versions.map((version) => without(version, DERIVED) as Named),
      "version",
      recordPaths.version,
    );
    yield* each(run, typesWithStatuses(project, types), "issue-type", recordPaths.issueType);
    const statuses = new Map(types.flatMap((type) => type.statuses).map((status) => [status.id, status]));
    yield* each(run, [...statuses.values()], "status", recordPaths.status);
  },
};

/** The project may be led by somebody whose account was closed. */
function withoutFormer(run: StagesRun, project: Project): Project {
  return withNames(project as Json, formerNames(run.order.peopleNews)) as Project;
}

/** Each type with the ids of its statuses, in the order of its workflow. */
function typesWithStatuses(project: Project, types: readonly (Named & { statuses: Named[] })[]): Named[] {
  const listed =
    project.issueTypes.length > 0
      ? project.issueTypes
      : types.map(({ statuses: _, ...type }) => type as Named);
  return listed.map((type) => ({
    ...type,
    statuses: types.find(({ id }) => id === type.id)?.statuses.map(({ id }) => id) ?? [],
  }));
}

async function* each(
  run: StagesRun,
  all: readonly Named[],
  kind: string,
  pathOf: (id: string) => string,
): AsyncGenerator<BackupEvent, void> {
  yield { type: "reported", kind, count: all.length };
  for (const one of sortedById(all as unknown as readonly Json[]) as unknown as Named[]) {
    const value = plainForm(one);
    yield await noted(run, { type: "record", path: pathOf(one.id), kind, title: one.name || one.id, value });
  }
}

function without(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

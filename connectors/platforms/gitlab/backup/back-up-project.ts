import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { LFS } from "#connectors/toolkit/git/lfs/lfs-records.ts";
import { ownRecord } from "#connectors/toolkit/records/own-record.ts";
import { type BackupStage, runStages } from "#connectors/toolkit/records/run-stages.ts";
import { gitlabClient } from "../client.ts";
import { GIT } from "../git-platform.ts";
import { getProject } from "../inventory.ts";
import { type ProjectRecord, projectRecord, projectRecordSchema } from "../read/project-record.ts";
import { recordPaths } from "../record-paths.ts";
import { gitStage, wikiStage } from "./back-up-git.ts";
import { issuablesStage } from "./back-up-issuables.ts";
import { listStages } from "./back-up-lists.ts";
import { settingStages } from "./back-up-settings.ts";
import { uploadsStage } from "./back-up-uploads.ts";

/**
 * One version of a project: its settings, git data and wiki, then everything else as records. The settings come with
 * the item. The engine reads the item by id at the start of the run, so renames and moves are followed.
 */
export async function* backUpProject(session: Session, order: BackupOrder): AsyncGenerator<BackupEvent> {
  const parsed = projectRecordSchema.safeParse(order.item.details);
  const project = parsed.success
    ? parsed.data
    : projectRecord(await getProject(gitlabClient(session), order.item));
  const { fullName: title } = order.item;
  yield* ownRecord({ kind: "project", path: recordPaths.project, title, value: project });
  yield* runStages(stagesOf(project), session, order);
}

function stagesOf(project: ProjectRecord): BackupStage[] {
  const { access } = project;
  const git = gitStage((run) => getProject(gitlabClient(run.session), run.order.item));
  return [
    access.repository === "disabled" || project.isEmpty === true ? codeStage(project, git) : git,
    switched(wikiStage, access.wiki, "The wiki is"),
    ...listStages(project.id),
    switched(issuablesStage("issue", project.id), access.issues, "Issues are"),
    switched(issuablesStage("merge-request", project.id), access.mergeRequests, "Merge requests are"),
    uploadsStage(project.id),
    ...settingStages(project.id),
  ];
}

/**
 * The git data of a project that may have none: GitLab serves a disabled repository to nobody, and may not create one
 * before the first push. The version then reports this and still holds everything else.
 */
function codeStage({ access }: ProjectRecord, git: BackupStage): BackupStage {
  return {
    ...git,
    optional: { kind: "git", path: GIT, prefixes: [GIT, LFS] },
    async *run(run, cursor) {
      if (access.repository !== "disabled") return yield* git.run(run, cursor);
      throw new ConnectorError("forbidden", "The repository is switched off in this project now.");
    },
  };
}

/**
 * Skips a stage that is switched off in the project. If the previous version has entries of that stage, they are kept and
 * the version reports it.
 */
function switched(stage: BackupStage, level: string | null, what: string): BackupStage {
  if (level !== "disabled") return stage;
  return {
    ...stage,
    // biome-ignore lint/correctness/useYield: -- it says why there is nothing to yield
    async *run({ order }) {
      for (const prefix of stage.optional?.prefixes ?? []) {
        for await (const _ of order.previous?.list(prefix) ?? []) {
          throw new ConnectorError("forbidden", `${what} switched off in this project now.`);
        }
      }
    },
  };
}

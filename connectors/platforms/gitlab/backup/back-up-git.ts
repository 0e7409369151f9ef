import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent, PlatformItem, Session } from "#connectors/contract/platform-connector.ts";
import { backUpRepository } from "#connectors/toolkit/git/repository/back-up-repository.ts";
import { hasRepository } from "#connectors/toolkit/git/repository/git-chain.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { gitlabClient, gitlabRemote } from "../client.ts";
import { GIT, gitPlatform, plainGitPlatform, WIKI } from "../git-platform.ts";
import { getProject } from "../inventory.ts";

/**
 * The git data of a project or snippet, with the Git LFS files that a project's history references. `lookAgain` reads
 * the item again: git's "not found" may be about access, and an item that the API still shows is not deleted.
 */
export function gitStage(lookAgain: (run: StagesRun) => Promise<unknown>): BackupStage {
  return {
    id: "git",
    takesEveryPoint: true,
    async *run(run, cursor) {
      try {
        yield* repository(run, { path: run.order.item.fullName, prefix: GIT, cursor });
      } catch (error) {
        if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
        await lookAgain(run);
        const message = `GitLab shows this ${run.order.item.kind} but not its git data. ${error.message}`;
        throw new ConnectorError("forbidden", message, { status: error.status ?? undefined, cause: error });
      }
    },
  };
}

/** The wiki's git data. A wiki without pages has no repository, so the version has none either. */
export const wikiStage: BackupStage = {
  id: "wiki",
  takesEveryPoint: true,
  optional: { kind: "wiki", path: WIKI, prefixes: [WIKI] },
  async *run(run, cursor) {
    try {
      yield* repository(run, { path: `${run.order.item.fullName}.wiki`, prefix: WIKI, cursor });
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
      const { previous } = run.order;
      if (previous === null || !(await hasRepository(previous, WIKI))) return;
      const reason = "The previous version holds a wiki. GitLab shows none any more: it was deleted.";
      yield { type: "skipped", path: WIKI, kind: "wiki", reason };
    }
  },
};

/** Whether the project may have Git LFS files: GitLab reports their total size, or nothing, which counts as yes. */
async function holdsLfsFiles(session: Session, item: PlatformItem): Promise<boolean> {
  const { statistics } = await getProject(gitlabClient(session), item);
  return statistics?.lfs_objects_size !== 0;
}

function repository(
  { session, order }: StagesRun,
  { path, prefix, cursor }: { path: string; prefix: string; cursor: Json | null },
): AsyncIterable<BackupEvent> {
  // Wikis and snippets have neither merge requests nor Git LFS files.
  const isProject = prefix === GIT && order.item.kind === "project";
  return backUpRepository({
    platform: isProject ? gitPlatform : plainGitPlatform,
    remote: gitlabRemote(session, path),
    prefix,
    lfs: isProject ? { isLikely: () => holdsLfsFiles(session, order.item) } : undefined,
    previous: order.previous,
    cursor,
    sizeHintBytes: prefix === GIT ? order.item.sizeHintBytes : null,
  });
}

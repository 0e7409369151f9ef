import type { NewTarget, RestoredItem, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { restoreFiles } from "#connectors/toolkit/git/lfs/restore-lfs.ts";
import { restoreGit } from "#connectors/toolkit/git/repository/push-repository.ts";
import { githubClient, githubRemote, wikiName } from "../client.ts";
import { GIT, gitPlatform } from "../git-platform.ts";
import { readGit, tagsOf } from "../read/read-git.ts";
import { repositoryRecordSchema } from "../read/repository-record.ts";
import { recordPaths } from "../record-paths.ts";
import { restoreAutolinks } from "./restore-autolinks.ts";
import { restoreCommitComments } from "./restore-commit-comments.ts";
import type { RestoreIo } from "./restore-io.ts";
import { reportKept } from "./restore-kept.ts";
import { restoreLabels } from "./restore-labels.ts";
import { restoreMilestones } from "./restore-milestones.ts";
import { pacedClient } from "./restore-pace.ts";
import type { Answers } from "./restore-questions.ts";
import { restoreRelations } from "./restore-relations.ts";
import { restoreReleases } from "./restore-releases.ts";
import { applySettings } from "./restore-settings.ts";
import { createTarget, switchActionsOff } from "./restore-target.ts";
import { restoreThreads } from "./restore-threads.ts";
import { restoreWiki } from "./restore-wiki.ts";

/**
 * Restores a repository as a NEW one. It is created private, and Actions are switched off so that restored workflows do
 * not run. Then come Git LFS files, git packs and refs, the wiki, issues and pull requests in number order, releases,
 * and finally the settings.
 */
export async function* restoreRepository(
  deps: Pick<RestoreIo, "session" | "snapshot" | "journal">,
  { target, answers }: { target: NewTarget; answers: Answers },
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const { session, snapshot, journal } = deps;
  const source = repositoryRecordSchema.parse(await snapshot.readRecord(recordPaths.repository));
  const { refs, chain } = await readGit(snapshot);
  const client = pacedClient(session, githubClient(session));
  const created = yield* createTarget({ session, client, journal }, { source, target });
  const io: RestoreIo = { ...deps, client, created };
  yield* switchActionsOff({ client, journal }, created);
  const remote = githubRemote(session, created.fullName);
  yield* restoreFiles(deps, { remote, platform: gitPlatform.name });
  const branches = yield* restoreGit(deps, {
    platform: gitPlatform,
    remote,
    prefix: GIT,
    refs,
    chain,
    proposalBranches: answers.pullRequestBranches,
  });
  yield* restoreWiki(deps, { created, remote: githubRemote(session, wikiName(created.fullName)) });
  yield* restoreLabels(io);
  const milestones = yield* restoreMilestones(io);
  yield* restoreThreads(io, { sourceName: source.fullName, branches, milestones });
  yield* restoreRelations(io, { sourceName: source.fullName });
  yield* restoreReleases(io, tagsOf(refs));
  yield* restoreCommitComments(io);
  yield* restoreAutolinks(io);
  yield* reportKept(snapshot);
  yield* applySettings({ client }, { created, source, refs, branches });
  return created;
}

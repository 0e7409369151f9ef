import type {
  NewTarget,
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { restoreGit } from "#connectors/toolkit/git/repository/push-repository.ts";
import { gitlabClient, gitlabRemote } from "../client.ts";
import { GIT, gitPlatform } from "../git-platform.ts";
import { projectRecordSchema } from "../read/project-record.ts";
import { findGit, reportWithoutGit } from "../read/read-git.ts";
import { recordPaths } from "../record-paths.ts";
import { restoreBadges } from "./restore-badges.ts";
import { restoreBoards } from "./restore-boards.ts";
import { restoreIssueLinks } from "./restore-issue-links.ts";
import { restoreIssues } from "./restore-issues.ts";
import { reportKept } from "./restore-kept.ts";
import { restoreLabels } from "./restore-labels.ts";
import { restoreLfs } from "./restore-lfs.ts";
import { restoreMergeRequests } from "./restore-merge-requests.ts";
import { closeMilestones, restoreMilestones } from "./restore-milestones.ts";
import { openRestorePace } from "./restore-pace.ts";
import { restoreProtectedBranches } from "./restore-protected-branches.ts";
import { restoreProtectedTags } from "./restore-protected-tags.ts";
import type { Answers } from "./restore-questions.ts";
import { restoreReleases } from "./restore-releases.ts";
import { applySettings } from "./restore-settings.ts";
import { createTarget } from "./restore-target.ts";
import { restoreUploads } from "./restore-uploads.ts";
import { restoreWiki } from "./restore-wiki.ts";

/**
 * Restores a version as a new project, private, with e-mails and CI/CD switched off. Restores the Git LFS files, git
 * data and wiki, then attached files, labels, milestones, issues, merge requests, releases and boards, and the settings last. Each step
 * first checks what exists, so a replay after a crash continues without duplicates.
 */
export async function* restoreProject(
  session: Session,
  snapshot: SnapshotView,
  { target, answers }: { target: NewTarget; answers: Answers },
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const source = projectRecordSchema.parse(await snapshot.readRecord(recordPaths.project));
  const git = await findGit(snapshot);
  const client = gitlabClient(session);
  const created = yield* createTarget({ session, client, journal }, { source, target });
  const deps = { session, snapshot, journal };
  let branches = new Set<string>();
  if (git === null) yield* reportWithoutGit(source);
  else {
    yield* restoreLfs({ ...deps, client }, { created, chain: git.chain });
    branches = yield* restoreGit(deps, {
      platform: gitPlatform,
      remote: gitlabRemote(session, created.fullName),
      prefix: GIT,
      ...git,
      proposalBranches: answers.mergeRequestBranches,
    });
  }
  yield* restoreWiki(deps, created);
  yield { type: "checkpoint" };

  const io = { client, snapshot, projectId: created.externalId, session, journal };
  const project = { ...io, rewrite: yield* restoreUploads(io, source) };
  yield* restoreLabels(project);
  const milestones = yield* restoreMilestones(project);
  const issuables = { ...project, pace: openRestorePace(session), milestones };
  const lastIssue = yield* restoreIssues(issuables);
  yield* restoreIssueLinks(issuables, source);
  yield* restoreMergeRequests(issuables, { branches, lastIssue });
  yield* restoreReleases(project, milestones);
  yield* restoreBoards(project);
  yield* closeMilestones(project, milestones);
  yield* restoreProtectedBranches(project);
  yield* restoreProtectedTags(project);
  yield* restoreBadges(project);
  yield* applySettings({ client }, { created, source, refs: git?.refs ?? null, branches });
  yield* reportKept(project);
  return created;
}

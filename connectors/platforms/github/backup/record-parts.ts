import type { BackupPart } from "#connectors/toolkit/records/run-parts.ts";
import { commentsPart, deletedCommentsPart, reviewCommentsPart } from "./back-up-comments.ts";
import { deletionsPart } from "./back-up-deletions.ts";
import { discussionsPart } from "./back-up-discussions.ts";
import { eventsPart } from "./back-up-events.ts";
import { issuesPart } from "./back-up-issues.ts";
import { labelsPart, milestonesPart } from "./back-up-labels.ts";
import { projectsPart } from "./back-up-projects.ts";
import { pullsPart } from "./back-up-pulls.ts";
import { releasesPart } from "./back-up-releases.ts";
import { settingsPart } from "./back-up-settings.ts";
import { totalsPart } from "./back-up-totals.ts";
import { readNotes } from "./repository-run.ts";

/**
 * The parts of a repository that are not git. Later parts depend on earlier ones: the list of issues contains the pull
 * requests that changed, and deletions are checked last.
 */
export const recordParts: readonly BackupPart[] = [
  totalsPart,
  labelsPart,
  milestonesPart,
  issuesPart,
  whereThreadsAre(pullsPart),
  whereThreadsAre(commentsPart),
  whereThreadsAre(reviewCommentsPart),
  whereThreadsAre(eventsPart),
  deletedCommentsPart,
  deletionsPart,
  releasesPart,
  discussionsPart,
  projectsPart,
  settingsPart,
];

/** Skips a part when GitHub counts no issues and no pull requests, as in many repositories. */
function whereThreadsAre(part: BackupPart): BackupPart {
  return {
    ...part,
    async *run(run, cursor) {
      const { totals } = readNotes(run);
      if (totals?.issues !== 0 || totals.pulls !== 0) yield* part.run(run, cursor);
    },
  };
}

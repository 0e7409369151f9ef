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
 * Everything of a repository that is not git, in the order in which parts build on each other: the list of issues tells
 * which pull requests changed, and deletions are looked for when everything else is known.
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

/** A part that asks nothing of a repository in which GitHub counts neither issues nor pull requests; many have none. */
function whereThreadsAre(part: BackupPart): BackupPart {
  return {
    ...part,
    async *run(run, cursor) {
      const { totals } = readNotes(run);
      if (totals?.issues !== 0 || totals.pulls !== 0) yield* part.run(run, cursor);
    },
  };
}

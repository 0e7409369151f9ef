import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { commentsStage, deletedCommentsStage, reviewCommentsStage } from "./back-up-comments.ts";
import { commitCommentsStage } from "./back-up-commit-comments.ts";
import { deletionsStage } from "./back-up-deletions.ts";
import { discussionsStage } from "./back-up-discussions.ts";
import { eventsStage } from "./back-up-events.ts";
import { issuesStage } from "./back-up-issues.ts";
import { labelsStage, milestonesStage } from "./back-up-labels.ts";
import { projectsStage } from "./back-up-projects.ts";
import { pullsStage } from "./back-up-pulls.ts";
import { releasesStage } from "./back-up-releases.ts";
import { settingsStage } from "./back-up-settings.ts";
import { totalsStage } from "./back-up-totals.ts";
import { readNotes } from "./repository-run.ts";

/**
 * The stages of a repository that are not git. Later stages depend on earlier ones: the list of issues contains the pull
 * requests that changed, and deletions are checked last.
 */
export const recordStages: readonly BackupStage[] = [
  totalsStage,
  labelsStage,
  milestonesStage,
  issuesStage,
  whereThreadsAre(pullsStage),
  whereThreadsAre(commentsStage),
  whereThreadsAre(reviewCommentsStage),
  whereThreadsAre(eventsStage),
  deletedCommentsStage,
  deletionsStage,
  releasesStage,
  commitCommentsStage,
  discussionsStage,
  projectsStage,
  settingsStage,
];

/** Skips a stage when GitHub counts no issues and no pull requests, as in many repositories. */
function whereThreadsAre(stage: BackupStage): BackupStage {
  return {
    ...stage,
    async *run(run, cursor) {
      const { totals } = readNotes(run);
      if (totals?.issues !== 0 || totals.pulls !== 0) yield* stage.run(run, cursor);
    },
  };
}

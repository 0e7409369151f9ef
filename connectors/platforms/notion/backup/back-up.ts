import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { runStages, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { emojisStage, peopleStage } from "./back-up-people.ts";
import { findChangesStage } from "./find-changes.ts";
import { finishStage } from "./finish.ts";
import { lookAgainStage } from "./look-again.ts";
import { lookAtCommentsStage } from "./look-at-comments.ts";
import { openWork, type Work } from "./workspace-run.ts";

/**
 * A workspace as records. What changed is found by search and below the pages that changed, and only that is read. What no
 * change announces is found by a share of the workspace that is looked at again with every backup.
 */
export async function* backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  let work: Work | null = null;
  const open = (run: StagesRun) => {
    work ??= openWork(run);
    return work;
  };
  const stages = [
    findChangesStage(open),
    peopleStage(open),
    emojisStage(open),
    lookAgainStage(open),
    lookAtCommentsStage(open),
    finishStage(open),
  ];
  yield* runStages(stages, session, order, { isNeverWhole: true });
}

import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { runStages } from "#connectors/toolkit/records/run-stages.ts";
import { configurationStage } from "./back-up-configuration.ts";
import { deletionsStage } from "./back-up-deletions.ts";
import { filesStage } from "./back-up-files.ts";
import { issuesStage } from "./back-up-issues.ts";
import { peopleStage, withPeople } from "./back-up-people.ts";
import { projectStage } from "./back-up-project.ts";
import { rollingStage } from "./back-up-rolling.ts";
import { sightStage } from "./back-up-sight.ts";

/**
 * A project as records: the project, whose names it holds, its issues with everything on them, then what Jira no longer has, a share of the
 * issues that nothing says to have changed, files that were lacking, and the configuration if anything changed.
 */
export async function* backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  const issues = [issuesStage, deletionsStage, rollingStage, filesStage, sightStage];
  const stages = [projectStage, peopleStage, ...issues, configurationStage];
  yield* runStages(stages.map(withPeople), session, order, { isNeverWhole: true });
}

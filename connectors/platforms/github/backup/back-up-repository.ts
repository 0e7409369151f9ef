import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { ownRecord } from "#connectors/toolkit/records/own-record.ts";
import { runStages } from "#connectors/toolkit/records/run-stages.ts";
import { githubClient } from "../client.ts";
import { getRepository } from "../inventory.ts";
import { repositoryRecord, repositoryRecordSchema } from "../read/repository-record.ts";
import { recordPaths } from "../record-paths.ts";
import { gitStage, wikiStage } from "./back-up-git.ts";
import { recordStages } from "./record-stages.ts";

/**
 * Backs up a repository: its settings as a record, its git data and wiki, then everything else GitHub stores for it.
 * The settings come with the item, which the run read by id when it began. A rename or transfer is therefore followed.
 */
export async function* backUpRepository(session: Session, order: BackupOrder): AsyncGenerator<BackupEvent> {
  const parsed = repositoryRecordSchema.safeParse(order.item.details);
  const settings = parsed.success
    ? parsed.data
    : repositoryRecord(await getRepository(githubClient(session), order.item));
  const { fullName: title } = order.item;
  yield* ownRecord({ kind: "repository", path: recordPaths.repository, title, value: settings });
  yield* runStages([gitStage, wikiStage, ...recordStages], session, order);
}

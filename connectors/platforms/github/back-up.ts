import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { backUpGit } from "./back-up-git.ts";
import { githubClient } from "./client.ts";
import { ENTRY } from "./git-chain.ts";
import { getRepository } from "./inventory.ts";
import { repositoryRecord, repositoryRecordSchema } from "./repository-record.ts";

/**
 * One version of a repository: its settings as a record, then its git data. The settings came with the item, which
 * was read at the start of the run by its id, so a rename or a move to another owner is followed.
 */
export async function* backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  const told = repositoryRecordSchema.safeParse(order.item.details);
  const settings = told.success
    ? told.data
    : repositoryRecord(await getRepository(githubClient(session), order.item));
  yield { type: "reported", kind: "repository", count: 1 };
  yield {
    type: "record",
    path: ENTRY.repository,
    kind: "repository",
    title: order.item.fullName,
    value: settings,
  };
  yield* backUpGit(session, order);
}

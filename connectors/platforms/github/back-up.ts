import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { backUpRepository } from "#connectors/toolkit/git/repository/back-up-repository.ts";
import { githubClient, githubRemote } from "./client.ts";
import { GIT, gitPlatform } from "./git-platform.ts";
import { getRepository } from "./inventory.ts";
import { REPOSITORY_ENTRY, repositoryRecord, repositoryRecordSchema } from "./repository-record.ts";

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
    path: REPOSITORY_ENTRY,
    kind: "repository",
    title: order.item.fullName,
    value: settings,
  };
  yield* backUpGit(session, order);
}

async function* backUpGit(session: Session, order: BackupOrder): AsyncGenerator<BackupEvent> {
  const { item, previous, cursor } = order;
  const remote = githubRemote(session, item.fullName);
  const { sizeHintBytes } = item;
  try {
    yield* backUpRepository({ platform: gitPlatform, remote, prefix: GIT, previous, cursor, sizeHintBytes });
  } catch (error) {
    throw await explainMissing(session, order, error);
  }
}

/**
 * Git's "not found" may be about access. REST knows: it throws `gone` for what was deleted, and a repository that
 * it still shows must not count as a deletion.
 */
async function explainMissing(session: Session, { item }: BackupOrder, error: unknown): Promise<unknown> {
  if (!(error instanceof ConnectorError) || error.kind !== "gone") return error;
  await getRepository(githubClient(session), item);
  const message = `GitHub shows this repository but not its git data. ${error.message}`;
  return new ConnectorError("forbidden", message, { status: error.status ?? undefined, cause: error });
}

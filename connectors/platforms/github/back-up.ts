import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { backUpGit } from "./back-up-git.ts";
import { githubClient } from "./client.ts";
import { ENTRY } from "./git-chain.ts";
import { getRepository } from "./inventory.ts";
import { repositoryRecord } from "./repository-record.ts";

/**
 * One version of a repository: its settings as a record, then its git data. The repository is read anew, by its
 * id, so a rename or a move to another owner is followed and a deletion is known before git is asked.
 */
export async function* backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  yield {
    type: "progress",
    progress: { phase: "Reading the repository", done: 0, total: null, unit: "requests" },
  };
  const repository = await getRepository(githubClient(session), order.item);
  yield { type: "reported", kind: "repository", count: 1 };
  yield {
    type: "record",
    path: ENTRY.repository,
    kind: "repository",
    title: repository.full_name,
    value: repositoryRecord(repository),
  };
  yield* backUpGit(session, order, repository);
}

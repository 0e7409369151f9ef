import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { backUpGist } from "./back-up-gist.ts";
import { backUpRepository } from "./back-up-repository.ts";

/** Backs up a repository or a gist. */
export function backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  return order.item.kind === "gist" ? backUpGist(session, order) : backUpRepository(session, order);
}

import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { backUpProject } from "./back-up-project.ts";
import { backUpSnippet } from "./back-up-snippet.ts";

/** One version of a project or of a snippet. */
export function backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  return order.item.kind === "snippet" ? backUpSnippet(session, order) : backUpProject(session, order);
}

import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreTarget,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import { restoreProject } from "./restore-project.ts";
import { restoreSnippet } from "./restore-snippet.ts";

/**
 * Restores a version as a NEW project or snippet. Each step first checks what exists, so a replay after a crash
 * continues and creates nothing twice.
 */
export async function* restore(
  session: Session,
  snapshot: SnapshotView,
  target: RestoreTarget,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const isProject = (await snapshot.find(recordPaths.project)) !== null;
  return yield* (isProject ? restoreProject : restoreSnippet)(session, snapshot, target, journal);
}

import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreTarget,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "./record-paths.ts";
import { restoreGist } from "./restore-gist.ts";
import { restoreRepository } from "./restore-repository.ts";

/**
 * Brings a version back as a NEW repository or gist. Each step looks at what is there first, so a replay after a crash
 * continues and makes nothing twice.
 */
export async function* restore(
  session: Session,
  snapshot: SnapshotView,
  target: RestoreTarget,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const isGist = (await snapshot.find(recordPaths.gist)) !== null;
  return yield* isGist
    ? restoreGist({ session, snapshot, journal })
    : restoreRepository({ session, snapshot, journal }, target);
}

import type { RestoredItem, RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";

/** What every part of a restore works with: the version, the new repository, and the way there. */
export type RestoreIo = {
  session: Session;
  client: HttpClient;
  snapshot: SnapshotView;
  journal: RestoreJournal;
  created: RestoredItem;
};

/** Whether a version holds anything of a kind: what was not backed up is left to the new repository's own. */
export async function holdsAny(snapshot: SnapshotView, prefix: string): Promise<boolean> {
  for await (const _entry of snapshot.list(prefix)) return true;
  return false;
}

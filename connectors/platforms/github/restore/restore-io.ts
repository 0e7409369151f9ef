import type { RestoredItem, RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";

/** What every part of a restore works with. */
export type RestoreIo = {
  session: Session;
  client: HttpClient;
  snapshot: SnapshotView;
  journal: RestoreJournal;
  created: RestoredItem;
};

/** Whether a snapshot has any entry below a prefix. If not, the new repository keeps its defaults. */
export async function holdsAny(snapshot: SnapshotView, prefix: string): Promise<boolean> {
  for await (const _entry of snapshot.list(prefix)) return true;
  return false;
}

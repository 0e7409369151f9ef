import type { RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import type { Maker } from "#connectors/toolkit/records/make-once.ts";

/** What all steps of a restore work with. */
export type RestoreIo = {
  session: Session;
  client: HttpClient;
  snapshot: SnapshotView;
  journal: RestoreJournal;
  maker: Maker;
  /** Id of the board that is filled. */
  boardId: string;
  /** Id of the connected account: the only member that the new board has. */
  memberId: string;
};

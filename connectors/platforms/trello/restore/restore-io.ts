import type { RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import type { Maker } from "#connectors/toolkit/records/make-once.ts";

/** What all steps of a restore need. */
export type RestoreIo = {
  session: Session;
  client: HttpClient;
  snapshot: SnapshotView;
  journal: RestoreJournal;
  maker: Maker;
  /** Id of the board to fill. */
  boardId: string;
  /** Id of the connected account: the new board's only member. */
  memberId: string;
};

import type { RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import type { Maker } from "#connectors/toolkit/records/make-once.ts";
import type { StoredSource } from "../records.ts";
import type { IdMap } from "./id-map.ts";
import type { LossBook } from "./loss-book.ts";
import type { TextReferences } from "./rich-text.ts";
import type { Uploader } from "./upload-file.ts";

/** What all steps of a restore share. */
export type RestoreIo = {
  session: Session;
  client: HttpClient;
  snapshot: SnapshotView;
  journal: RestoreJournal;
  maker: Maker;
  ids: IdMap;
  losses: LossBook;
  uploader: Uploader;
  /** Whether a person is in the workspace; asks once for each. */
  isThere: (userId: string) => Promise<boolean>;
  /** The record of a data source, which all its rows need. */
  source: (sourceId: string) => Promise<StoredSource>;
  /** How texts are written. Ids must be loaded into `ids` before. */
  references: TextReferences;
};

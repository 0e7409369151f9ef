import { ConnectorError } from "#connectors/contract/connector-error.ts";
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

/** Whether GitHub refused one thing, so that the restore tells it and goes on; everything else is left to the next attempt. */
export function isRefusal(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
}

/** The refusal's words for the report. @throws the error when it is none */
export function refusalReason(error: unknown): string {
  if (!isRefusal(error)) throw error;
  return error.message;
}

/** Whether a version holds anything of a kind: what was not backed up is left to the new repository's own. */
export async function holdsAny(snapshot: SnapshotView, prefix: string): Promise<boolean> {
  for await (const _entry of snapshot.list(prefix)) return true;
  return false;
}

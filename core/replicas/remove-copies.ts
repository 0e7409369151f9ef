import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { JobPayload } from "#core/jobs/index.ts";
import type { MailServices, StorageServices, Uses } from "#core/services.ts";
import { REMOVE_AT_ONCE } from "./limits.ts";
import { noteTrouble } from "./note-trouble.ts";
import { openStorageSession, storageConnectorOf } from "./open-storage.ts";
import { forgetCopies, listExpiredCopies } from "./replica.store.ts";
import { findStorageRow } from "./storage.store.ts";

/**
 * Removes the files of expired versions: only files that we wrote and nobody has changed. It may stop at any point and
 * be repeated. Removals that the storage refuses are retried within the hour.
 */
export async function removeCopies(
  s: StorageServices & MailServices & Uses<"ledger">,
  { region, organisationId }: JobPayload<"remove-copies">,
): Promise<void> {
  const storage = await findStorageRow(s.control, organisationId);
  if (storage?.status !== "active") return;
  const ledger = s.ledger(region, organisationId);
  const expired = await listExpiredCopies(ledger, storage.id, REMOVE_AT_ONCE);
  const connector = storageConnectorOf(s, storage.kind);
  const opened = await openStorageSession(s, storage);
  try {
    for (const { path, mark, snapshotId } of expired) {
      if (path !== null && mark !== null) {
        await connector.remove(opened.session, { path, mark, key: snapshotId });
      }
      await forgetCopies(ledger, [snapshotId]);
    }
  } catch (cause) {
    if (!(cause instanceof ConnectorError)) throw cause;
    await noteTrouble(s, opened.current(), cause);
    return;
  }
  if (expired.length === REMOVE_AT_ONCE) {
    await s.queue.send([{ job: "remove-copies", payload: { region, organisationId } }]);
  }
}

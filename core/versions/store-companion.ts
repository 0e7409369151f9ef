import type { ByteSink } from "#connectors/contract/snapshot-view.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import type { Uses } from "#core/services.ts";
import {
  openObjectWriter,
  type SnapshotReader,
  type StoredObject,
  type VaultDeps,
} from "#core/vault/index.ts";
import { recordCompanion } from "./registry.store.ts";

/** A file derived from an entry of a version. */
type Derived = { path: string; name: string; write: (sink: ByteSink) => Promise<void> };

/** Stores a file beside the object of its entry, with which it is deleted. Does nothing for an entry that is missing. */
export async function storeCompanion(
  s: Uses<"clock">,
  { run, ledger }: { run: { id: string; organisationId: string; itemId: string }; ledger: LedgerDatabase },
  { vault, view }: { vault: VaultDeps; view: Pick<SnapshotReader, "locate"> },
  { path, name, write }: Derived,
): Promise<void> {
  const source = await view.locate(path);
  if (!source) return;
  const scope = { organisationId: run.organisationId, itemId: run.itemId };
  const writer = await openObjectWriter(vault, { scope, kind: "companion", runId: run.id });
  let stored: StoredObject;
  try {
    await write(writer);
    stored = await writer.close();
  } catch (cause) {
    // Stored bytes are deleted as well: the ledger rejects them if their item was deleted meanwhile.
    await writer.abort();
    throw cause;
  }
  await recordCompanion(ledger, {
    sourceObjectId: source.where.object,
    name,
    objectId: stored.id,
    itemId: run.itemId,
    now: s.clock.now(),
  });
}

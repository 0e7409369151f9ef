import { createHash } from "node:crypto";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { logger } from "#core/kernel/logger.ts";
import { type SnapshotReader, type VaultDeps, writeObject } from "#core/vault/index.ts";
import { findNewestSoundSnapshot, type SnapshotRow } from "#core/versions/index.ts";
import { gatherNames } from "./gather-names.ts";
import { encodeNames } from "./name-index.ts";
import { findNameIndex, type NameIndex, recordNameIndex } from "./names.store.ts";

const log = logger("names");

/** The version that was found sound, and how to read it. */
type Checked = {
  snapshot: SnapshotRow;
  connector: PlatformConnector;
  vault: VaultDeps;
  open: () => Promise<SnapshotReader>;
};

/**
 * Makes the index of the names in a version that its check found sound, if it is the newest of its item. Reads the manifest
 * and folders only, and nothing when the index is of the same content. Bytes are written only if the names changed.
 *
 * A version is as good without it, so a failure is logged and never fails the check; the next check tries again.
 *
 * @returns Statements for the batch that ends the check.
 */
export async function indexNames(
  { ledger, hold }: { ledger: LedgerDatabase; hold: { runId: string; epoch: number } },
  checked: Checked,
): Promise<D1PreparedStatement[]> {
  const { organisationId, itemId } = checked.snapshot;
  try {
    const index = await makeIndex(ledger, hold.runId, checked);
    return index === null ? [] : [recordNameIndex(ledger, hold, { organisationId, itemId, ...index })];
  } catch (cause) {
    log.error("the names of {itemId} could not be indexed", { itemId, cause });
    return [];
  }
}

async function makeIndex(
  ledger: LedgerDatabase,
  runId: string,
  { snapshot, connector, vault, open }: Checked,
): Promise<NameIndex | null> {
  const { organisationId, itemId, manifestId, takenAt } = snapshot;
  const scope = { organisationId, itemId };
  const [known, newest] = await Promise.all([
    findNameIndex(ledger, scope),
    findNewestSoundSnapshot(ledger, organisationId, itemId),
  ]);
  if (newest?.manifestId !== manifestId) return null;
  if (known?.manifestId === manifestId && known.takenAt >= takenAt) return null;
  const index = { manifestId, takenAt };
  if (known?.manifestId === manifestId) return { ...known, ...index };
  const gathered = await gatherNames({ connector, view: await open() });
  const { bytes, count } = encodeNames(gathered.names);
  const facts = { ...index, nameCount: count, isCut: gathered.isCut || count < gathered.names.length };
  if (count === 0) return { ...facts, objectId: null };
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (known?.hash === hash) return { ...facts, objectId: known.objectId };
  const { id } = await writeObject(vault, { scope, kind: "names", runId }, bytes);
  return { ...facts, objectId: id };
}

import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { StorageSession, StoredFile } from "#connectors/contract/storage-connector.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { connectorOf } from "#core/connections/index.ts";
import { commitTogether } from "#core/database/statements.ts";
import { type OpenedZip, openZip, storeLayout, zipFiles, zipRange } from "#core/exports/index.ts";
import { findItemRow, type ItemRow } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { opaqueJson, storedJson } from "#core/kernel/stored-json.ts";
import {
  LostRunError,
  type RunOrder,
  type RunSlice,
  runSlice,
  SliceEndError,
  succeedRun,
} from "#core/runs/index.ts";
import type { EngineServices, Uses, VaultServices } from "#core/services.ts";
import { findObject, findSnapshot, openVault, openVersion, type SnapshotRow } from "#core/versions/index.ts";
import { copyPath } from "./copy-path.ts";
import { hurryEverywhere } from "./hurry-everywhere.ts";
import { CHECK_AGAIN_MS } from "./limits.ts";
import { noteTrouble } from "./note-trouble.ts";
import { openStorageSession, storageConnectorOf } from "./open-storage.ts";
import { findReplicaOfRun, noteStored, type ReplicaRow, settlePath } from "./replica.store.ts";
import { clearTrouble, findStorageRow, type StorageRow } from "./storage.store.ts";

/** Cursor of a copy: the vault object that holds the layout of the ZIP, and the connector's own position. */
const copyCursor = storedJson(1, z.strictObject({ layoutId: z.string(), put: opaqueJson }));

/**
 * Copies one version to the organisation's own storage, or a slice of it. The ZIP is never stored here: its layout is
 * fixed first, and each part is built when the storage requests it. A failure affects only the copy, which
 * `catchUpReplicas` retries; the version stays good.
 */
export async function runReplicate(s: EngineServices & Uses<"storages">, order: RunOrder): Promise<void> {
  const onEnd = async ({ run }: RunSlice) => {
    await announce(s, run, "failed");
    return [];
  };
  await runSlice(s, order, { job: "replicate-version", locks: null, onEnd }, (slice) =>
    copyVersion(s, slice),
  );
}

async function copyVersion(s: EngineServices & Uses<"storages">, slice: RunSlice): Promise<void> {
  const { run, ledger } = slice;
  const [replica, storage, item] = await Promise.all([
    findReplicaOfRun(ledger, run),
    findStorageRow(s.control, run.organisationId),
    findItemRow(ledger, run.organisationId, run.itemId),
  ]);
  if (!replica || !item || replica.storageId !== storage?.id) throw new AppError("err.storage.missing");
  const snapshot = await requireSound(s, slice);
  const { hasProFeatures } = await entitlementsOf(s, run.organisationId, run.platform);
  const message = "Copies are paused: the plan has no external storage at the moment.";
  if (!hasProFeatures) throw new AppError("err.plan.required", { message });
  const opened = await openStorageSession(s, storage, slice.countRequest);
  const zip = await openCopy(s, slice, { snapshot, item });
  let stored: StoredFile;
  try {
    stored = await pour(s, slice, { session: opened.session, replica, storage, snapshot, item, zip });
  } catch (cause) {
    await noteTrouble(s, opened.current(), cause);
    throw cause;
  }
  await finish(s, slice, { storage: opened.current(), stored });
}

/** Returns the verified version. @throws AppError, and ConnectorError `rate-limited` while its check is queued */
async function requireSound(s: Uses<"clock">, { run, ledger }: RunSlice): Promise<SnapshotRow> {
  const snapshot = run.snapshotId ? await findSnapshot(ledger, run.organisationId, run.snapshotId) : null;
  if (!snapshot) throw new AppError("err.not.found", { message: "This version is no longer kept." });
  if (snapshot.verifyState === "failed") throw new AppError("err.snapshot.not.restorable");
  if (snapshot.verifyState === "queued") {
    const retryAt = s.clock.now() + CHECK_AGAIN_MS;
    throw new ConnectorError("rate-limited", "The version is being checked first.", { retryAt });
  }
  return snapshot;
}

/** Opens the ZIP of the version. Later slices reuse the layout of the first, so all parts belong to one archive. */
async function openCopy(
  s: VaultServices & Uses<"connectors">,
  slice: RunSlice,
  { snapshot, item }: { snapshot: SnapshotRow; item: ItemRow },
): Promise<OpenedZip & { layoutId: string; totalBytes: number }> {
  const { run, region, ledger } = slice;
  const { organisationId, itemId } = run;
  const vault = await openVault(s, { organisationId, region }, slice);
  const view = await openVersion(s, vault, {
    organisationId,
    itemId,
    region,
    manifestId: snapshot.manifestId,
  });
  const layoutId = copyCursor.resume(run.cursor)?.layoutId ?? null;
  const known = layoutId === null ? null : await findObject(ledger, organisationId, layoutId);
  const object =
    known ??
    (
      await storeLayout(vault, view, {
        organisationId,
        itemId,
        runId: run.id,
        mtime: snapshot.takenAt,
        files: zipFiles(connectorOf(s, run.platform), view, {
          item,
          snapshot,
          skipped: view.completeness().skipped,
        }),
      })
    ).object;
  const zip = await openZip(vault, view, { organisationId, itemId, object });
  return { ...zip, layoutId: object.id, totalBytes: zip.layout.totalBytes };
}

async function pour(
  s: Uses<"connectors" | "storages">,
  slice: RunSlice,
  copy: {
    session: StorageSession;
    replica: ReplicaRow;
    storage: StorageRow;
    snapshot: SnapshotRow;
    item: ItemRow;
    zip: OpenedZip & { layoutId: string; totalBytes: number };
  },
): Promise<StoredFile> {
  const { run, ledger, hold } = slice;
  const { session, replica, snapshot, zip } = copy;
  const connector = storageConnectorOf(s, copy.storage.kind);
  const { label } = connectorOf(s, run.platform).descriptor;
  const path = await settlePath(ledger, hold, {
    snapshotId: snapshot.id,
    path: await copyPath({
      platform: label,
      item: copy.item,
      snapshotId: snapshot.id,
      takenAt: snapshot.takenAt,
    }),
  });
  if (path === null) throw new LostRunError(run.id);
  const address = { path, key: snapshot.id };
  const cursor = copyCursor.resume(run.cursor);
  // An earlier attempt may have written the file and crashed before recording it.
  const mayBeThere = run.epoch > 1 || replica.attempts > 0;
  const found = mayBeThere ? await connector.find(session, address) : null;
  if (found?.sizeBytes === zip.totalBytes) return found;
  const phase = `Copying to ${connector.descriptor.label}`;
  const put = connector.put(session, {
    ...address,
    sizeBytes: zip.totalBytes,
    mediaType: "application/zip",
    cursor: cursor?.layoutId === zip.layoutId ? cursor.put : null,
    read: ({ offset, length }) => zipRange(zip.layout, { from: offset, to: offset + length }, zip.read),
  });
  for (;;) {
    const step = await put.next();
    if (step.done) return step.value;
    if (step.value.type === "progress") {
      const done = step.value.bytes;
      await slice.progress({ phase, done, total: zip.totalBytes, unit: "bytes" });
      continue;
    }
    const next = copyCursor.write({ layoutId: zip.layoutId, put: step.value.cursor });
    if (slice.isOver()) throw new SliceEndError(next);
    await slice.checkpoint(next);
  }
}

async function finish(
  s: Uses<"clock" | "control" | "ledger" | "live">,
  { run, ledger, hold }: RunSlice,
  { storage, stored }: { storage: StorageRow; stored: StoredFile },
): Promise<void> {
  const now = s.clock.now();
  const { mark, sizeBytes } = stored;
  const results = await commitTogether(ledger, [
    noteStored(ledger, hold, { snapshotId: run.snapshotId ?? "", mark, sizeBytes, now }),
    succeedRun(ledger, hold, { now, snapshotId: null, bytesRead: 0, bytesStored: sizeBytes, report: null }),
  ]);
  if ((results.at(-1)?.results.length ?? 0) === 0) throw new LostRunError(run.id);
  await announce(s, run, "stored");
  if (storage.trouble === null) return;
  await clearTrouble(s.control, storage.id);
  await hurryEverywhere(s, storage);
}

async function announce(s: Uses<"live">, run: RunSlice["run"], status: "stored" | "failed"): Promise<void> {
  if (!run.snapshotId) return;
  const { platform, itemId: id, snapshotId } = run;
  await s.live.publish(run.organisationId, [{ method: "copy-status", platform, id, snapshotId, status }]);
}

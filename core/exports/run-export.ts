import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { GitPackError } from "#connectors/toolkit/git/git-pack-error.ts";
import { connectorOf } from "#core/connections/index.ts";
import { commitTogether } from "#core/database/statements.ts";
import { findItemRow } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { queueMail } from "#core/mail/index.ts";
import { listMembers } from "#core/organisations/index.ts";
import { LostRunError, type RunOrder, type RunSlice, runSlice, succeedRun } from "#core/runs/index.ts";
import type { MailServices, RunServices, Uses, VaultServices } from "#core/services.ts";
import type { SnapshotReader, VaultDeps } from "#core/vault/index.ts";
import {
  findSnapshot,
  openVault,
  openVersion,
  type SnapshotRow,
  storeCompanion,
} from "#core/versions/index.ts";
import { exportLink } from "./download-link.ts";
import { type ExportRow, findExportOfRun, finishExport } from "./exports.store.ts";
import { CHECK_RETRY_MS, LINK_LIFE_MS } from "./limits.ts";
import { storeLayout } from "./stored-layout.ts";
import { zipFiles } from "./zip-files.ts";

/**
 * Prepares a ZIP: waits until its version is checked (no ZIP without proof), plans its layout, and announces it by
 * e-mail. No bytes are copied; they are streamed from the vault when the link is used.
 */
export async function runExport(
  s: VaultServices & RunServices & Uses<"connectors">,
  order: RunOrder,
): Promise<void> {
  const onEnd = async (slice: RunSlice) => {
    await announce(s, slice, "failed");
    return [];
  };
  await runSlice(s, order, { job: "build-export", locks: null, onEnd }, (slice) => prepare(s, slice));
}

async function prepare(
  s: VaultServices & Uses<"connectors" | "queue" | "live">,
  slice: RunSlice,
): Promise<void> {
  const { run, ledger, region, hold } = slice;
  const row = await findExportOfRun(ledger, run.id);
  const snapshot = run.snapshotId ? await findSnapshot(ledger, run.organisationId, run.snapshotId) : null;
  const item = await findItemRow(ledger, run.organisationId, run.itemId);
  if (!row || !snapshot || !item)
    throw new AppError("err.not.found", { message: "This version is no longer kept." });
  if (row.status !== "pending" && row.status !== "ready") throw new AppError("err.link.expired");
  if (snapshot.verifyState === "failed") throw new AppError("err.snapshot.not.restorable");
  if (snapshot.verifyState === "queued") {
    throw new ConnectorError("rate-limited", "The version is being checked first.", {
      retryAt: s.clock.now() + CHECK_RETRY_MS,
    });
  }
  await slice.progress({ phase: "Preparing the ZIP", done: 0, total: null, unit: "items" });
  const vault = await openVault(s, { organisationId: run.organisationId, region });
  const view = await openVersion(s, vault, { ...snapshot, region });
  const connector = connectorOf(s, run.platform);
  if (row.reachedOnly) await reach(s, slice, { vault, view, connector });
  const { object, totalBytes } = await storeLayout(vault, view, {
    organisationId: run.organisationId,
    itemId: run.itemId,
    runId: run.id,
    mtime: snapshot.takenAt,
    files: zipFiles(connector, view, {
      item,
      snapshot,
      reachedOnly: row.reachedOnly,
      skipped: view.completeness().skipped,
    }),
  });
  const expiresAt = s.clock.now() + LINK_LIFE_MS;
  const isOurs = await finishExport(ledger, hold, {
    layoutObjectId: object.id,
    sizeBytes: totalBytes,
    expiresAt,
  });
  if (!isOurs) throw new LostRunError(run.id);
  await mailLink(s, slice, { row: { ...row, expiresAt }, snapshot, itemName: item.name });
  const done = {
    now: s.clock.now(),
    snapshotId: null,
    bytesRead: 0,
    bytesStored: object.storedBytes,
    report: null,
  };
  const results = await commitTogether(ledger, [succeedRun(ledger, hold, done)]);
  if ((results.at(-1)?.results.length ?? 0) === 0) throw new LostRunError(run.id);
  await announce(s, slice, "ready");
}

/** Stores what an export without unreachable objects consists of, beside the version's own objects. */
async function reach(
  s: Uses<"clock">,
  slice: RunSlice,
  of: { vault: VaultDeps; view: SnapshotReader; connector: PlatformConnector },
): Promise<void> {
  await slice.progress({ phase: "Leaving out what no ref reaches", done: 0, total: null, unit: "objects" });
  try {
    for await (const event of of.connector.reach?.(of.view) ?? []) await storeCompanion(s, slice, of, event);
  } catch (cause) {
    if (!(cause instanceof GitPackError)) throw cause;
    throw new ConnectorError("unsupported", `This ZIP cannot be made: ${cause.message}.`, { cause });
  }
}

/** Sends one e-mail per export, however often the run repeats: the outbox rejects a repeated occasion. */
async function mailLink(
  s: MailServices,
  { run, region }: RunSlice,
  ready: { row: ExportRow; snapshot: SnapshotRow; itemName: string },
): Promise<void> {
  const members = await listMembers(s, run.organisationId);
  const person = members.find((member) => member.userId === ready.row.requestedBy);
  if (!person) return;
  const { id: exportId, expiresAt } = ready.row;
  const url = await exportLink(s, { region, exportId, userId: person.userId, expiresAt });
  const mail = await queueMail(s, {
    occasion: `zip-ready:${exportId}`,
    organisationId: run.organisationId,
    recipient: person.email,
    message: "zip-ready",
    data: {
      itemName: ready.itemName,
      takenAt: ready.snapshot.takenAt,
      url,
      expiresAt,
      timeZone: person.timeZone,
    },
  });
  await mail.statement;
  await s.queue.send([mail.job]);
}

async function announce(s: Uses<"live">, { run }: RunSlice, status: "ready" | "failed"): Promise<void> {
  if (!run.snapshotId) return;
  await s.live.publish(run.organisationId, [
    { method: "zip-status", platform: run.platform, id: run.itemId, snapshotId: run.snapshotId, status },
  ]);
}

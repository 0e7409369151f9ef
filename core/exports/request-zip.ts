import { recordAction } from "#core/audit/index.ts";
import { type ConnectionScope, connectorOf, doneBy } from "#core/connections/index.ts";
import { requireItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { NewRun } from "#core/runs/index.ts";
import type { AccessServices, Uses, VaultServices } from "#core/services.ts";
import {
  findManifest,
  findSnapshot,
  openVault,
  openVersion,
  type SnapshotRow,
} from "#core/versions/index.ts";
import { cloneLink, exportLink } from "./download-link.ts";
import { type ExportRow, findLiveExport, insertExport } from "./exports.store.ts";
import { DIRECT_BYTES, DIRECT_FILES, LINK_LIFE_MS } from "./limits.ts";
import { storeLayout } from "./stored-layout.ts";
import { zipFiles } from "./zip-files.ts";

/** The result of a ZIP request. */
export type ZipAnswer = { kind: "ready"; url: string; expiresAt: number } | { kind: "preparing" };

type ZipOrder = ConnectionScope & {
  /** Absent = whatever kind the item is of. */
  kind?: string;
  itemId: string;
  snapshotId: string;
  /** Leave out what no ref reaches. */
  reachedOnly?: boolean;
};

/**
 * Exports a version as a ZIP. The link is returned at once if a live one exists or the version is checked and small.
 * Otherwise a job prepares it and announces it by e-mail (spec part 2 sections 4 and 8).
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.snapshot.not.restorable`
 */
export async function requestZip(
  s: AccessServices & VaultServices & Uses<"queue" | "live">,
  member: Member,
  input: ZipOrder,
): Promise<ZipAnswer> {
  const wanted = await requireVersion(s, member, input);
  const { snapshot, ledger, region } = wanted;
  const live = await findLiveExport(ledger, {
    organisationId: member.organisationId,
    snapshotId: snapshot.id,
    reachedOnly: wanted.reachedOnly,
    now: s.clock.now(),
  });
  if (live?.status === "pending") return { kind: "preparing" };
  if (live) return ready(s, member, region, live);
  const manifest = await findManifest(ledger, member.organisationId, snapshot);
  if (!manifest) throw new AppError("err.snapshot.not.restorable");
  const isSmall = manifest.ref.sizeBytes <= DIRECT_BYTES && manifest.ref.entryCount <= DIRECT_FILES;
  if (snapshot.verifyState !== "queued" && isSmall && !wanted.reachedOnly)
    return await exportNow(s, member, wanted);
  await queueExport(s, member, wanted);
  return { kind: "preparing" };
}

/** A version that the member may export. */
type WantedVersion = Pick<Awaited<ReturnType<typeof requireItem>>, "item" | "ledger"> & {
  region: Region;
  snapshot: SnapshotRow;
  reachedOnly: boolean;
};

async function requireVersion(s: AccessServices, member: Member, input: ZipOrder): Promise<WantedVersion> {
  const { item, connection, ledger } = await requireItem(s, member, input.itemId, "manage");
  const snapshot = await findSnapshot(ledger, member.organisationId, input.snapshotId);
  const isNamed =
    item.platform === input.platform &&
    item.kind === (input.kind ?? item.kind) &&
    item.connectionId === (input.connectionId ?? item.connectionId);
  if (!isNamed || snapshot?.itemId !== item.id) throw new AppError("err.not.found");
  if (snapshot.verifyState === "failed") throw new AppError("err.snapshot.not.restorable");
  // Null: the version has no unreachable objects, or its history is too long to find them.
  const reachedOnly = input.reachedOnly === true && snapshot.unreachableBytes !== null;
  return { item, snapshot, ledger, region: connection.region, reachedOnly };
}

/** The row of an export that is ready and has no layout yet. */
function newExport(s: Uses<"clock" | "ids">, member: Member, { item, snapshot, reachedOnly }: WantedVersion) {
  const now = s.clock.now();
  return {
    id: s.ids.next("export"),
    organisationId: member.organisationId,
    itemId: item.id,
    platform: item.platform,
    snapshotId: snapshot.id,
    manifestId: snapshot.manifestId,
    runId: null as string | null,
    status: "ready" as const,
    layoutObjectId: null as string | null,
    sizeBytes: 0,
    fileName: fileNameOf(item.name, snapshot),
    reachedOnly,
    requestedBy: member.userId,
    createdAt: now,
    expiresAt: now + LINK_LIFE_MS,
  };
}

const auditEntry = (member: Member, { item, snapshot }: WantedVersion, exportId: string) => ({
  ...doneBy(member, item.platform),
  action: "request-zip",
  subject: item.fullName,
  occasion: `request-zip:${exportId}`,
  version: snapshot,
});

/** Lays out the ZIP of a small version in this request. */
async function exportNow(
  s: VaultServices & Uses<"connectors" | "live">,
  member: Member,
  wanted: WantedVersion,
): Promise<ZipAnswer> {
  const { item, snapshot, ledger, region } = wanted;
  const row = newExport(s, member, wanted);
  const vault = await openVault(s, { organisationId: member.organisationId, region });
  const view = await openVersion(s, vault, { ...snapshot, region });
  const { object, totalBytes } = await storeLayout(vault, view, {
    ...snapshot,
    runId: snapshot.runId,
    mtime: snapshot.takenAt,
    files: zipFiles(connectorOf(s, item.platform), view, {
      item,
      snapshot,
      skipped: view.completeness().skipped,
    }),
  });
  const made = { ...row, layoutObjectId: object.id, sizeBytes: totalBytes };
  if (!(await insertExport(ledger, made, null))) throw new AppError("err.not.found");
  await recordAction(s, auditEntry(member, wanted, row.id));
  await s.live.publish(member.organisationId, [
    { method: "zip-status", platform: item.platform, id: item.id, snapshotId: snapshot.id, status: "ready" },
  ]);
  return ready(s, member, region, made);
}

/** Queues a run that lays out the ZIP. */
async function queueExport(
  s: Uses<"clock" | "ids" | "control" | "queue">,
  member: Member,
  wanted: WantedVersion,
): Promise<void> {
  const { item, snapshot, ledger, region } = wanted;
  const row = newExport(s, member, wanted);
  const run: NewRun = {
    id: s.ids.next("run"),
    organisationId: member.organisationId,
    connectionId: item.connectionId,
    itemId: item.id,
    platform: item.platform,
    kind: "export",
    trigger: "user",
    order: null,
    snapshotId: snapshot.id,
    createdBy: member.userId,
  };
  const isThere = await insertExport(ledger, { ...row, status: "pending", runId: run.id }, run);
  if (!isThere) throw new AppError("err.not.found");
  await recordAction(s, auditEntry(member, wanted, row.id));
  await s.queue.send([
    { job: "build-export", payload: { region, organisationId: run.organisationId, runId: run.id, epoch: 0 } },
  ]);
}

/**
 * Returns a URL from which git clones the version. Needs the pack indexes that the check stores.
 *
 * @throws AppError `err.not.found`, `err.snapshot.not.restorable`
 */
export async function requestCloneUrl(
  s: AccessServices & VaultServices,
  member: Member,
  input: { itemId: string; snapshotId: string },
): Promise<{ url: string; expiresAt: number }> {
  const { item, connection, ledger } = await requireItem(s, member, input.itemId, "manage");
  const snapshot = await findSnapshot(ledger, member.organisationId, input.snapshotId);
  const connector = connectorOf(s, item.platform);
  if (snapshot?.itemId !== item.id || !connector.cloneRoots) throw new AppError("err.not.found");
  if (snapshot.verifyState === "queued" || snapshot.verifyState === "failed")
    throw new AppError("err.snapshot.not.restorable", { message: UNCLONABLE[snapshot.verifyState] });
  const vault = await openVault(s, { organisationId: member.organisationId, region: connection.region });
  const roots = await connector.cloneRoots(
    await openVersion(s, vault, { ...snapshot, region: connection.region }),
  );
  const root = roots[0];
  if (!root) throw new AppError("err.snapshot.not.restorable", { message: UNCLONABLE.unindexed });
  const expiresAt = s.clock.now() + LINK_LIFE_MS;
  const url = await cloneLink(s, {
    region: connection.region,
    snapshotId: snapshot.id,
    userId: member.userId,
    expiresAt,
    name: root.name,
  });
  await recordAction(s, {
    ...doneBy(member, item.platform),
    action: "request-clone-address",
    subject: item.fullName,
    version: snapshot,
  });
  return { url, expiresAt };
}

/** Why a version cannot be cloned. */
const UNCLONABLE = {
  queued: "This version is being checked. It can be cloned in a moment.",
  failed: "This version did not pass its check and cannot be cloned.",
  unindexed:
    "A git pack of this version has no index, and git cannot clone by this address without one. Download the version as a ZIP: it contains a script that makes the index.",
};

async function ready(
  s: Uses<"settings">,
  member: Member,
  region: Parameters<typeof exportLink>[1]["region"],
  row: Pick<ExportRow, "id" | "expiresAt">,
): Promise<ZipAnswer> {
  const link = { region, exportId: row.id, userId: member.userId, expiresAt: row.expiresAt };
  return { kind: "ready", url: await exportLink(s, link), expiresAt: row.expiresAt };
}

/** `name-2026-11-20T02-14-00Z.zip`. */
export function fileNameOf(name: string, snapshot: Pick<SnapshotRow, "takenAt">): string {
  return `${name}-${new Date(snapshot.takenAt).toISOString().slice(0, 19).replace(/:/g, "-")}Z.zip`;
}

import { z } from "zod";
import { type ConnectionScope, requireConnection } from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { exportLink } from "#core/exports/index.ts";
import { progressOf, requireItem } from "#core/inventory/index.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { type Member, mayManage } from "#core/organisations/index.ts";
import { type CopyFacts, listCopies } from "#core/replicas/index.ts";
import { outcomeOf, restoreReport } from "#core/restores/restore-report.schema.ts";
import { recentDurations } from "#core/runs/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { countHistoryRows, type HistoryQuery, listHistoryRows, listNewestExports } from "./history.store.ts";
import type { HistoryRow, HistoryView, VersionCopy } from "./views.ts";

/** The part of a version's completeness that a row shows. */
const heldSchema = z.object({
  skipped: z.array(z.object({ path: z.string(), kind: z.string(), reason: z.string() })),
  skippedCount: z.number(),
});

type JoinedRow = Awaited<ReturnType<typeof listHistoryRows>>[number];
type ExportRow = ReturnType<Awaited<ReturnType<typeof listNewestExports>>["get"]>;

/** One page of an item's history, newest first. @throws AppError `err.not.found` */
export async function listHistory(
  s: AccessServices & Uses<"settings">,
  member: Member,
  input: { itemId: string; page: number; perPage: number },
): Promise<HistoryView> {
  const { item, connection, ledger } = await requireItem(s, member, input.itemId, "use");
  const query = { organisationId: member.organisationId, itemId: item.id, connectionId: null };
  return readHistory(s, member, ledger, connection.region, {
    ...query,
    page: input.page,
    perPage: input.perPage,
  });
}

/** Backups and restores of an account, of one item or of all, newest first. */
export async function listActions(
  s: AccessServices & Uses<"settings">,
  member: Member,
  input: ConnectionScope & { itemId: string | null; page: number; perPage: number },
): Promise<HistoryView & { rows: (HistoryRow & { itemId: string; itemName: string })[] }> {
  const item = input.itemId === null ? null : (await requireItem(s, member, input.itemId, "use")).item;
  const scope = { platform: input.platform, connectionId: input.connectionId ?? item?.connectionId };
  const { connection, ledger } = await requireConnection(s, member, scope, "use");
  return readHistory(s, member, ledger, connection.region, {
    organisationId: member.organisationId,
    itemId: input.itemId,
    connectionId: connection.id,
    page: input.page,
    perPage: input.perPage,
  });
}

async function readHistory(
  s: Uses<"memory" | "clock" | "control" | "settings">,
  member: Member,
  ledger: LedgerDatabase,
  region: Region,
  query: HistoryQuery & { page: number; perPage: number },
) {
  const [rows, total] = await Promise.all([listHistoryRows(ledger, query), countHistoryRows(ledger, query)]);
  const snapshotIds = rows.flatMap((row) => (row.snapshot ? [row.snapshot.id] : []));
  const [exports, copies] = await Promise.all([
    listNewestExports(ledger, snapshotIds),
    listCopies(ledger, snapshotIds),
  ]);
  const open = rows.find(({ run }) => run.finishedAt === null && run.startedAt !== null);
  const durations = open ? await recentDurations(ledger, open.run.itemId, open.run.kind) : [];
  // All rows belong to one platform.
  const manages = rows[0] ? await mayManage(s, member, rows[0].run.platform) : false;
  const meanMs = durations.length > 0 ? durations.reduce((sum, ms) => sum + ms, 0) / durations.length : null;
  const views = await Promise.all(
    rows.map(async (row) => ({
      ...(await toHistoryRow(
        s,
        { member, manages, region },
        row,
        { exported: exports.get(row.snapshot?.id ?? ""), copy: copies.get(row.snapshot?.id ?? "") },
        meanMs,
      )),
      itemId: row.run.itemId,
      itemName: row.itemName ?? "",
    })),
  );
  return { rows: views, total };
}

/** The reader, and whether they may manage the platform. */
type Reader = { member: Member; manages: boolean; region: Region };

async function toHistoryRow(
  s: Uses<"clock" | "settings">,
  reader: Reader,
  { run, snapshot, completeness }: JoinedRow,
  { exported, copy }: { exported: ExportRow; copy: CopyFacts | undefined },
  meanMs: number | null,
): Promise<HistoryRow> {
  const isOpen = run.status === "queued" || run.status === "running";
  const isBackup = run.kind === "backup";
  const held = heldSchema.safeParse(completeness).data;
  const told = isBackup ? null : restoreReport.read(run.report);
  // A report that cannot be parsed is omitted; the row is still shown.
  const report = told?.kind === "value" ? told.value : null;
  const progress = isOpen ? progressOf(run, meanMs) : null;
  return {
    key: run.id,
    type: isBackup ? "backup" : "restore",
    status: progress?.status ?? (run.status === "failed" ? "failed" : "success"),
    date: snapshot?.takenAt ?? run.finishedAt ?? run.startedAt ?? run.createdAt,
    sizeBytes: snapshot?.sizeBytes ?? null,
    newBytes: snapshot?.newBytes ?? null,
    snapshotId: snapshot?.id ?? (isBackup ? null : run.snapshotId),
    errorText: run.status === "failed" ? run.errorText : null,
    trigger: run.trigger,
    skipped: held?.skipped ?? [],
    skippedCount: held?.skippedCount ?? 0,
    canRestore: snapshot !== null && snapshot.verifyState !== "failed" && reader.manages,
    verify: snapshot
      ? { state: snapshot.verifyState, at: snapshot.verifiedAt, text: snapshot.verifyText }
      : null,
    keptUntil: snapshot?.expiresAt ?? null,
    copy: copy ? toCopy(copy) : null,
    zip: await zipState(s, reader, exported),
    restoredTo: report && { name: report.item.name, url: report.item.webUrl },
    outcome: report && outcomeOf(report),
    report: report && {
      restored: report.restored,
      changed: report.changed,
      impossible: report.impossible,
      missing: report.missing,
      mapped: report.mapped,
      mappedCount: report.mappedCount,
    },
    progress,
  };
}

function toCopy(copy: CopyFacts): VersionCopy | null {
  const { kind, status, runId, path, sizeBytes, storedAt, errorText, nextTryAt } = copy;
  if (status === "expired") return null;
  const shown = status === "waiting" && runId !== null ? "copying" : status;
  return { kind, status: shown, path, sizeBytes, storedAt, text: errorText, nextTryAt };
}

async function zipState(
  s: Uses<"clock" | "settings">,
  { member, manages, region }: Reader,
  row: ExportRow,
): Promise<HistoryRow["zip"]> {
  if (!row) return { status: "none", url: null, expiresAt: null };
  const isOver = row.revokedAt !== null || row.expiresAt <= s.clock.now();
  const status = isOver && row.status !== "failed" ? "expired" : row.status;
  const url =
    status === "ready" && manages
      ? await exportLink(s, { region, exportId: row.id, userId: member.userId, expiresAt: row.expiresAt })
      : null;
  return { status, url, expiresAt: status === "ready" ? row.expiresAt : null };
}

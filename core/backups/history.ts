import { z } from "zod";
import { type ConnectionScope, requireConnection } from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { exportLink } from "#core/exports/index.ts";
import { ledgerOfItem, progressOf, requireItem } from "#core/inventory/index.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { type Member, mayManage } from "#core/organisations/index.ts";
import type { CopyFacts } from "#core/replicas/index.ts";
import { outcomeOf, restoreReport } from "#core/restores/restore-report.schema.ts";
import { recentDurations } from "#core/runs/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { listHistoryRows, type PageOfHistory, readHistoryFacts } from "./history.store.ts";
import type { HistoryRow, HistoryView, VersionCopy } from "./views.ts";

/** The part of a version's completeness that a row shows. */
const heldSchema = z.object({
  skipped: z.array(z.object({ path: z.string(), kind: z.string(), reason: z.string() })),
  skippedCount: z.number(),
});

type JoinedRow = Awaited<ReturnType<typeof listHistoryRows>>[number];
type ExportRow = ReturnType<Awaited<ReturnType<typeof readHistoryFacts>>["exports"]["get"]>;

/** One page of an item's history, newest first. @throws AppError `err.not.found` */
export async function listHistory(
  s: AccessServices & Uses<"settings">,
  member: Member,
  input: { itemId: string; page: number; perPage: number },
): Promise<HistoryView & { platform: string }> {
  const { itemId, page, perPage } = input;
  const query = { organisationId: member.organisationId, itemId, account: null, page, perPage };
  const known = ledgerOfItem(s, member.organisationId, itemId);
  // Rows read in parallel are returned only if the item belongs to the member.
  const [{ item, connection, ledger }, early] = await Promise.all([
    requireItem(s, member, itemId, "use"),
    known && readHistory(known, query),
  ]);
  const { platform } = item;
  const read = early ?? (await readHistory(ledger, query));
  return { ...(await toHistory(s, member, { platform, region: connection.region }, read)), platform };
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
  const read = await readHistory(ledger, {
    organisationId: member.organisationId,
    itemId: input.itemId,
    account: { platform: connection.platform, connectionId: connection.id },
    page: input.page,
    perPage: input.perPage,
  });
  return toHistory(s, member, { platform: input.platform, region: connection.region }, read);
}

/** One page of history. The durations can only be read in parallel for the history of one item. */
async function readHistory(ledger: LedgerDatabase, query: PageOfHistory) {
  const { itemId } = query;
  const early = itemId === null ? null : durationsOf(ledger, itemId);
  const [rows, facts, known] = await Promise.all([
    listHistoryRows(ledger, query),
    readHistoryFacts(ledger, query),
    early,
  ]);
  const open = rows.find(({ run }) => run.finishedAt === null && run.startedAt !== null)?.run;
  const durations = open ? (known ?? (await durationsOf(ledger, open.itemId)))[kindOf(open)] : [];
  return { rows, ...facts, durations };
}

const kindOf = ({ kind }: Pick<JoinedRow["run"], "kind">) => (kind === "restore" ? "restore" : "backup");

async function durationsOf(ledger: LedgerDatabase, itemId: string) {
  const [backup, restore] = await Promise.all([
    recentDurations(ledger, itemId, "backup"),
    recentDurations(ledger, itemId, "restore"),
  ]);
  return { backup, restore };
}

async function toHistory(
  s: Uses<"memory" | "clock" | "control" | "settings">,
  member: Member,
  { platform, region }: { platform: string; region: Region },
  { rows, total, exports, copies, durations }: Awaited<ReturnType<typeof readHistory>>,
) {
  const manages = await mayManage(s, member, platform);
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
  const parsed = isBackup ? null : restoreReport.read(run.report);
  // A report that cannot be parsed is omitted; the row is still shown.
  const report = parsed?.kind === "value" ? parsed.value : null;
  const progress = isOpen ? progressOf(run, meanMs, s.clock.now()) : null;
  return {
    key: run.id,
    type: isBackup ? "backup" : "restore",
    status: progress?.status ?? (run.status === "failed" ? "failed" : "success"),
    date:
      snapshot?.takenAt ??
      (run.erasedAt === null ? run.finishedAt : run.beganAt) ??
      run.startedAt ??
      run.createdAt,
    sizeBytes: snapshot?.sizeBytes ?? null,
    newBytes: snapshot?.newBytes ?? null,
    snapshotId: snapshot?.id ?? (isBackup ? null : run.snapshotId),
    errorText: run.status === "failed" ? run.errorText : null,
    trigger: run.trigger,
    skipped: held?.skipped ?? [],
    skippedCount: held?.skippedCount ?? 0,
    canRestore:
      snapshot !== null &&
      snapshot.verifyState !== "failed" &&
      snapshot.restoreObstacle === null &&
      reader.manages,
    restoreObstacle: snapshot?.restoreObstacle ?? null,
    unreachable:
      snapshot === null || snapshot.unreachableObjects === null
        ? null
        : { objects: snapshot.unreachableObjects, bytes: snapshot.unreachableBytes },
    verify: snapshot
      ? { state: snapshot.verifyState, at: snapshot.verifiedAt, text: snapshot.verifyText }
      : null,
    erasedAt: run.erasedAt,
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

import { Check, CircleX, Clock, LoaderCircle, RotateCcw, TriangleAlert } from "lucide-react";
import { historyCopy } from "#app/copy/history.ts";
import type { HistoryRow } from "#core/backups/views.ts";

/** How a history row ended or goes on: icon and word, a tint only for exceptions. */
export function VersionStatus({ row }: { row: HistoryRow }) {
  const copy = historyCopy.status;
  switch (row.status) {
    case "success": {
      const exceptions = exceptionsOf(row);
      return exceptions === null ? (
        <span className="status-badge">
          <Check className="ok-t" aria-hidden />
          {copy.success}
        </span>
      ) : (
        <span className="status-badge">
          <TriangleAlert className="warn-t" aria-hidden />
          {exceptions}
        </span>
      );
    }
    case "failed":
      return (
        <span className="badge badge-bad">
          <CircleX aria-hidden />
          {copy.failed}
        </span>
      );
    case "queued":
      return (
        <span className="status-badge soft">
          <Clock aria-hidden />
          {copy.queued}
        </span>
      );
    case "running":
      return (
        <span className="badge badge-run">
          {row.type === "restore" ? <RotateCcw aria-hidden /> : <LoaderCircle className="spin" aria-hidden />}
          {row.type === "restore" ? copy.restoring : copy.backingUp}
        </span>
      );
    default:
      return row.status satisfies never;
  }
}

/** "2 skipped" of a backup, "3 changed" of a restore; null when all is as it was. */
export function exceptionsOf(row: Pick<HistoryRow, "skippedCount" | "report">): string | null {
  if (row.skippedCount > 0) return historyCopy.status.skipped(row.skippedCount);
  const changed = (row.report?.changed.length ?? 0) + (row.report?.impossible.length ?? 0);
  return changed > 0 ? historyCopy.status.changed(changed) : null;
}

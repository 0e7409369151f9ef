import { Check, CircleX, Clock, Eraser, LoaderCircle, RotateCcw, TriangleAlert } from "lucide-react";
import { historyCopy } from "#app/copy/history.ts";
import type { HistoryRow } from "#core/backups/views.ts";

/** The status of a history row as icon and word. Only exceptions are tinted. */
export function VersionStatus({ row }: { row: HistoryRow }) {
  const copy = historyCopy.status;
  switch (row.status) {
    case "success":
      if (row.erasedAt !== null)
        return (
          <span className="status-badge soft">
            <Eraser aria-hidden />
            {copy.erased}
          </span>
        );
      return row.outcome === null ? (
        <BackupStatus skipped={row.skippedCount} />
      ) : (
        <RestoreStatus {...row.outcome} />
      );
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

/** Skipped parts are a warning; the version is still usable. */
function BackupStatus({ skipped }: { skipped: number }) {
  return (
    <span className="status-badge">
      {skipped > 0 ? (
        <TriangleAlert className="warn-t" aria-hidden />
      ) : (
        <Check className="ok-t" aria-hidden />
      )}
      {skipped > 0 ? historyCopy.status.skipped(skipped) : historyCopy.status.success}
    </span>
  );
}

/** A success stays green however many notes it has. Only missing parts need attention. */
function RestoreStatus({ missing, notes }: NonNullable<HistoryRow["outcome"]>) {
  const copy = historyCopy.status;
  if (missing > 0) {
    return (
      <span className="badge badge-bad">
        <TriangleAlert aria-hidden />
        {copy.incomplete}
      </span>
    );
  }
  return (
    <span className="status-badge">
      <Check className="ok-t" aria-hidden />
      {copy.restored}
      {notes > 0 && <span className="soft"> · {copy.notes(notes)}</span>}
    </span>
  );
}

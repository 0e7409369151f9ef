import { Clock, Shield, ShieldAlert, ShieldCheck } from "lucide-react";
import { historyCopy } from "#app/copy/history.ts";
import { dateTimeText, fullDateTimeText, timeText } from "#app/format/dates.ts";
import type { HistoryRow } from "#core/backups/views.ts";

/**
 * The verification state of a version: proved with its time, intact (not opened), queued, or failed. Renders nothing
 * when no check is due.
 */
export function VersionVerified({
  row,
  timeZone,
  now,
}: {
  row: Pick<HistoryRow, "verify" | "date">;
  timeZone: string;
  now: number;
}) {
  const { verify } = row;
  const copy = historyCopy.verify;
  if (verify === null) return null;
  switch (verify.state) {
    case "verified":
      return (
        <span
          className="verify-mark"
          title={verify.at === null ? undefined : verifiedLong(verify.at, row.date, timeZone)}
        >
          <ShieldCheck className="ok-t" aria-hidden />
          <span className="meta verify-word">{copy.word}</span>
          {verify.at !== null && (
            <span className="mono-meta">{verifiedAt(verify.at, row.date, timeZone, now)}</span>
          )}
        </span>
      );
    case "intact":
      return (
        <span className="verify-mark soft" title={verify.text ?? copy.intactLong}>
          <Shield className="icon-s" aria-hidden />
          <span className="meta">{copy.intact}</span>
        </span>
      );
    case "queued":
      return (
        <span className="verify-mark soft" title={copy.queuedLong}>
          <Clock className="icon-s" aria-hidden />
          <span className="meta">{copy.queued}</span>
        </span>
      );
    case "failed":
      return (
        <span className="badge badge-bad">
          <ShieldAlert aria-hidden />
          {copy.failed}
        </span>
      );
    default:
      return verify.state satisfies never;
  }
}

const HALF_DAY = 12 * 60 * 60 * 1000;

/** The time only when the check was close to the version, otherwise with its date. */
export function verifiedAt(at: number, takenAt: number, timeZone: string, now: number): string {
  return Math.abs(at - takenAt) < HALF_DAY ? timeText(at, timeZone) : dateTimeText(at, timeZone, now);
}

/** The full time of the check. A version that repeats an earlier one carries that one's check, which is older than it. */
export function verifiedLong(at: number, takenAt: number, timeZone: string): string {
  const time = fullDateTimeText(at, timeZone);
  return at < takenAt ? historyCopy.verify.unchangedSince(time) : time;
}

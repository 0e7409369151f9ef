import { Link } from "@remix-run/react";
import { progressCopy } from "#app/copy/shared.ts";
import { bytesText } from "#app/format/bytes.ts";
import { momentText } from "#app/format/dates.ts";
import { aboutText, durationText } from "#app/format/duration.ts";
import { useNow } from "#app/format/use-now.ts";
import { runPercent } from "#app/live/running-jobs.ts";
import type { RunProgress } from "#core/inventory/views.ts";

/**
 * Phase, counts, times and bytes of a running or waiting run, with its progress bar. Announced to screen readers only
 * with `isAlone`: in a list, the announcements of many runs would interrupt each other, and the job pill announces
 * starts and ends.
 */
export function ProgressRow({
  progress,
  name,
  label,
  isAlone = false,
  timeZone,
  now: serverNow,
  detailsTo,
}: {
  progress: RunProgress;
  /** The item's name, for the label of the bar. */
  name: string;
  /** The platform's name. */
  label: string;
  isAlone?: boolean;
  timeZone: string;
  now: number;
  detailsTo?: string;
}) {
  const now = useNow(serverNow, 1000);
  const percent = runPercent(progress, now);
  const rest = restText(progress, label, timeZone, now);
  const left = progress.expectedEndAt === null ? null : progress.expectedEndAt - now;
  return (
    <div className="progress-row">
      <div className="progress-row__line">
        <span>
          <span aria-live={isAlone ? "polite" : undefined}>{rest ?? <b>{progress.phase}</b>}</span>{" "}
          {rest === null && amountText(progress)}
        </span>
        <span className="figs">
          {progress.startedAt !== null && (
            <span>{progressCopy.elapsed(durationText(now - progress.startedAt))}</span>
          )}
          {rest === null && left !== null && (
            <span>{left > 0 ? progressCopy.left(aboutText(left)) : progressCopy.nearlyDone}</span>
          )}
          {progress.bytesRead > 0 && <span>{bytesText(progress.bytesRead)}</span>}
          {detailsTo && (
            <Link className="link" to={detailsTo}>
              {progressCopy.details}
            </Link>
          )}
        </span>
      </div>
      <div
        className={barClass(percent, rest)}
        role="progressbar"
        aria-label={progressCopy.label(name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
      >
        {(percent !== null || rest === null) && (
          <i style={percent === null ? undefined : { width: `${percent}%` }} />
        )}
      </div>
    </div>
  );
}

/** Waiting is hatched; a run without an expected end shows only that it works. */
function barClass(percent: number | null, rest: string | null): string {
  if (rest !== null) return "progress is-waiting";
  return percent === null ? "progress is-unknown" : "progress";
}

/** Why a run is paused and when it continues; null while it works. */
function restText(
  { status, waitingUntil, fault }: RunProgress,
  label: string,
  timeZone: string,
  now: number,
): string | null {
  if (waitingUntil !== null && waitingUntil > now) {
    const time = momentText(waitingUntil, timeZone, now);
    return fault === null
      ? progressCopy.waitingForPlatform(label, time)
      : progressCopy.tryingAgain(fault, time);
  }
  return status === "queued" ? progressCopy.waitingForSlot : null;
}

/** "412 of 980", "38.4 MB of 90.1 MB", or the known part of it. Empty when both are zero. */
export function amountText({ done, total, unit }: Pick<RunProgress, "done" | "total" | "unit">): string {
  const show = (amount: number) => (unit === "bytes" ? bytesText(amount) : amount.toLocaleString("en-US"));
  if (total !== null && total > 0) return progressCopy.of(show(done), show(total));
  return done > 0 ? show(done) : "";
}

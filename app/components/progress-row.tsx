import { Link } from "@remix-run/react";
import { progressCopy } from "#app/copy/shared.ts";
import { bytesText } from "#app/format/bytes.ts";
import { timeText } from "#app/format/dates.ts";
import { aboutText, durationText } from "#app/format/duration.ts";
import { useNow } from "#app/format/use-now.ts";
import type { RunProgress } from "#core/inventory/views.ts";

/** Share done in whole per cent, or null while the total is not known: a bar never invents one. */
export function percentOf({ done, total }: Pick<RunProgress, "done" | "total">): number | null {
  if (total === null || total <= 0) return null;
  return Math.min(100, Math.floor((done / total) * 100));
}

/** Phase, counts, times and bytes of a running or waiting job, with its bar. Announced politely. */
export function ProgressRow({
  progress,
  name,
  timeZone,
  now: serverNow,
  detailsTo,
}: {
  progress: RunProgress;
  /** What is worked on, for the bar's name. */
  name: string;
  timeZone: string;
  now: number;
  detailsTo?: string;
}) {
  const now = useNow(serverNow, 1000);
  const percent = percentOf(progress);
  const left = progress.expectedEndAt === null ? null : progress.expectedEndAt - now;
  return (
    <div className="progress-row">
      <div className="progress-row__line">
        <PhaseText progress={progress} timeZone={timeZone} now={now} />
        <span className="figs">
          {progress.startedAt !== null && (
            <span>{progressCopy.elapsed(durationText(now - progress.startedAt))}</span>
          )}
          {progress.status === "running" && left !== null && (
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
        className={percent === null ? "progress is-unknown" : "progress"}
        role="progressbar"
        aria-label={progressCopy.label(name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
      >
        <i style={percent === null ? undefined : { width: `${percent}%` }} />
      </div>
    </div>
  );
}

function PhaseText({ progress, timeZone, now }: { progress: RunProgress; timeZone: string; now: number }) {
  if (progress.waitingUntil !== null && progress.waitingUntil > now) {
    return (
      <span aria-live="polite">
        {progressCopy.waitingForPlatform(timeText(progress.waitingUntil, timeZone))}
      </span>
    );
  }
  if (progress.status === "queued") return <span aria-live="polite">{progressCopy.waitingForSlot}</span>;
  return (
    <span>
      <b aria-live="polite">{progress.phase}</b> {amountText(progress)}
    </span>
  );
}

/** "412 of 980", "38.4 MB of 90.1 MB", or what is known of it. */
export function amountText({ done, total, unit }: Pick<RunProgress, "done" | "total" | "unit">): string {
  const show = (amount: number) => (unit === "bytes" ? bytesText(amount) : amount.toLocaleString("en-US"));
  if (total !== null) return progressCopy.of(show(done), show(total));
  return done > 0 ? show(done) : "";
}

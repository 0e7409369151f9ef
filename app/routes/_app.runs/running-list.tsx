import { Link } from "@remix-run/react";
import { Clock } from "lucide-react";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { amountText } from "#app/components/progress-row.tsx";
import { runsCopy } from "#app/copy/runs.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dateText, dayKey, momentText, timeText } from "#app/format/dates.ts";
import { aboutText, countdownText, durationText } from "#app/format/duration.ts";
import { runPercent } from "#app/live/running-jobs.ts";
import { itemPath } from "#app/runs/item-path.ts";
import { isWaiting, type Reading } from "#app/runs/round-words.ts";
import type { OpenRun, RunsView } from "#core/rounds/views.ts";

const copy = runsCopy.now;

/** The runs at work. Each has a bar of the whole run, and its current part in words. */
export function RunningList({ view, reading }: { view: RunsView; reading: Reading }) {
  const { running, nextDueAt } = view;
  return (
    <section>
      <div className="section-head">
        <h2>{copy.title}</h2>
        {running.length > 0 && <span className="meta">{copy.places(view.placesOfAccount)}</span>}
      </div>
      {running.length === 0 ? (
        <p className="runs-empty soft">
          {copy.nothing} {nextDueAt === null ? copy.noneDue : nextText(nextDueAt, reading)}
        </p>
      ) : (
        <ul className="runs">
          {running.map((run) => (
            <RunLine key={run.progress.runId} run={run} reading={reading} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** When the next backup is due. One that is overdue starts within the minute. */
function nextText(dueAt: number, { now, timeZone }: Reading): string {
  const at = Math.max(dueAt, now);
  const isToday = dayKey(at, timeZone) === dayKey(now, timeZone);
  return copy.next(isToday ? null : dateText(at, timeZone, now), timeText(at, timeZone));
}

function RunLine({ run, reading }: { run: OpenRun; reading: Reading }) {
  const { progress, name, platform } = run;
  const { now } = reading;
  const percent = runPercent(progress, now);
  const waits = isWaiting(run, now);
  return (
    <li className="run">
      <p className="run__top">
        <PlatformMark platform={platform} />
        <Link className="run__name clip" to={itemPath(run)}>
          {name}
        </Link>
        <span className="meta">{copy.kinds[progress.kind]}</span>
        {percent !== null && <span className="end">{percent}&nbsp;%</span>}
      </p>
      <span
        className={
          waits
            ? "progress run-bar is-waiting"
            : percent === null
              ? "progress run-bar is-unknown"
              : "progress run-bar"
        }
        role="progressbar"
        aria-label={copy.label(name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
      >
        <i style={waits || percent !== null ? { width: `${percent ?? 100}%` } : undefined} />
      </span>
      <p className="run__line">
        {waits ? <WaitingFacts run={run} reading={reading} /> : <WorkingFacts run={run} now={now} />}
      </p>
    </li>
  );
}

function WaitingFacts({ run: { platform, progress }, reading }: { run: OpenRun; reading: Reading }) {
  const { now, timeZone, labelOf } = reading;
  const until = progress.waitingUntil ?? now;
  return (
    <>
      <span>
        <span className="status-badge warn-t">
          <Clock aria-hidden />
          {copy.asked(labelOf(platform))} <b className="mono">{momentText(until, timeZone, now)}</b>
        </span>{" "}
        <span className="run__kept">{copy.kept}</span>
      </span>
      <span className="figs">
        <span>{copy.startsIn(countdownText(until, now))}</span>
      </span>
    </>
  );
}

function WorkingFacts({ run: { progress }, now }: { run: OpenRun; now: number }) {
  const { startedAt, expectedEndAt, bytesRead, phase } = progress;
  const left = expectedEndAt === null ? null : expectedEndAt - now;
  return (
    <>
      <span>
        <b>{phase ?? copy.starting}</b> {amountText(progress)}
      </span>
      <span className="figs">
        {bytesRead > 0 && <span>{bytesText(bytesRead)}</span>}
        {startedAt !== null && <span>{durationText(now - startedAt)}</span>}
        {left !== null && <span>{left > 0 ? copy.left(aboutText(left)) : copy.nearlyDone}</span>}
      </span>
    </>
  );
}

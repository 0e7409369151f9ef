import { PlatformMark } from "#app/components/platform-mark.tsx";
import { runsCopy } from "#app/copy/runs.ts";
import { momentText } from "#app/format/dates.ts";
import { queueReason, queueTimes } from "#app/runs/queue-words.ts";
import { type Reading, roundSums } from "#app/runs/round-words.ts";
import type { RunsView } from "#core/rounds/views.ts";

const copy = runsCopy.queue;

/** What has not started: the queued runs in their order, then the scheduled backups of today. */
export function QueueList({ view, reading }: { view: RunsView; reading: Reading }) {
  const { queue, queueTotal, due, running, round } = view;
  const { now, timeZone } = reading;
  const times = queueTimes(queue, running, reading);
  const more = Math.max(0, queueTotal - queue.length) + Math.max(0, round.counts.due - due.length);
  const isEmpty = roundSums(round.counts).toCome === 0 && queue.length === 0;
  return (
    <section>
      <div className="section-head">
        <h2>{copy.title}</h2>
        {times.some(({ isEstimate }) => isEstimate) && <span className="meta">{copy.estimates}</span>}
      </div>
      {isEmpty ? (
        <p className="runs-empty soft">{copy.empty}</p>
      ) : (
        <ul className="queue">
          {queue.map((run, index) => (
            <QueueLine
              key={run.progress.runId}
              platform={run.platform}
              name={run.name}
              reason={queueReason(run, reading)}
              when={times[index]?.text ?? ""}
            />
          ))}
          {due.map(({ itemId, platform, name, at }) => (
            <QueueLine
              key={itemId}
              platform={platform}
              name={name}
              reason={copy.reasons.schedule}
              when={copy.when.due(momentText(at, timeZone, now))}
            />
          ))}
          {more > 0 && <li className="queue__more meta">{copy.more(more)}</li>}
        </ul>
      )}
    </section>
  );
}

function QueueLine({
  platform,
  name,
  reason,
  when,
}: {
  platform: string;
  name: string;
  reason: string;
  when: string;
}) {
  return (
    <li>
      <PlatformMark platform={platform} />
      <span className="queue__what">
        <span className="clip">{name}</span>
        <span className="meta">{reason}</span>
      </span>
      <span className="queue__when">{when}</span>
    </li>
  );
}

import { Check, CircleX, Clock, LoaderCircle } from "lucide-react";
import { homeCopy } from "#app/copy/home.ts";
import { dateText, dayKey, timeText } from "#app/format/dates.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { ActivityView, PlatformOverview } from "#core/overview/views.ts";

const copy = homeCopy.recent;

/** What ran last on a platform (spec B-089, B-094). */
export function ActivityList({ overview }: { overview: PlatformOverview | null }) {
  const rows = overview?.activity ?? [];
  return (
    <div className="recent">
      <h4 className="block-label">
        <span>{homeCopy.activity}</span>
        {overview && overview.todayCount > 0 && <span>{copy.today(overview.todayCount)}</span>}
      </h4>
      {rows.length === 0 ? (
        <p className="soft">{copy.none}</p>
      ) : (
        <ul className="activity-list">
          {rows.map((row) => (
            <ActivityRow key={row.id} row={row} />
          ))}
        </ul>
      )}
    </div>
  );
}

function ActivityRow({ row: { date, name, type, status } }: { row: ActivityView }) {
  const { member, now } = useShell();
  const { timeZone } = member;
  const isToday = dayKey(date, timeZone) === dayKey(now, timeZone);
  return (
    <li>
      <time dateTime={new Date(date).toISOString()}>
        {isToday ? timeText(date, timeZone) : dateText(date, timeZone, now)}
      </time>
      <span className="clip">{name ?? copy.removed}</span>
      <span className="soft meta">{copy.types[type]}</span>
      <ActivityState type={type} status={status} />
    </li>
  );
}

function ActivityState({ type, status }: Pick<ActivityView, "type" | "status">) {
  if (status === "running") {
    return (
      <span className="status-badge run-t">
        <LoaderCircle className="spin" aria-hidden />
        {copy.states.running}
      </span>
    );
  }
  if (status === "queued") {
    return (
      <span className="status-badge soft">
        <Clock aria-hidden />
        {copy.states.queued}
      </span>
    );
  }
  if (status === "failed") {
    return (
      <span className="status-badge bad-t">
        <CircleX aria-hidden />
        {copy.states.failed}
      </span>
    );
  }
  return (
    <span className="status-badge">
      <Check className="ok-t" aria-hidden />
      {type === "export" ? copy.ready : copy.states.succeeded}
    </span>
  );
}

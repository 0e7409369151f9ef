import { Archive, Check, CircleX } from "lucide-react";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { auditCopy as copy } from "#app/copy/audit.ts";
import {
  dateText,
  dateTimeText,
  dayKey,
  fullDateTimeText,
  secondText,
  weekdayText,
} from "#app/format/dates.ts";
import { initialsOf } from "#app/format/initials.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { AuditPageData } from "./queries.server.ts";

type Action = AuditPageData["actions"][number];

/** The entries of one page. Each day prints its date once, and an ink rule opens it. */
export function AuditTable({
  actions,
  newCount,
  onHidden,
}: {
  actions: readonly Action[];
  /** How many of the first lines came while the reader watched. */
  newCount: number;
  onHidden: () => void;
}) {
  const { member } = useShell();
  const days = actions.map(({ date }) => dayKey(date, member.timeZone));
  const { columns } = copy;
  return (
    <table className="data-table audit-table">
      <thead>
        <tr>
          <th scope="col" className="t-date">
            {columns.date}
          </th>
          <th scope="col" className="t-time">
            {columns.time}
          </th>
          <th scope="col" className="t-who">
            {columns.who}
          </th>
          <th scope="col" className="t-what">
            {columns.what}
          </th>
          <th scope="col">{columns.object}</th>
          <th scope="col" className="t-app">
            {columns.app}
          </th>
          <th scope="col" className="t-from">
            {columns.from}
          </th>
          <th scope="col" className="t-result">
            {columns.result}
          </th>
        </tr>
      </thead>
      <tbody>
        {actions.map((action, index) => (
          <AuditRow
            key={action.id}
            action={action}
            isFirstOfDay={days[index] !== days[index - 1]}
            isNew={index < newCount}
            onHidden={onHidden}
          />
        ))}
      </tbody>
    </table>
  );
}

function AuditRow({
  action,
  isFirstOfDay,
  isNew,
  onHidden,
}: {
  action: Action;
  isFirstOfDay: boolean;
  isNew: boolean;
  onHidden: () => void;
}) {
  const { member, now } = useShell();
  const { timeZone } = member;
  const day = `${weekdayText(action.date, timeZone)} ${dateText(action.date, timeZone, now)}`;
  return (
    <tr className={isFirstOfDay ? "day-first" : undefined} data-new={isNew || undefined}>
      <td className="ledger-date t-date">{isFirstOfDay ? day : <span className="sr">{day}</span>}</td>
      <td className="mono t-time" title={fullDateTimeText(action.date, timeZone)}>
        {secondText(action.date, timeZone)}
      </td>
      {action.isHidden ? <HiddenCells id={action.id} onOpen={onHidden} /> : <OpenCells action={action} />}
    </tr>
  );
}

function OpenCells({
  action: { name, text, subject, version, versionTakenAt, platform, ip, status, type },
}: {
  action: Action;
}) {
  const { platforms, member, now } = useShell();
  const isProduct = name === copy.product;
  return (
    <>
      <td className="t-who">
        <span className="person">
          {isProduct ? (
            <Archive className="soft" aria-hidden />
          ) : (
            <span className="face" aria-hidden>
              {initialsOf(name) || "?"}
            </span>
          )}
          <span className={isProduct ? "soft clip" : "clip"}>{name}</span>
        </span>
      </td>
      <td className="medium t-what">{text || type}</td>
      <td className="soft t-object">
        <span className="audit-subject">{subject}</span>
        {version !== null && (
          <span className="mono-meta audit-version clip" title={version}>
            {copy.version(
              versionTakenAt === null ? version : dateTimeText(versionTakenAt, member.timeZone, now),
            )}
          </span>
        )}
      </td>
      <td className="t-app">
        {platform && (
          <>
            <PlatformMark platform={platform} />
            <span className="sr">{platforms.find(({ id }) => id === platform)?.label ?? platform}</span>
          </>
        )}
      </td>
      <td className="mono-meta t-from">{ip}</td>
      <td className="t-result">
        {status === "failed" ? (
          <span className="badge badge-bad">
            <CircleX aria-hidden />
            {copy.failed}
          </span>
        ) : (
          <span className="status-badge">
            <Check className="ok-t" aria-hidden />
            {copy.success}
          </span>
        )}
      </td>
    </>
  );
}

/** Bars in place of words that were not sent. Their widths come from the id, so that they do not change. */
function HiddenCells({ id, onOpen }: { id: string; onOpen: () => void }) {
  const seed = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7);
  const widths = [104 + (seed % 36), 120 + ((seed * 7) % 52), 110 + ((seed * 13) % 48)];
  return (
    <td colSpan={6} className="t-hidden">
      <button
        type="button"
        className="audit-veil"
        aria-label={`${copy.hidden}. ${copy.open}`}
        onClick={onOpen}
      >
        {widths.map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- the bars have no other identity
          <i key={index} style={{ width }} />
        ))}
        <i className="end" style={{ width: 90 }} />
      </button>
    </td>
  );
}

import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { ProgressRow } from "#app/components/progress-row.tsx";
import { RowNote } from "#app/components/row-note.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { countText } from "#app/format/counts.ts";
import { dateTimeText, momentText } from "#app/format/dates.ts";
import { hasFailed, itemState } from "#app/items/item-state.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { historyPath, placeNameOf } from "./history-path.ts";
import type { RowFrame } from "./row-frame.ts";

/**
 * The note under a row: progress, failure, waiting, deleted at the platform, or an alarm. Renders nothing when all is
 * well.
 */
export function ItemNote(props: RowFrame & { item: ItemView }) {
  const note = noteOf(props);
  if (note === null) return null;
  return (
    <tr className="sub">
      <td />
      <td className="t-daily" />
      <td colSpan={5}>{note}</td>
    </tr>
  );
}

function noteOf({
  item,
  page,
  words,
  actions,
  isTokenValid,
  timeZone,
  now,
}: RowFrame & { item: ItemView }): ReactNode {
  const run = item.activeRun;
  if (run && (run.kind === "backup" || run.kind === "restore")) {
    if (run.status === "queued" && run.waitingUntil === null) {
      return <RowNote>{item.status === "initialized" ? copy.waiting : copy.queued}</RowNote>;
    }
    return (
      <ProgressRow
        progress={run}
        name={item.name}
        label={words.label}
        timeZone={timeZone}
        now={now}
        detailsTo={historyPath(item, words.kind.isSub, placeNameOf(page, item))}
      />
    );
  }
  /* Check this before the failure that revealed it: there is nothing to retry. */
  if (item.status === "deleted") {
    return <RowNote>{copy.gone(words.label, countText(item.versionCount, "version", "versions"))}</RowNote>;
  }
  if (hasFailed(item) && item.lastError) {
    const at = dateTimeText(item.lastError.at, timeZone, now);
    return (
      <RowNote
        what={`${copy.failedAt(at)}${item.lastError.text}`}
        actions={page.canManage && <FailureActions {...{ item, page, actions, isTokenValid }} />}
      >
        {item.lastBackupAt === null
          ? copy.keptNone
          : copy.keptFrom(dateTimeText(item.lastBackupAt, timeZone, now))}
      </RowNote>
    );
  }
  if (item.status === "initialized") return <RowNote>{copy.firstWaiting}</RowNote>;
  if (item.alarm !== null) {
    const path = historyPath(item, words.kind.isSub, placeNameOf(page, item));
    const look = (
      <Link className={buttonClass({ size: "s" })} to={path}>
        {copy.seeVersions}
      </Link>
    );
    return <RowNote actions={look}>{item.alarm}</RowNote>;
  }
  if (itemState(item, now, isTokenValid) !== "stale") return null;
  const isPlanned = item.nextDueAt !== null && item.nextDueAt > now;
  return (
    <RowNote>
      {isPlanned ? copy.stale(momentText(item.nextDueAt ?? now, timeZone, now)) : copy.staleDue}
    </RowNote>
  );
}

function FailureActions({
  item,
  page,
  actions,
  isTokenValid,
}: Pick<RowFrame, "page" | "actions" | "isTokenValid"> & { item: ItemView }) {
  const isRestricted = useRestricted();
  const { isOwner } = useShell().member;
  if (!isTokenValid) {
    if (isRestricted || !isOwner) return null;
    return (
      <Link
        className={buttonClass({ variant: "outline", size: "s" })}
        to={`/app-connector?platform=${page.platform}&step=authorize`}
      >
        {copy.reconnect}
      </Link>
    );
  }
  return (
    <Button variant="outline" size="s" onClick={() => actions.retry(item)}>
      {copy.retry}
    </Button>
  );
}

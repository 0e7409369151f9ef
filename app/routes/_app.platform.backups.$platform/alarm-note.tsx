import { Link } from "@remix-run/react";
import { useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { alarmCopy as copy } from "#app/copy/alarms.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { AlarmView } from "#core/alarms/views.ts";

/** An alarm in calm words: what happened, what is kept, and a button to acknowledge it. */
export function AlarmNote({
  alarms,
  itemId,
  platform,
  canManage,
  timeZone,
  now,
}: {
  alarms: readonly AlarmView[];
  itemId: string;
  platform: string;
  canManage: boolean;
  timeZone: string;
  now: number;
}) {
  const [isDone, setIsDone] = useState(false);
  const { isBusy, send } = useRequest();
  if (alarms.length === 0 || isDone) return null;
  /* The page's failure listener shows an error. */
  const acknowledge = async () =>
    setIsDone(await send(() => callApi("POST user/acknowledge-alarms", { itemId })));
  const change = alarms.find(({ kind, keptSnapshotId }) => kind !== "stale" && keptSnapshotId !== null);
  return (
    <Callout
      tone="warn"
      action={
        canManage && (
          <Button size="s" isBusy={isBusy} onClick={acknowledge}>
            {copy.acknowledge}
          </Button>
        )
      }
    >
      {alarms.map(({ id, message, createdAt }) => (
        <p key={id}>
          <b>{visibleName(message)}</b> <span className="meta">{dateTimeText(createdAt, timeZone, now)}</span>
        </p>
      ))}
      {change && (
        <p>
          {copy.kept}{" "}
          {canManage && (
            <Link
              className="link"
              to={`/platform/backups/${platform}/compare?${new URLSearchParams({ id: itemId, from: change.keptSnapshotId ?? "", to: change.snapshotId })}`}
            >
              {copy.compare}
            </Link>
          )}
        </p>
      )}
    </Callout>
  );
}

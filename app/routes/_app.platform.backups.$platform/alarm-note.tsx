import { Link } from "@remix-run/react";
import { useState } from "react";
import { ApiError, callApi } from "#app/api/call-api.ts";
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
  const [isBusy, setIsBusy] = useState(false);
  if (alarms.length === 0 || isDone) return null;
  async function acknowledge() {
    setIsBusy(true);
    try {
      await callApi("POST user/acknowledge-alarms", { itemId });
      setIsDone(true);
    } catch (error) {
      // The global failure listener has already shown the error.
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setIsBusy(false);
    }
  }
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

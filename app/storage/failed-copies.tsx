import { Link } from "@remix-run/react";
import { useId } from "react";
import { storageCopy } from "#app/copy/storage.ts";
import { dateTimeText } from "#app/format/dates.ts";
import type { StorageOverview } from "./storage-calls.ts";

const copy = storageCopy.failures;

/** Versions that could not be copied, and why. */
export function FailedCopies({
  failed,
  timeZone,
  now,
}: {
  failed: StorageOverview["failed"];
  timeZone: string;
  now: number;
}) {
  const titleId = useId();
  if (failed.length === 0) return null;
  return (
    <section className="stack" aria-labelledby={titleId}>
      <div>
        <h3 id={titleId}>{copy.title}</h3>
        <p className="meta">{copy.kept}</p>
      </div>
      <ul className="failed-copies">
        {failed.map(({ platform, itemId, itemName, snapshotId, takenAt, text, nextTryAt }) => (
          <li key={snapshotId}>
            <span className="row between">
              <Link
                className="link clip"
                to={`/platform/backups/${platform}?${new URLSearchParams({ name: itemName, id: itemId })}`}
              >
                {itemName}
              </Link>
              <span className="mono-meta nowrap">{dateTimeText(takenAt, timeZone, now)}</span>
            </span>
            <span className="meta">
              {text} {nextTryAt === null ? copy.later : copy.next(dateTimeText(nextTryAt, timeZone, now))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

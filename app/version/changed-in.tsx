import { Link } from "@remix-run/react";
import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { dateText, dateTimeText } from "#app/format/dates.ts";
import { comparePath, type FrameName, placeIn, type VersionRef } from "./address.ts";
import { describePart } from "./describe-part.ts";
import type { Times } from "./note-list.tsx";
import { partVersionsQuery } from "./part-queries.ts";

/** In which versions a card, thread, page or row changed, with a way to compare it with its last change. */
export function ChangedIn({
  data,
  viewId,
  partId,
  frame,
}: {
  data: VersionRef & Times;
  viewId: string;
  partId: string;
  /** The frame that shows the part. */
  frame: FrameName;
}) {
  const { itemId, snapshotId, timeZone, now } = data;
  const { data: found, error } = useLastingQuery(partVersionsQuery({ itemId, snapshotId, viewId, partId }));
  if (error !== null) return null;
  const date = (at: number) => dateTimeText(at, timeZone, now);
  const part = found && describePart(found, snapshotId);
  const place = frame === "board/card" ? { in: viewId, card: partId } : { in: viewId, part: partId };
  return (
    <section aria-busy={part === undefined}>
      <h3 className="row between">
        {copy.changedIn}
        {part && <span className="meta">{copy.since(dateText(part.since, timeZone, now))}</span>}
      </h3>
      <p className="part-ribbon" aria-hidden>
        {part?.cells.map(({ snapshotId: id, state }) => (
          <i key={id} className={`is-${state}${id === snapshotId ? " is-open" : ""}`} />
        ))}
      </p>
      {part && (
        <p className="meta">
          {copy.changedVersions(part.changed, part.present, part.isCut)}{" "}
          {part.before !== null && (
            <Link
              className="link"
              to={comparePath(data, {
                from: part.before.snapshotId,
                to: snapshotId,
                view: viewId,
                part: partId,
              })}
            >
              {copy.compareWith(date(part.before.takenAt))}
            </Link>
          )}
        </p>
      )}
      {part?.after && (
        <p className="meta">
          <Link className="link" to={placeIn({ ...data, snapshotId: part.after.snapshotId }, frame, place)}>
            {copy.changedAgain(date(part.after.takenAt))}
          </Link>
        </p>
      )}
    </section>
  );
}

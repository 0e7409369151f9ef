import { compareCopy as copy } from "#app/copy/compare.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { TipComparison } from "#core/comparisons/views.ts";
import type { Times } from "./note-list.tsx";

/** Maximum number of commits listed. */
const SHOWN_COMMITS = 50;

/** Commits, newest first. */
export function CommitList({
  commits,
  times: { timeZone, now },
}: {
  commits: TipComparison["gained"];
  times: Times;
}) {
  return (
    <>
      <ul>
        {commits.slice(0, SHOWN_COMMITS).map(({ id, title: line, author, at }) => (
          <li key={id}>
            <span className="mono-meta">{id.slice(0, 7)}</span>
            <span dir="auto">{visibleName(line)}</span>
            <span className="meta">
              {visibleName(author)}, {dateTimeText(at, timeZone, now)}
            </span>
          </li>
        ))}
      </ul>
      {commits.length > SHOWN_COMMITS && (
        <p className="meta">{copy.moreRefs(commits.length - SHOWN_COMMITS)}</p>
      )}
    </>
  );
}

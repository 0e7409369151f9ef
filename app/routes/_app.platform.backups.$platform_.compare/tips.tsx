import { compareCopy as copy } from "#app/copy/compare.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { ChangedFiles } from "#app/version/changed-files.tsx";
import { CommitList } from "#app/version/commit-list.tsx";
import type { TipComparison } from "#core/comparisons/views.ts";
import { FileDiff } from "./file-diff.tsx";
import type { ComparePageData } from "./queries.server.ts";

/** The commits and files that an open branch gained and lost. Each file can be opened. */
export function Tips({
  tips,
  data,
  place,
  to,
}: {
  tips: TipComparison;
  data: ComparePageData;
  place: { tree: string; ref: string };
  /** The URL of this branch, with one of its files open. */
  to: (place: Record<string, string>) => string;
}) {
  const { against, gained, lost, files } = tips;
  const isEmpty = gained.length + lost.length + files.length === 0;
  return (
    <div className="tips">
      <Commits
        title={against === null ? copy.lost : copy.lostFrom(visibleName(against))}
        commits={lost}
        times={data}
      />
      <Commits
        title={against === null ? copy.gained : copy.aheadOf(visibleName(against))}
        commits={gained}
        times={data}
      />
      {isEmpty && (
        <p className="meta">{against === null ? copy.noneChanged : copy.allOn(visibleName(against))}</p>
      )}
      {files.length > 0 && (
        <>
          <h3>{copy.files}</h3>
          <ChangedFiles
            list={tips}
            openPath={data.file?.path ?? null}
            to={(path) => to(path === null ? {} : { file: path })}
          >
            {data.file !== null && <FileDiff file={data.file} data={data} place={place} />}
          </ChangedFiles>
        </>
      )}
    </div>
  );
}

function Commits({
  title,
  commits,
  times,
}: {
  title: string;
  commits: TipComparison["gained"];
  times: ComparePageData;
}) {
  if (commits.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <CommitList commits={commits} times={times} />
    </>
  );
}

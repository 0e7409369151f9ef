import { Link } from "@remix-run/react";
import { Callout } from "#app/components/callout.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { ChangedFiles } from "#app/version/changed-files.tsx";
import { CommitList } from "#app/version/commit-list.tsx";
import { FileChange } from "#app/version/file-change.tsx";
import type { Times } from "#app/version/note-list.tsx";
import type { ProposalComparison } from "#core/comparisons/views.ts";
import type { ThreadAddress } from "./queries.server.ts";

type To = (place: { show?: string; file?: string }) => string;
type Show = ThreadAddress["show"];

/** The conversation of a pull request, its commits, or the files that they change. */
export function ProposalTabs({
  proposed,
  show,
  to,
}: {
  /** Null = not read, so its numbers are unknown. */
  proposed: ProposalComparison | null;
  show: Show;
  to: To;
}) {
  const tabs = [
    { id: null, label: copy.conversation, count: null, isMore: false },
    {
      id: "commits",
      label: copy.commitsTab,
      count: proposed?.commits.length ?? null,
      isMore: proposed?.isMore,
    },
    {
      id: "files",
      label: copy.filesTab,
      count: proposed?.files.length ?? null,
      isMore: proposed?.isFilesCut,
    },
  ] as const;
  return (
    <nav className="page-tabs" aria-label={copy.proposal}>
      {tabs.map(({ id, label, count, isMore }) => (
        <Link
          key={label}
          to={to(id === null ? {} : { show: id })}
          aria-current={id === show ? "page" : undefined}
          preventScrollReset
        >
          {label}
          {count !== null && (
            <>
              {" "}
              <span className="count">
                {count.toLocaleString("en-US")}
                {isMore && "+"}
              </span>
            </>
          )}
        </Link>
      ))}
    </nav>
  );
}

/** The commits that a pull request proposes, or the files that they change. */
export function ProposedChange({
  data,
  proposed,
  show,
  openFile,
  to,
}: {
  data: Times;
  proposed: ProposalComparison;
  show: NonNullable<Show>;
  /** Path of the file whose lines are shown. */
  openFile: string | null;
  to: To;
}) {
  const { obstacle, commits, file } = proposed;
  if (obstacle !== null) return <Callout>{obstacle}</Callout>;
  if (commits.length === 0) return <p className="soft">{copy.noCommits}</p>;
  if (show === "commits")
    return (
      <div className="tips">
        <h2 className="sr">{copy.commitsTab}</h2>
        <CommitList commits={commits} times={data} />
      </div>
    );
  return (
    <div className="tips">
      <h2 className="sr">{copy.filesTab}</h2>
      <ChangedFiles
        list={proposed}
        openPath={openFile}
        to={(path) => to(path === null ? { show } : { show, file: path })}
      >
        {file !== null && (
          <div className="file-diff">
            <FileChange file={file} />
          </div>
        )}
      </ChangedFiles>
    </div>
  );
}

import { Link } from "@remix-run/react";
import { Callout } from "#app/components/callout.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { compareCopy } from "#app/copy/compare.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { ChangeMark } from "#app/version/change-mark.tsx";
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
  const { obstacle, commits, files, file, isFilesCut } = proposed;
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
      <ul className="tips__files">
        {files.map(({ path, change }) => {
          const isOpen = path === openFile;
          return (
            <li key={`${change}${path}`} className={isOpen ? "is-open" : undefined}>
              <ChangeMark change={change} />
              <Link
                className="mono-meta"
                dir="auto"
                preventScrollReset
                aria-expanded={isOpen}
                title={compareCopy.open}
                to={to(isOpen ? { show } : { show, file: path })}
              >
                {visibleName(path)}
              </Link>
              {isOpen && file !== null && (
                <div className="file-diff">
                  <FileChange file={file} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {isFilesCut && <p className="meta">{compareCopy.filesCut}</p>}
    </div>
  );
}

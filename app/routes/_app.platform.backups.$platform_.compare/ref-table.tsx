import { Link } from "@remix-run/react";
import { GitBranch, Tag, TriangleAlert } from "lucide-react";
import { Callout } from "#app/components/callout.tsx";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { countText } from "#app/format/counts.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { RefDifference, TipComparison, TreeDifference } from "#core/comparisons/views.ts";
import { ChangeMark, Tally } from "./change-mark.tsx";
import type { ComparePageData } from "./queries.server.ts";

/** Branches and tags that moved, and below an opened one its commits and files. */
export function RefTable({
  data,
  tree,
  to,
  openRef,
}: {
  data: ComparePageData;
  tree: TreeDifference;
  to: (place: Record<string, string>) => string;
  openRef: string | null;
}) {
  const count = (change: RefDifference["change"]) => tree.refs.filter((ref) => ref.change === change).length;
  const counts = { added: count("added"), changed: count("changed"), removed: count("removed") };
  return (
    <section className="section">
      <div className="section-head">
        <h2>{copy.refs(tree.label)}</h2>
        <Tally counts={counts} />
      </div>
      {tree.obstacle !== null && <Callout>{tree.obstacle}</Callout>}
      <table className="data-table compare-table">
        <thead>
          <tr>
            <th className="c-mark">
              <span className="sr">{copy.what}</span>
            </th>
            <th>{copy.name}</th>
            <th className="c-id">{copy.older}</th>
            <th className="c-id">{copy.newer}</th>
            <th className="c-what">{copy.what}</th>
          </tr>
        </thead>
        <tbody>
          {tree.refs.map((ref) => (
            <RefRows
              key={ref.name}
              refRow={ref}
              to={to({ tree: tree.tree, ref: ref.name })}
              tips={openRef === ref.name ? data.tips : null}
              data={data}
            />
          ))}
        </tbody>
      </table>
      {tree.refCount > tree.refs.length && (
        <p className="meta">{copy.moreRefs(tree.refCount - tree.refs.length)}</p>
      )}
    </section>
  );
}

function RefRows({
  refRow,
  to,
  tips,
  data,
}: {
  refRow: RefDifference;
  to: string;
  tips: TipComparison | null;
  data: ComparePageData;
}) {
  const Icon = refRow.kind === "tag" ? Tag : GitBranch;
  return (
    <>
      <tr>
        <td className="c-mark">
          <ChangeMark change={refRow.change} />
        </td>
        <td>
          <span className="row">
            <Icon className="icon-s soft" aria-hidden />
            {refRow.change === "changed" ? (
              <Link className="clip medium" dir="auto" preventScrollReset to={to} title={copy.open}>
                {visibleName(refRow.label)}
              </Link>
            ) : (
              <span className="clip medium" dir="auto">
                {visibleName(refRow.label)}
              </span>
            )}
          </span>
        </td>
        <td className="mono-meta c-id">{refRow.before?.slice(0, 7)}</td>
        <td className="mono-meta c-id">{refRow.after?.slice(0, 7)}</td>
        <td className="c-what">
          {refRow.isRewritten && <TriangleAlert className="icon-s warn-t" aria-hidden />}{" "}
          {whatHappened(refRow)}
        </td>
      </tr>
      {tips !== null && (
        <tr className="sub">
          <td />
          <td colSpan={4}>
            <Tips tips={tips} data={data} />
          </td>
        </tr>
      )}
    </>
  );
}

function whatHappened({ change, kind, isRewritten, gained, lost }: RefDifference): string {
  if (change === "added") return copy.new[kind];
  if (change === "removed") return copy.deleted;
  if (gained === null || lost === null) return copy.moved;
  const commits = ({ count, isMore }: { count: number; isMore: boolean }) =>
    isMore ? copy.atLeast(count) : countText(count, "commit", "commits");
  return isRewritten ? copy.rewritten(commits(lost)) : copy.ahead(commits(gained));
}

function Tips({ tips, data }: { tips: TipComparison; data: ComparePageData }) {
  return (
    <div className="tips">
      <Commits title={copy.lost} commits={tips.lost} data={data} />
      <Commits title={copy.gained} commits={tips.gained} data={data} />
      {tips.files.length > 0 && (
        <>
          <h3>{copy.files}</h3>
          <ul>
            {tips.files.map(({ path, change }) => (
              <li key={`${change}${path}`}>
                <ChangeMark change={change} />
                <span className="mono-meta" dir="auto">
                  {visibleName(path)}
                </span>
              </li>
            ))}
          </ul>
          {tips.isFilesCut && <p className="meta">{copy.filesCut}</p>}
        </>
      )}
    </div>
  );
}

function Commits({
  title,
  commits,
  data,
}: {
  title: string;
  commits: TipComparison["gained"];
  data: ComparePageData;
}) {
  if (commits.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {commits.slice(0, 50).map(({ id, title: line, author, at }) => (
          <li key={id}>
            <span className="mono-meta">{id.slice(0, 7)}</span>
            <span dir="auto">{visibleName(line)}</span>
            <span className="meta">
              {visibleName(author)}, {dateTimeText(at, data.timeZone, data.now)}
            </span>
          </li>
        ))}
      </ul>
      {commits.length > 50 && <p className="meta">{copy.moreRefs(commits.length - 50)}</p>}
    </>
  );
}

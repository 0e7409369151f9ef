import { Link } from "@remix-run/react";
import { GitBranch, Tag, TriangleAlert } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { countText } from "#app/format/counts.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { placeIn } from "#app/version/address.ts";
import { ChangeMark, Tally } from "#app/version/change-mark.tsx";
import type { RefDifference, TipComparison, ViewDifference } from "#core/comparisons/views.ts";
import { isLost } from "./branch-command.ts";
import { BranchRestore } from "./branch-restore.tsx";
import type { ComparePageData } from "./queries.server.ts";
import { Tips } from "./tips.tsx";

/** Branches and tags that moved. An open one shows its commits and files below. */
export function RefTable({
  data,
  view: { id, label, tree, isCloned },
  to,
  openRef,
}: {
  data: ComparePageData;
  view: Extract<ViewDifference, { kind: "files" }>;
  to: (place: Record<string, string>) => string;
  openRef: string | null;
}) {
  const count = (change: RefDifference["change"]) => tree.refs.filter((ref) => ref.change === change).length;
  const counts = { added: count("added"), changed: count("changed"), removed: count("removed") };
  return (
    <section className="section" aria-label={copy.refs(label)}>
      <div className="section-head">
        <h2>{copy.refs(label)}</h2>
        <Tally counts={counts} />
      </div>
      {tree.obstacle !== null && <Callout>{tree.obstacle}</Callout>}
      <table className="data-table compare-table">
        <thead>
          <tr>
            <th className="c-mark">
              <span className="sr">{copy.what}</span>
            </th>
            <th className="c-title">{copy.name}</th>
            <th className="c-id">{copy.older}</th>
            <th className="c-id">{copy.newer}</th>
            <th className="c-what">{copy.what}</th>
            <th className="c-act">
              <span className="sr">{copy.files}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tree.refs.map((ref) => (
            <RefRows
              key={ref.name}
              refRow={ref}
              tree={id}
              isCloned={isCloned}
              to={to}
              tips={data.openTree === id && openRef === ref.name ? data.tips : null}
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
  tree,
  isCloned,
  to,
  tips,
  data,
}: {
  refRow: RefDifference;
  tree: string;
  isCloned: boolean;
  to: (place: Record<string, string>) => string;
  tips: TipComparison | null;
  data: ComparePageData;
}) {
  const Icon = refRow.kind === "tag" ? Tag : GitBranch;
  const place = { tree, ref: refRow.name };
  return (
    <>
      <tr>
        <td className="c-mark">
          <ChangeMark change={refRow.change} />
        </td>
        <td className="c-title">
          <span className="row">
            <Icon className="icon-s soft" aria-hidden />
            {refRow.change === "changed" || refRow.against !== null ? (
              <Link
                className="clip medium"
                dir="auto"
                preventScrollReset
                aria-expanded={tips !== null}
                to={tips === null ? to(place) : to({})}
                title={copy.open}
              >
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
        <td className="c-act">
          {isCloned && data.comparison !== null && isLost(refRow) && (
            <BranchRestore data={data} before={data.comparison.before} refRow={refRow} />
          )}
          <FilesLink refRow={refRow} tree={tree} data={data} />
        </td>
      </tr>
      {tips !== null && (
        <tr className="sub">
          <td />
          <td colSpan={5}>
            <Tips tips={tips} data={data} place={place} to={(opened) => to({ ...place, ...opened })} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Opens the files of a branch in the newer version, or in the only one that has it. */
function FilesLink({ refRow, tree, data }: { refRow: RefDifference; tree: string; data: ComparePageData }) {
  const { comparison, platform, itemId } = data;
  if (comparison === null) return null;
  const { snapshotId } = refRow.change === "removed" ? comparison.before : comparison.after;
  return (
    <Link
      className={buttonClass({ variant: "ghost", size: "s" })}
      to={placeIn({ platform, itemId, snapshotId }, "files", { in: tree, ref: refRow.name })}
      aria-label={copy.filesOf(visibleName(refRow.label))}
    >
      {copy.files}
    </Link>
  );
}

function whatHappened({ change, kind, isRewritten, gained, lost, against }: RefDifference): string {
  const commits = ({ count, isMore }: { count: number; isMore: boolean }) =>
    isMore ? copy.atLeast(count) : countText(count, "commit", "commits");
  const main = against === null ? null : visibleName(against);
  if (change === "added")
    return main === null || !gained?.count
      ? copy.new[kind]
      : copy.newAhead(copy.new[kind], commits(gained), main);
  if (change === "removed") {
    if (main === null || lost === null) return copy.deleted;
    return lost.count === 0 ? copy.deletedMerged(main) : copy.deletedWith(commits(lost), main);
  }
  if (gained === null || lost === null) return copy.moved;
  return isRewritten ? copy.rewritten(commits(lost)) : copy.ahead(commits(gained));
}

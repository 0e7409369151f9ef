import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { compareCopy } from "#app/copy/compare.ts";
import { capitalised } from "#app/format/counts.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { RestorePartButton } from "#app/restore/restore-part-button.tsx";
import { placeIn } from "#app/version/address.ts";
import { ChangeMark, Tally } from "#app/version/change-mark.tsx";
import type { Differences, PartDifference } from "#core/comparisons/views.ts";
import { PartDiff } from "./part-diff.tsx";
import { columnText, type PartsDifference, partText } from "./part-text.ts";
import type { ComparePageData } from "./queries.server.ts";
import { totalOf } from "./sections.ts";

const copy = compareCopy.parts;

/** The differences of a view's parts: cards and their lists, threads, pages, rows. */
export function PartDifferences({
  data,
  view,
  to,
  opened,
}: {
  data: ComparePageData;
  view: PartsDifference;
  to: (place: Record<string, string>) => string;
  /** Id of the part that is open. */
  opened: string | null;
}) {
  const { parts } = view;
  return (
    <>
      {view.kind === "board" && view.columns.rows.length > 0 && (
        <Section title={capitalised(view.words.column.many)} difference={view.columns}>
          {view.columns.rows.map((row) => (
            <tr key={row.columnId}>
              <td className="c-mark">
                <ChangeMark change={row.change} />
              </td>
              <td className="c-title medium" dir="auto">
                {visibleName(row.title)}
              </td>
              <td className="c-what">{columnText(row)}</td>
              <td className="c-act">
                <Restore data={data} row={row} />
              </td>
            </tr>
          ))}
        </Section>
      )}
      {parts.rows.length > 0 && (
        <Section
          title={view.kind === "board" ? capitalised(view.words.card.many) : view.label}
          difference={parts}
        >
          {parts.rows.map((row) => (
            <PartRows
              key={row.partId}
              data={data}
              view={view}
              row={row}
              to={to}
              isOpen={opened === row.partId}
            />
          ))}
        </Section>
      )}
    </>
  );
}

function Section({
  title,
  difference,
  children,
}: {
  title: string;
  difference: Differences<unknown>;
  children: ReactNode;
}) {
  const all = totalOf(difference);
  return (
    <section className="section" aria-label={title}>
      <div className="section-head">
        <h2>{title}</h2>
        <Tally counts={difference} />
      </div>
      <table className="data-table compare-table">
        <thead>
          <tr>
            <th className="c-mark">
              <span className="sr">{compareCopy.what}</span>
            </th>
            <th className="c-title">{compareCopy.titleColumn}</th>
            <th className="c-what">{compareCopy.what}</th>
            <th className="c-act">
              <span className="sr">{copy.restore}</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {all > difference.rows.length && (
        <p className="meta">{compareCopy.moreRows(difference.rows.length, all)}</p>
      )}
    </section>
  );
}

function PartRows({
  data,
  view,
  row,
  to,
  isOpen,
}: {
  data: ComparePageData;
  view: PartsDifference;
  row: PartDifference;
  to: (place: Record<string, string>) => string;
  isOpen: boolean;
}) {
  const { before, after } = data.comparison ?? {};
  const partIn = (version: { snapshotId: string } | undefined) =>
    placeOfPart(data, version?.snapshotId ?? "", view, row.partId);
  return (
    <>
      <tr>
        <td className="c-mark">
          <ChangeMark change={row.change} />
        </td>
        <td className="c-title">
          {row.key !== null && <span className="mono-meta">{visibleName(row.key)} </span>}
          <Link
            className="medium"
            dir="auto"
            preventScrollReset
            aria-expanded={isOpen}
            to={isOpen ? to({}) : to({ view: view.id, part: row.partId })}
            title={compareCopy.open}
          >
            {visibleName(row.title.trim()) || row.partId}
          </Link>
        </td>
        <td className="c-what">{partText(view, row)}</td>
        <td className="c-act">
          <Restore data={data} row={row} />
        </td>
      </tr>
      {isOpen && (
        <tr className="sub">
          <td className="c-mark" />
          <td colSpan={3}>
            {data.part !== null && <PartDiff data={data} view={view} part={data.part} />}
            <p className="card-diff__ways">
              {row.change !== "added" && (
                <Link className="link" to={partIn(before)}>
                  {row.change === "removed" ? copy.openPart : copy.olderPart}
                </Link>
              )}
              {row.change !== "removed" && (
                <Link className="link" to={partIn(after)}>
                  {row.change === "added" ? copy.openPart : copy.newerPart}
                </Link>
              )}
            </p>
          </td>
        </tr>
      )}
    </>
  );
}

/** Returns the URL that opens a part in one of the versions. */
function placeOfPart(
  { platform, itemId }: ComparePageData,
  snapshotId: string,
  view: PartsDifference,
  partId: string,
): string {
  const version = { platform, itemId, snapshotId };
  if (view.kind === "board") return placeIn(version, "board/card", { in: view.id, card: partId });
  return placeIn(version, view.kind, { in: view.id, part: partId });
}

/** Restores a part from the older version. Renders nothing for an added part. */
function Restore({
  data,
  row: { path, title, change },
}: {
  data: ComparePageData;
  row: Pick<PartDifference, "path" | "title" | "change">;
}) {
  if (data.comparison === null || change === "added") return null;
  const { before, parts } = data.comparison;
  const older = { ...data, snapshotId: before.snapshotId, parts };
  return <RestorePartButton data={older} path={path} title={title} size="s" />;
}

import { Link, useSearchParams } from "@remix-run/react";
import { Download } from "lucide-react";
import { loadForAction } from "#app/api/load-for-action.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { capitalised } from "#app/format/counts.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { RestorePartButton } from "#app/restore/restore-part-button.tsx";
import { saveFile } from "#app/shell/save-file.ts";
import { comparePath } from "#app/version/address.ts";
import { ChangeMark, Tally } from "#app/version/change-mark.tsx";
import { VersionFrame } from "#app/version/version-frame.tsx";
import { partPathOf } from "#connectors/contract/part-path.ts";
import type { Comparison, KindDifference } from "#core/comparisons/views.ts";
import { CompareHead } from "./compare-head.tsx";
import { RecordFields } from "./field-diff.tsx";
import { PartDifferences } from "./part-differences.tsx";
import type { ComparePageData } from "./queries.server.ts";
import { RefTable } from "./ref-table.tsx";
import { kindSection, type Section, sectionsOf, tabsOf, totalOf, viewSection } from "./sections.ts";

/** Compares two versions: what was added, changed or removed. */
export function ComparePage({ data }: { data: ComparePageData }) {
  const { comparison } = data;
  return (
    <VersionFrame
      itemId={data.itemId}
      itemName={data.itemName}
      title={copy.title}
      problem={data.problem}
      needsRight={comparison === null ? copy.readOnly : null}
      actions={
        comparison !== null && (
          <Button onClick={() => void exportCsv(comparison, data.itemName)}>
            <Download aria-hidden />
            {copy.exportCsv}
          </Button>
        )
      }
    >
      {comparison !== null && <Differences data={data} comparison={comparison} />}
    </VersionFrame>
  );
}

const loadCsv = loadForAction(() => import("./differences-csv.ts"));

/** Downloads the page's list as a CSV file. */
async function exportCsv(comparison: Comparison, name: string): Promise<void> {
  const made = await loadCsv().catch(() => null);
  if (made === null) return;
  saveFile(`${name} differences.csv`, new Blob([made.differencesCsv(comparison)], { type: "text/csv" }));
}

function Differences({ data, comparison }: { data: ComparePageData; comparison: Comparison }) {
  const [query] = useSearchParams();
  const { before, after, views, kinds, isCut } = comparison;
  const sections = sectionsOf(comparison);
  const asked = query.get("only");
  const only = sections.some(({ id }) => id === asked) ? asked : null;
  const to = (place: Record<string, string>, shown = only) =>
    comparePath(data, { from: before.snapshotId, to: after.snapshotId, ...place, only: shown });
  const isShown = (id: string) => only === null || only === id;
  return (
    <>
      <CompareHead data={data} comparison={comparison} />
      {isCut && <Callout tone="warn">{copy.cut}</Callout>}
      {sections.length === 0 && <p className="soft browse-empty">{copy.same}</p>}
      <SectionTabs sections={sections} only={only} to={(id) => to({}, id)} />
      {views
        .filter(({ id }) => isShown(viewSection(id)))
        .map((view) =>
          view.kind === "files" ? (
            <RefTable key={view.id} data={data} view={view} to={to} openRef={query.get("ref")} />
          ) : (
            <PartDifferences
              key={view.id}
              data={data}
              view={view}
              to={to}
              opened={query.get("view") === view.id ? query.get("part") : null}
            />
          ),
        )}
      {kinds
        .filter(({ kind }) => isShown(kindSection(kind)))
        .map((kind) => (
          <KindTable key={kind.kind} data={data} difference={kind} to={to} opened={query.get("record")} />
        ))}
    </>
  );
}

/** All sections, or one of them. */
function SectionTabs({
  sections,
  only,
  to,
}: {
  sections: readonly Section[];
  only: string | null;
  to: (id: string | null) => string;
}) {
  const tabs = tabsOf(sections);
  if (tabs.length === 0) return null;
  return (
    <nav className="page-tabs" aria-label={copy.tabs}>
      {tabs.map(({ id, label, count }) => (
        <Link key={id} to={to(id)} aria-current={id === only ? "page" : undefined} preventScrollReset>
          {label} <span className="count">{count.toLocaleString("en-US")}</span>
        </Link>
      ))}
    </nav>
  );
}

function KindTable({
  data,
  difference,
  to,
  opened,
}: {
  data: ComparePageData;
  difference: KindDifference;
  to: (place: Record<string, string>) => string;
  opened: string | null;
}) {
  const all = totalOf(difference);
  return (
    <section className="section" aria-label={capitalised(difference.many)}>
      <div className="section-head">
        <h2>{capitalised(difference.many)}</h2>
        <Tally counts={difference} />
        <RestoreAll data={data} difference={difference} />
      </div>
      <table className="data-table compare-table">
        <thead>
          <tr>
            <th className="c-mark">
              <span className="sr">{copy.what}</span>
            </th>
            <th className="c-title">{copy.titleColumn}</th>
          </tr>
        </thead>
        <tbody>
          {difference.rows.map(({ path, title, change, type }) => (
            <tr key={path}>
              <td className="c-mark">
                <ChangeMark change={change} />
              </td>
              <td className="c-title">
                {type === "record" ? (
                  <Link
                    className="medium"
                    dir="auto"
                    preventScrollReset
                    aria-expanded={opened === path}
                    to={opened === path ? to({}) : to({ record: path })}
                    title={copy.open}
                  >
                    {visibleName(title)}
                  </Link>
                ) : (
                  <span dir="auto">{visibleName(title)}</span>
                )}
                {opened === path && data.record !== null && <RecordFields record={data.record} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all > difference.rows.length && <p className="meta">{copy.moreRows(difference.rows.length, all)}</p>}
    </section>
  );
}

/** Restores all records of a kind from the older version. Renders nothing for a kind that cannot be restored so. */
function RestoreAll({
  data,
  difference: { kind, many },
}: {
  data: ComparePageData;
  difference: KindDifference;
}) {
  if (data.comparison === null) return null;
  const { before, parts } = data.comparison;
  const older = { ...data, snapshotId: before.snapshotId, parts };
  return <RestorePartButton data={older} path={partPathOf({ type: "all", kind })} title={many} size="s" />;
}

import { Link, useNavigate, useSearchParams } from "@remix-run/react";
import { ArrowRight, Download } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { bytesText } from "#app/format/bytes.ts";
import { capitalised } from "#app/format/counts.ts";
import { dateTimeText, fullDateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { VersionFrame } from "#app/version/version-frame.tsx";
import type { Comparison, KindDifference } from "#core/comparisons/views.ts";
import { ChangeMark, Tally } from "./change-mark.tsx";
import { RecordFields } from "./field-diff.tsx";
import { PartDifferences } from "./part-differences.tsx";
import type { ComparePageData } from "./queries.server.ts";
import { RefTable } from "./ref-table.tsx";

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

/** How long the download's object URL is kept, in ms. */
const KEPT_MS = 60_000;

/** Downloads the page's list as a CSV file. */
async function exportCsv(comparison: Comparison, name: string): Promise<void> {
  const { differencesCsv } = await import("./differences-csv.ts");
  const url = URL.createObjectURL(new Blob([differencesCsv(comparison)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name} differences.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

function Differences({ data, comparison }: { data: ComparePageData; comparison: Comparison }) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { before, after, views, kinds, isCut } = comparison;
  const isSame = kinds.length === 0 && views.length === 0;
  const to = (place: Record<string, string>) =>
    `?${new URLSearchParams({ id: data.itemId, from: before.snapshotId, to: after.snapshotId, ...place })}`;
  return (
    <>
      <div className="compare-head">
        <Side label={copy.older} side={before} data={data} />
        <ArrowRight className="compare-head__mid" aria-hidden />
        <Side label={copy.newer} side={after} data={data} />
        <SelectField
          label={copy.choose}
          value={before.snapshotId}
          onChange={(event) => navigate(to({ from: event.target.value }))}
        >
          {data.versions
            .filter(({ snapshotId }) => snapshotId !== after.snapshotId)
            .map(({ snapshotId, takenAt }) => (
              <option key={snapshotId} value={snapshotId}>
                {dateTimeText(takenAt, data.timeZone, data.now)}
              </option>
            ))}
        </SelectField>
      </div>
      {isCut && <Callout tone="warn">{copy.cut}</Callout>}
      {isSame && <p className="soft browse-empty">{copy.same}</p>}
      {views.map((view) =>
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
      {kinds.map((kind) => (
        <KindTable key={kind.kind} data={data} difference={kind} to={to} opened={query.get("record")} />
      ))}
    </>
  );
}

function Side({ label, side, data }: { label: string; side: Comparison["before"]; data: ComparePageData }) {
  return (
    <div>
      <span className="meta">{label}</span>
      <strong>{dateTimeText(side.takenAt, data.timeZone, data.now)}</strong>
      <span className="meta" title={fullDateTimeText(side.takenAt, data.timeZone)}>
        {bytesText(side.sizeBytes)}
      </span>
    </div>
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
  const all = difference.added + difference.changed + difference.removed;
  return (
    <section className="section" aria-label={capitalised(difference.many)}>
      <div className="section-head">
        <h2>{capitalised(difference.many)}</h2>
        <Tally counts={difference} />
      </div>
      <table className="data-table compare-table">
        <thead>
          <tr>
            <th className="c-mark">
              <span className="sr">{copy.what}</span>
            </th>
            <th>{copy.titleColumn}</th>
          </tr>
        </thead>
        <tbody>
          {difference.rows.map(({ path, title, change, type }) => (
            <tr key={path}>
              <td className="c-mark">
                <ChangeMark change={change} />
              </td>
              <td>
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

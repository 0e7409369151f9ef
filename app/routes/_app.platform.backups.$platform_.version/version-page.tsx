import { Link, useParams, useSearchParams } from "@remix-run/react";
import { ArrowDownUp } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { VersionFrame } from "#app/components/version-frame.tsx";
import { boardCopy } from "#app/copy/board.ts";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { compareCopy } from "#app/copy/compare.ts";
import { bytesText } from "#app/format/bytes.ts";
import { capitalised } from "#app/format/counts.ts";
import { fullDateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { boardIn, placeIn, readVersionAddress } from "./address.ts";
import { BoardView } from "./board-view.tsx";
import { EntryTable } from "./entry-table.tsx";
import type { VersionPageData } from "./queries.server.ts";
import { RecordView } from "./record-view.tsx";
import { TreeView } from "./tree-view.tsx";

/** The content of one version: a tab per kind, and below a list, a record or the files. */
export function VersionPage({ data }: { data: VersionPageData }) {
  const { platform = "" } = useParams();
  const address = readVersionAddress(useSearchParams()[0]);
  const { facts } = data;
  return (
    <VersionFrame
      itemId={data.itemId}
      itemName={data.itemName}
      folio={
        facts === null ? [] : [fullDateTimeText(facts.takenAt, data.timeZone), bytesText(facts.sizeBytes)]
      }
      title={<span className="title-name">{visibleName(data.itemName)}</span>}
      actions={
        facts !== null && (
          <Link
            className={buttonClass({})}
            to={`/platform/backups/${platform}/compare?${new URLSearchParams({ id: data.itemId, to: data.snapshotId })}`}
          >
            <ArrowDownUp aria-hidden />
            {compareCopy.withBefore}
          </Link>
        )
      }
      problem={data.problem}
      needsRight={facts === null ? copy.readOnly : null}
    >
      {facts !== null && (
        <>
          {facts.isSound === false && <Callout tone="warn">{copy.damaged}</Callout>}
          <nav className="page-tabs" aria-label={copy.tabs}>
            {data.hasBoard && (
              <Link
                to={boardIn(platform, data, null)}
                aria-current={data.board !== null ? "page" : undefined}
              >
                {boardCopy.tab}
              </Link>
            )}
            {data.hasFiles && (
              <Link to={placeIn(data, {})} aria-current={data.tree !== null ? "page" : undefined}>
                {copy.files}
              </Link>
            )}
            <Link
              to={placeIn(data, { view: "records" })}
              aria-current={data.entries !== null && address.kind === null ? "page" : undefined}
            >
              {copy.all} <span className="count">{sum(facts.kinds).toLocaleString("en-US")}</span>
            </Link>
            {facts.kinds.map(({ kind, many, count }) => (
              <Link
                key={kind}
                to={placeIn(data, { view: "records", kind })}
                aria-current={isOf(data, address.kind, kind) ? "page" : undefined}
              >
                {capitalised(many)} <span className="count">{count.toLocaleString("en-US")}</span>
              </Link>
            ))}
          </nav>
          {data.entries !== null && (
            <EntryTable data={data} page={data.entries} kinds={facts.kinds} address={address} />
          )}
          {data.record !== null && (
            <RecordView data={data} record={data.record} kinds={facts.kinds} address={address} />
          )}
          {data.board !== null && <BoardView data={data} board={data.board} address={address} />}
          {data.tree !== null && <TreeView data={data} page={data.tree} address={address} />}
        </>
      )}
    </VersionFrame>
  );
}

const sum = (kinds: readonly { count: number }[]) => kinds.reduce((all, { count }) => all + count, 0);

function isOf(data: VersionPageData, chosen: string | null, kind: string): boolean {
  if (data.record !== null) return data.record.page.entry.kind === kind;
  return data.entries !== null && chosen === kind;
}

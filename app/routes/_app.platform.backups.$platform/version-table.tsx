import { ChevronDown } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { historyCopy as copy } from "#app/copy/history.ts";
import { clockOf, dateText } from "#app/format/dates.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { CompareBar } from "./compare-bar.tsx";
import { useTicks } from "./use-ticks.ts";
import { VersionRow, type VersionTableProps } from "./version-row.tsx";

/** The versions and restores of one item, newest first. Each date is shown once. */
export function VersionTable(props: VersionTableProps) {
  const { item, name, view, page, failure, isLoading, canManage, timeZone, now, onFirstPage } = props;
  const ticks = useTicks();
  const hasNewSize = descriptors.find(({ id }) => id === item.platform)?.supports.incrementalSize === true;
  if (view.rows.length === 0) {
    return page === 0 ? (
      <EmptyHistory item={item} failure={failure} />
    ) : (
      <div className="table-frame version-empty">
        <p>{failure ?? copy.emptyPage}</p>
        <Button onClick={onFirstPage}>{copy.firstPage}</Button>
      </div>
    );
  }
  const days = view.rows.map((row) => dateText(row.date, timeZone, now));
  const clock = clockOf(
    [...view.rows, ...ticks.rows].map(({ date }) => date),
    timeZone,
  );
  return (
    <>
      {canManage && (
        <CompareBar
          item={item}
          ticks={ticks}
          textOf={(at) => `${dateText(at, timeZone, now)} ${clock(at)}`}
        />
      )}
      <table
        className="data-table version-table"
        aria-label={copy.tableName(name)}
        aria-busy={isLoading || undefined}
      >
        <thead>
          <tr>
            {canManage && <td className="v-tick" />}
            <th scope="col" aria-sort="descending">
              {copy.columns.date}
              <ChevronDown aria-hidden />
            </th>
            <th scope="col">{copy.columns.time}</th>
            <th scope="col" className="v-type">
              {copy.columns.type}
            </th>
            <th scope="col" className="num">
              {copy.columns.size}
            </th>
            {hasNewSize && (
              <th scope="col" className="num">
                {copy.columns.newSize}
              </th>
            )}
            <th scope="col">{copy.columns.status}</th>
            <th scope="col">{copy.columns.verified}</th>
            <th scope="col" className="v-keep">
              {copy.columns.kept}
            </th>
            <th scope="col" className="v-act">
              {copy.columns.actions}
            </th>
          </tr>
        </thead>
        <tbody>
          {view.rows.map((row, index) => (
            <VersionRow
              key={row.key}
              {...props}
              row={row}
              day={days[index] ?? ""}
              isSameDay={index > 0 && days[index] === days[index - 1]}
              hasNewSize={hasNewSize}
              time={clock(row.date)}
              ticks={canManage ? ticks : null}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

function EmptyHistory({ item, failure }: { item: ItemView; failure: string | null }) {
  const isRunning = item.activeRun?.kind === "backup" && item.activeRun.status === "running";
  const planned = item.isDaily || item.activeRun !== null ? copy.empty.waiting : copy.empty.paused;
  return (
    <div className="table-frame version-empty">
      <h2>{copy.empty.title}</h2>
      <p className="soft">{failure ?? (isRunning ? copy.empty.running : planned)}</p>
    </div>
  );
}

import { Link, useSearchParams } from "@remix-run/react";
import { Check, CircleX } from "lucide-react";
import { Pagination } from "#app/components/pagination.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { runsCopy } from "#app/copy/runs.ts";
import { clockOf } from "#app/format/dates.ts";
import { durationText } from "#app/format/duration.ts";
import { DONE_PARAMETER } from "#app/runs/done-page.ts";
import { doneStatus, doneText } from "#app/runs/done-words.ts";
import { itemPath } from "#app/runs/item-path.ts";
import type { Reading } from "#app/runs/round-words.ts";
import { type DonePage, NEWEST_DONE } from "#app/runs/runs-queries.ts";
import type { DoneRun, RunsView } from "#core/rounds/views.ts";

const copy = runsCopy.done;

/** What ended today, newest first: the newest runs, or all by pages. */
export function DoneTable({ view, page, reading }: { view: RunsView; page: DonePage; reading: Reading }) {
  const [, setSearch] = useSearchParams();
  const { done, doneTotal } = view;
  const isAll = page.perPage !== NEWEST_DONE.perPage;
  const clock = clockOf(
    done.map(({ finishedAt }) => finishedAt),
    reading.timeZone,
  );
  return (
    <section>
      <div className="section-head">
        <h2>{copy.title}</h2>
        {isAll ? (
          <Link className="link" to="/runs" preventScrollReset>
            {copy.fewer}
          </Link>
        ) : (
          doneTotal > done.length && (
            <Link className="link" to={`/runs?${DONE_PARAMETER}=0`} preventScrollReset>
              {copy.all(doneTotal)}
            </Link>
          )
        )}
      </div>
      {done.length === 0 ? (
        <p className="runs-empty soft">{copy.empty}</p>
      ) : (
        <table className="data-table done-table" aria-label={copy.label}>
          <thead className="sr">
            <tr>
              {copy.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {done.map((run) => (
              <DoneRow key={run.runId} run={run} time={clock(run.finishedAt)} />
            ))}
          </tbody>
        </table>
      )}
      {isAll && doneTotal > page.perPage && (
        <Pagination
          page={page.page}
          perPage={page.perPage}
          total={doneTotal}
          onPage={(next) => setSearch({ [DONE_PARAMETER]: String(next) }, { preventScrollReset: true })}
        />
      )}
    </section>
  );
}

function DoneRow({ run, time }: { run: DoneRun; time: string }) {
  const status = doneStatus(run);
  return (
    <tr className={run.isFailed ? "is-failed" : undefined}>
      <td className="mono nowrap">{time}</td>
      <td>
        <span className="row">
          <PlatformMark platform={run.platform} />
          <Link className="clip run__name is-plain" to={itemPath(run)}>
            {run.name}
          </Link>
        </span>
      </td>
      <td className="soft done-table__what">{doneText(run)}</td>
      <td className="num soft nowrap">{run.tookMs !== null && durationText(run.tookMs)}</td>
      <td>
        {status === "failed" || status === "incomplete" ? (
          <span className="badge badge-bad">
            <CircleX aria-hidden />
            {copy.status[status]}
          </span>
        ) : (
          <span className="status-badge">
            <Check className="ok-t" aria-hidden />
            {copy.status[status]}
          </span>
        )}
      </td>
    </tr>
  );
}

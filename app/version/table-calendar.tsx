import { browseCopy as copy } from "#app/copy/browse.ts";
import { dateText, dayKey } from "#app/format/dates.ts";
import type { TableRow } from "#connectors/contract/table-view.ts";
import { RowLink, type TableScene } from "./row-link.tsx";

/** The rows of a page by day and month. Rows without a date are listed below. */
export function TableCalendar({
  rows,
  scene,
  date,
}: {
  rows: readonly TableRow[];
  scene: TableScene;
  date: string;
}) {
  const days = rowsByDay(rows, date, scene.data.timeZone);
  const undated = rows.filter((row) => row.cells[date]?.type !== "date");
  const months = [...new Set([...days.keys()].map((day) => day.slice(0, 7)))].sort();
  return (
    <>
      {months.map((month) => (
        <Month key={month} month={month} days={days} scene={scene} date={date} />
      ))}
      {undated.length > 0 && (
        <section className="month">
          <h2>{copy.undated}</h2>
          <ul className="month__rows">
            {undated.map((row) => (
              <li key={row.id}>
                <RowLink row={row} scene={scene} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Rows by `2026-11-20`. A date without a time is the same day in every time zone. */
function rowsByDay(rows: readonly TableRow[], date: string, timeZone: string): Map<string, TableRow[]> {
  const days = new Map<string, TableRow[]>();
  for (const row of rows) {
    const cell = row.cells[date];
    if (cell?.type !== "date") continue;
    const day = dayKey(cell.from, cell.hasTime ? timeZone : "UTC");
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return days;
}

function Month({
  month,
  days,
  scene,
  date,
}: {
  month: string;
  days: ReadonlyMap<string, TableRow[]>;
  scene: TableScene;
  date: string;
}) {
  const first = new Date(`${month}-01T00:00:00Z`);
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  // Weeks begin on Monday.
  const offset = (first.getUTCDay() + 6) % 7;
  const title = first.toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
  return (
    <section className="month" aria-label={title}>
      <h2>{title}</h2>
      <p className="month__names" aria-hidden>
        {copy.weekdays.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </p>
      <ol className="month__days">
        {Array.from({ length: count }, (_, at) => {
          const day = `${month}-${String(at + 1).padStart(2, "0")}`;
          const found = days.get(day) ?? [];
          return (
            <li
              key={day}
              className={found.length === 0 ? "is-empty" : undefined}
              style={at === 0 ? { gridColumnStart: offset + 1 } : undefined}
            >
              <span className="mono-meta">{at + 1}</span>
              {found.map((row) => (
                <span key={row.id} className="month__row">
                  <RowLink row={row} scene={scene} />
                  <LastDay row={row} scene={scene} date={date} />
                </span>
              ))}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The day on which a longer row ends. */
function LastDay({ row, scene: { data }, date }: { row: TableRow; scene: TableScene; date: string }) {
  const cell = row.cells[date];
  if (cell?.type !== "date" || cell.until === null) return null;
  const day = dateText(cell.until, cell.hasTime ? data.timeZone : "UTC", data.now);
  return <span className="mono-meta"> {copy.until(day)}</span>;
}

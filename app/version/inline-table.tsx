import { Link } from "@remix-run/react";
import { Table2 } from "lucide-react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { TableRows } from "#core/browsing/views.ts";
import { placeIn, type VersionRef } from "./address.ts";
import { LayoutNote } from "./layout-note.tsx";
import { LayoutRows } from "./layout-rows.tsx";
import type { Times } from "./note-list.tsx";
import { columnsOf, type TableScene } from "./row-link.tsx";

/** A table inside a text: its first rows in its first layout, and links to the whole table. */
export function InlineTable({
  data,
  view,
  id,
  title,
  table: { facts, rows, next, layoutId, isUnsorted },
}: {
  data: VersionRef & Times;
  /** Id of the view with the table. */
  view: string;
  id: string;
  title: string;
  table: TableRows;
}) {
  const layout = facts.layouts.find((each) => each.id === layoutId);
  const whole = placeIn(data, "pages", { in: view, table: id });
  const columns = columnsOf(facts, layout);
  const scene: TableScene = {
    ...{ data, columns },
    to: (row) => placeIn(data, "pages", { in: view, table: id, part: row.id }),
  };
  // A layout with a filter does not say how many rows pass it.
  const more = facts.rowCount === null || layout?.hasFilter ? null : facts.rowCount - rows.length;
  return (
    <section className="inline-table" aria-label={visibleName(title) || copy.nameless}>
      <h3 className="inline-table__title" dir="auto">
        {facts.icon !== null && `${facts.icon} `}
        {visibleName(title) || copy.nameless}
      </h3>
      <p className="inline-table__facts meta">
        <Table2 className="icon-s" aria-hidden />
        <span>{copy.tableSize(facts.rowCount, columns.length + 1)}</span>
        <Link className="link push-end" to={whole}>
          {copy.openTable}
        </Link>
      </p>
      <LayoutNote layout={layout} isUnsorted={isUnsorted} />
      {rows.length === 0 ? (
        <p className="soft">{copy.none(copy.rows.many)}</p>
      ) : (
        <LayoutRows layout={layout} rows={rows} scene={scene} title={facts.titleColumn ?? copy.title} />
      )}
      {next !== null && (
        <p className="meta">
          <Link className="link" to={whole}>
            {copy.moreRows(more)}
          </Link>
        </p>
      )}
    </section>
  );
}

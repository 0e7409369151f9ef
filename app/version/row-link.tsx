import { Link } from "@remix-run/react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { TableColumn, TableFacts, TableLayout, TableRow } from "#connectors/contract/table-view.ts";
import type { VersionRef } from "./address.ts";
import type { Times } from "./note-list.tsx";

/** The data that every layout of a table needs. */
export type TableScene = {
  data: VersionRef & Times;
  /** Columns of the layout, in its order. */
  columns: TableColumn[];
  /** The address of an opened row. */
  to: (row: TableRow) => string;
};

/** The columns that a layout shows, in its order. */
export function columnsOf(
  { columns }: Pick<TableFacts, "columns">,
  layout: TableLayout | undefined,
): TableColumn[] {
  return (layout?.columns ?? []).flatMap((id) => columns.find((each) => each.id === id) ?? []);
}

/** The title of a row, as a link to it. */
export function RowLink({ row, scene }: { row: TableRow; scene: TableScene }) {
  return (
    <>
      {row.key !== null && <span className="mono-meta">{visibleName(row.key)} </span>}
      <Link className="medium" dir="auto" to={scene.to(row)}>
        {visibleName(row.title.trim()) || copy.nameless}
      </Link>
    </>
  );
}

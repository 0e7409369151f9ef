import { Link } from "@remix-run/react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type PartsOf, RestorePartButton } from "#app/restore/restore-part-button.tsx";
import type { RowPage } from "#core/browsing/views.ts";
import { placeIn } from "./address.ts";
import type { Times } from "./note-list.tsx";
import { PartDocument } from "./part-document.tsx";
import type { ShownBlock, ShownNotes } from "./shown-texts.server.ts";
import { CellView } from "./table-cell.tsx";
import type { TablePlace } from "./table-frame.tsx";

/** An opened row with the HTML of its texts. */
export type ShownRow = Omit<RowPage, "comments"> & { blocks: ShownBlock[]; comments: ShownNotes };

/** A row with its cells, text and comments. */
export function RowView({
  data,
  opened: { view, table, columns, row, blocks, tables, comments },
  place,
}: {
  data: PartsOf & Times;
  opened: ShownRow;
  place: Pick<TablePlace, "frame" | "table" | "after">;
}) {
  return (
    <PartDocument
      data={data}
      view={view.id}
      record={row}
      title={
        <h1 className="page-doc__title" dir="auto">
          {visibleName(row.title.trim()) || copy.nameless}{" "}
          {row.key !== null && <span className="mono">{visibleName(row.key)}</span>}
        </h1>
      }
      place={
        <Link
          className="link"
          dir="auto"
          to={placeIn(data, place.frame, { in: view.id, table: place.table })}
        >
          {visibleName(table) || copy.nameless}
        </Link>
      }
      actions={<RestorePartButton data={data} path={row.path} title={row.title} />}
      properties={columns
        .filter(({ id }) => row.cells[id] !== undefined)
        .map(({ id, name }) => ({ name, value: <CellView cell={row.cells[id]} times={data} /> }))}
      blocks={blocks.length === 0 ? null : blocks}
      tables={tables}
      comments={comments}
      after={place.after}
      at={(after) => placeIn(data, place.frame, { in: view.id, table: place.table, part: row.id, after })}
    />
  );
}

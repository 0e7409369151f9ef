import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { TableCell, TableColumn, TableLayout, TableRow } from "#connectors/contract/table-view.ts";
import { PartPicture } from "./part-picture.tsx";
import { RowLink, type TableScene } from "./row-link.tsx";
import { TableBoard } from "./table-board.tsx";
import { TableCalendar } from "./table-calendar.tsx";
import { CellView } from "./table-cell.tsx";

/** A card has no names of columns beside its values, so it shows few of them. The opened row has all. */
const MOST_ON_CARD = 6;

/** Rows of a table in one of its layouts. */
export function LayoutRows({
  layout,
  rows,
  scene,
  title,
}: {
  layout: TableLayout | undefined;
  rows: readonly TableRow[];
  scene: TableScene;
  /** Heads the column of titles. */
  title: string;
}) {
  const onCard = { ...scene, columns: scene.columns.slice(0, MOST_ON_CARD) };
  switch (layout?.type) {
    case "list":
      return <RowList rows={rows} scene={scene} />;
    case "gallery":
      return <Gallery rows={rows} scene={onCard} cover={layout.cover} />;
    case "calendar":
      return <TableCalendar rows={rows} scene={scene} date={layout.date} />;
    case "board":
      return <TableBoard rows={rows} scene={onCard} layout={layout} />;
    default:
      return <Grid rows={rows} scene={scene} title={title} />;
  }
}

function Grid({ rows, scene, title }: { rows: readonly TableRow[]; scene: TableScene; title: string }) {
  const alignOf = ({ type }: TableColumn) => (type === "number" ? "num" : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: -- wide tables are scrolled with the keyboard
    <section className="x-scroll" aria-label={copy.rows.many} tabIndex={0}>
      <table className="row-table">
        <thead>
          <tr>
            <th>{visibleName(title)}</th>
            {scene.columns.map((column) => (
              <th key={column.id} className={alignOf(column)}>
                {visibleName(column.name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={row.isArchived ? "is-archived" : undefined}>
              <td>
                <RowLink row={row} scene={scene} />
              </td>
              {scene.columns.map((column) => (
                <td key={column.id} className={alignOf(column)}>
                  <CellView cell={row.cells[column.id]} times={scene.data} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RowList({ rows, scene }: { rows: readonly TableRow[]; scene: TableScene }) {
  return (
    <ul className="thread-rows row-list">
      {rows.map((row) => (
        <li key={row.id}>
          <span className="thread-rows__title">
            <RowLink row={row} scene={scene} />
          </span>
          <span className="meta thread-rows__by">
            {scene.columns.map(({ id }) => (
              <CellView key={id} cell={row.cells[id]} times={scene.data} />
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Gallery({
  rows,
  scene,
  cover,
}: {
  rows: readonly TableRow[];
  scene: TableScene;
  cover: string | null;
}) {
  return (
    <ul className="row-gallery">
      {rows.map((row) => {
        const picture = cover === null ? null : pictureOf(row.cells[cover]);
        return (
          <li key={row.id}>
            {cover !== null && (
              <div className="row-gallery__cover">
                {picture !== null && <PartPicture data={scene.data} path={picture} />}
              </div>
            )}
            <RowLink row={row} scene={scene} />
            {scene.columns
              .filter(({ id }) => id !== cover)
              .map(({ id }) => (
                <CellView key={id} cell={row.cells[id]} times={scene.data} />
              ))}
          </li>
        );
      })}
    </ul>
  );
}

function pictureOf(cell: TableCell | undefined): string | null {
  if (cell?.type !== "files") return null;
  return cell.files.find(({ path }) => path !== null)?.path ?? null;
}

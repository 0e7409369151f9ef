import { useNavigate } from "@remix-run/react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type PartsOf, RestorePartButton } from "#app/restore/restore-part-button.tsx";
import type { TableCell, TableColumn, TableLayout, TableRow } from "#connectors/contract/table-view.ts";
import type { TablePage } from "#core/browsing/views.ts";
import { type FrameName, placeIn } from "./address.ts";
import { ListPages } from "./list-pages.tsx";
import { ListTools } from "./list-tools.tsx";
import { MarkdownBody } from "./markdown-body.tsx";
import type { Times } from "./note-list.tsx";
import { PartPicture } from "./part-picture.tsx";
import { RowLink, type TableScene } from "./row-link.tsx";
import { TableBoard } from "./table-board.tsx";
import { TableCalendar } from "./table-calendar.tsx";
import { CellView } from "./table-cell.tsx";

/** A page of a table, with the HTML of its description. */
export type ShownTable = TablePage & { html: string | null };

/** Which table is shown, and what of it. */
export type TablePlace = {
  frame: Extract<FrameName, "table" | "pages">;
  /** Id of the table inside a view of pages; null = the view is the table. */
  table: string | null;
  layout: string | null;
  search: string | null;
  after: string | null;
};

/** A card has no names of columns beside its values, so it shows few of them. The opened row has all. */
const MOST_ON_CARD = 6;

/** Shows the rows of a table in the chosen layout. */
export function TableFrame({
  data,
  page,
  place,
}: {
  data: PartsOf & Times;
  page: ShownTable;
  place: TablePlace;
}) {
  const navigate = useNavigate();
  const { view, facts, rows } = page;
  const { table, search, after } = place;
  const layout = facts.layouts.find(({ id }) => id === place.layout) ?? facts.layouts[0];
  const here = { in: view.id, table, q: search, layout: place.layout };
  const at = (more: Record<string, string | null>) => placeIn(data, place.frame, { ...here, ...more });
  const shown = (layout?.columns ?? []).flatMap((id) => facts.columns.find((each) => each.id === id) ?? []);
  const scene: TableScene = { data, columns: shown, to: ({ id }) => at({ part: id }) };
  return (
    <section aria-label={facts.title}>
      {facts.text !== "" && (
        <details className="board-about">
          <summary>{copy.aboutTable}</summary>
          <MarkdownBody html={page.html} text={facts.text} />
        </details>
      )}
      <ListTools
        search={search}
        onSearch={(q) => navigate(at({ q }), { preventScrollReset: true })}
        waysLabel={copy.layout}
        ways={facts.layouts.map(({ id, label }) => ({
          id,
          label: visibleName(label),
          to: at({ layout: id, after }),
          isCurrent: id === layout?.id,
        }))}
        count={facts.rowCount}
        words={copy.rows}
      >
        {facts.path !== null && (
          <RestorePartButton data={data} path={facts.path} title={facts.title} size="s" />
        )}
      </ListTools>
      {rows.length === 0 ? (
        <p className="soft browse-empty">
          {search === null ? copy.none(copy.rows.many) : copy.noneFound(copy.rows.many)}
        </p>
      ) : (
        <Rows layout={layout} rows={rows} scene={scene} title={facts.titleColumn ?? copy.title} />
      )}
      <ListPages
        first={after === null ? null : at({})}
        next={page.next === null ? null : at({ after: page.next })}
        isPaused={page.isPaused}
      />
    </section>
  );
}

function Rows({
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

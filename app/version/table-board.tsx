import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { boardColumns, groupsOf } from "#connectors/contract/table-groups.ts";
import type { TableLayout, TableRow } from "#connectors/contract/table-view.ts";
import { RowLink, type TableScene } from "./row-link.tsx";
import { CellView } from "./table-cell.tsx";

/** The rows of a page in columns by a value. A row with several values is in the column of each. */
export function TableBoard({
  rows,
  scene,
  layout: { group, order },
}: {
  rows: readonly TableRow[];
  scene: TableScene;
  layout: Extract<TableLayout, { type: "board" }>;
}) {
  const columns = boardColumns(rows, order, (row) => groupsOf(row.cells[group]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: -- a wide board is scrolled with the keyboard
    <section className="x-scroll row-board" aria-label={copy.rows.many} tabIndex={0}>
      {columns.map(({ name, rows: held }) => (
        <section key={name ?? ""} aria-label={name === null ? copy.noValue : visibleName(name)}>
          <h2>
            <span dir="auto">{name === null ? copy.noValue : visibleName(name) || copy.nameless}</span>
            <span className="mono-meta">{held.length}</span>
          </h2>
          <ul>
            {held.map((row) => (
              <li key={row.id} className={`row-board__row${row.isArchived ? " is-archived" : ""}`}>
                <RowLink row={row} scene={scene} />
                {scene.columns
                  .filter(({ id }) => id !== group && row.cells[id] !== undefined)
                  .map(({ id }) => (
                    <CellView key={id} cell={row.cells[id]} times={scene.data} />
                  ))}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

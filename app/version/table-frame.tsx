import { useNavigate } from "@remix-run/react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type PartsOf, RestorePartButton } from "#app/restore/restore-part-button.tsx";
import type { TablePage } from "#core/browsing/views.ts";
import { type FrameName, placeIn } from "./address.ts";
import { LayoutNote } from "./layout-note.tsx";
import { LayoutRows } from "./layout-rows.tsx";
import { ListPages } from "./list-pages.tsx";
import { ListTools } from "./list-tools.tsx";
import { MarkdownBody } from "./markdown-body.tsx";
import type { Times } from "./note-list.tsx";
import { columnsOf, type TableScene } from "./row-link.tsx";

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
  const layout = facts.layouts.find(({ id }) => id === page.layoutId);
  const here = { in: view.id, table, q: search, layout: place.layout };
  const at = (more: Record<string, string | null>) => placeIn(data, place.frame, { ...here, ...more });
  const scene: TableScene = { data, columns: columnsOf(facts, layout), to: ({ id }) => at({ part: id }) };
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
          to: at({ layout: id }),
          isCurrent: id === layout?.id,
        }))}
        count={facts.rowCount}
        words={copy.rows}
      >
        {facts.path !== null && (
          <RestorePartButton data={data} path={facts.path} title={facts.title} size="s" />
        )}
      </ListTools>
      <LayoutNote layout={layout} isUnsorted={page.isUnsorted} />
      {rows.length === 0 ? (
        <p className="soft browse-empty">
          {search === null ? copy.none(copy.rows.many) : copy.noneFound(copy.rows.many)}
        </p>
      ) : (
        <LayoutRows layout={layout} rows={rows} scene={scene} title={facts.titleColumn ?? copy.title} />
      )}
      <ListPages
        first={after === null ? null : at({})}
        next={page.next === null ? null : at({ after: page.next })}
        isPaused={page.isPaused}
      />
    </section>
  );
}

import { Link, useLocation, useNavigate } from "@remix-run/react";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { placeIn } from "#app/version/address.ts";
import { ListPages } from "#app/version/list-pages.tsx";
import type { Inside } from "#app/version/read-inside.server.ts";
import { RowView } from "#app/version/row-view.tsx";
import { TableFrame } from "#app/version/table-frame.tsx";
import type { PagesPage } from "#core/browsing/views.ts";
import { PageDocument } from "./page-document.tsx";
import { PageTree } from "./page-tree.tsx";
import type { PagesData } from "./queries.server.ts";

/** The tree of pages beside the open page, table or row. */
export function PagesFrame({ data, pages }: { data: Inside<unknown>; pages: PagesData }) {
  const navigate = useNavigate();
  const { levels, found, page, table, row, place } = pages;
  const view = levels[0]?.list.view.id ?? "";
  const opened = page?.page.id ?? place.table;
  const { key } = useLocation();
  // On small screens the tree is folded away until it is asked for, and again when something is opened.
  const [unfoldedAt, setUnfoldedAt] = useState<string | null>(null);
  const isTreeOpen = unfoldedAt === key;
  const listed = found === null || place.search === null ? copy.pages : copy.pagesWith(place.search);
  const title = page?.page.title ?? table?.facts.title ?? row?.row.title ?? listed;
  return (
    <div className={isTreeOpen ? "pages is-tree-open" : "pages"}>
      <Button
        className="pages__fold"
        aria-expanded={isTreeOpen}
        onClick={() => setUnfoldedAt(isTreeOpen ? null : key)}
      >
        <span className="clip">{visibleName(title) || copy.nameless}</span>
        <ChevronDown aria-hidden />
      </Button>
      <div className="pages__tree">
        <SearchField
          value={place.table === null ? (place.search ?? "") : ""}
          label={copy.searchIn(copy.pages.toLowerCase())}
          onSearch={(q) => navigate(placeIn(data, "pages", { in: view, q }))}
        />
        <PageTree
          key={`${data.snapshotId} ${view}`}
          data={data}
          view={view}
          levels={levels}
          opened={opened}
        />
      </div>
      <div className="pages__open">
        {found !== null && <FoundPages data={data} found={found} search={place.search} after={place.after} />}
        {page !== null && <PageDocument data={data} opened={page} place={place} />}
        {table !== null && (
          <>
            <h1 className="page-doc__title" dir="auto">
              {table.facts.icon} {visibleName(table.facts.title) || copy.nameless}
            </h1>
            <TableFrame data={data} page={table} place={place} />
          </>
        )}
        {row !== null && <RowView data={data} opened={row} place={place} />}
      </div>
    </div>
  );
}

function FoundPages({
  data,
  found,
  search,
  after,
}: {
  data: Inside<unknown>;
  found: PagesPage;
  search: string | null;
  after: string | null;
}) {
  const here = { in: found.view.id, q: search };
  return (
    <>
      {found.rows.length === 0 && (
        <p className="soft browse-empty">{copy.noneFound(copy.pages.toLowerCase())}</p>
      )}
      <ul className="thread-rows">
        {found.rows.map(({ id, type, title, icon }) => (
          <li key={id}>
            <span className="thread-rows__title">
              {icon}
              <Link
                className="medium"
                dir="auto"
                to={placeIn(data, "pages", { in: found.view.id, [type === "page" ? "part" : "table"]: id })}
              >
                {visibleName(title) || copy.nameless}
              </Link>
            </span>
          </li>
        ))}
      </ul>
      <ListPages
        first={after === null ? null : placeIn(data, "pages", here)}
        next={found.next === null ? null : placeIn(data, "pages", { ...here, after: found.next })}
        isPaused={found.isPaused}
      />
    </>
  );
}

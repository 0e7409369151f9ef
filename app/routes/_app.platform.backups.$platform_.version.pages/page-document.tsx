import { Link } from "@remix-run/react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type PartsOf, RestorePartButton } from "#app/restore/restore-part-button.tsx";
import { placeIn, type VersionRef } from "#app/version/address.ts";
import type { Times } from "#app/version/note-list.tsx";
import { PartDocument } from "#app/version/part-document.tsx";
import type { PagesData, ShownPage } from "./queries.server.ts";

/** An open page: its path, properties, text and comments. */
export function PageDocument({
  data,
  opened: { view, page, blocks, tables, comments },
  place: { part, after },
}: {
  data: PartsOf & Times;
  opened: ShownPage;
  place: PagesData["place"];
}) {
  // Without an opened part, the surrounding page already has an h1.
  const Title = part === null ? "h2" : "h1";
  return (
    <PartDocument
      data={data}
      view={view.id}
      record={page}
      trail={page.crumbs.length > 0 && <Crumbs data={data} view={view.id} crumbs={page.crumbs} />}
      title={
        <Title className="page-doc__title" dir="auto">
          {page.icon !== null && `${page.icon} `}
          {visibleName(page.title) || copy.nameless}
        </Title>
      }
      actions={<RestorePartButton data={data} path={page.path} title={page.title} />}
      properties={page.fields.map(({ name, value }) => ({ name, value: visibleName(value) }))}
      blocks={blocks}
      tables={tables}
      comments={comments}
      after={after}
      at={(mark) => placeIn(data, "pages", { in: view.id, part: page.id, after: mark })}
    />
  );
}

function Crumbs({
  data,
  view,
  crumbs,
}: {
  data: VersionRef;
  view: string;
  crumbs: ShownPage["page"]["crumbs"];
}) {
  return (
    <nav className="trail page-doc__crumbs" aria-label={copy.path}>
      {crumbs.map(({ id, type, title }, index) => (
        <span key={id}>
          {index > 0 && <span aria-hidden>/</span>}
          <Link
            dir="auto"
            to={placeIn(data, "pages", { in: view, [type === "page" ? "part" : "table"]: id })}
          >
            {visibleName(title) || copy.nameless}
          </Link>
        </span>
      ))}
    </nav>
  );
}

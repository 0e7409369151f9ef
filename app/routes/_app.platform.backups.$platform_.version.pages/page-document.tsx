import { Link } from "@remix-run/react";
import { FileText } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { placeIn, type VersionRef } from "#app/version/address.ts";
import { BlockList } from "#app/version/block-list.tsx";
import { FileList, WebLink } from "#app/version/file-list.tsx";
import { NoteList, NotePages, type Times } from "#app/version/note-list.tsx";
import { Byline } from "#app/version/row-view.tsx";
import type { PagesData, ShownPage } from "./queries.server.ts";

/** An open page: its path, properties, text and comments. */
export function PageDocument({
  data,
  opened: { view, page, blocks, comments },
  place: { part, after },
}: {
  data: VersionRef & Times;
  opened: ShownPage;
  place: PagesData["place"];
}) {
  // Without an opened part, the surrounding page already has an h1.
  const Title = part === null ? "h2" : "h1";
  const at = (mark: string | null) => placeIn(data, "pages", { in: view.id, part: page.id, after: mark });
  return (
    <article className="page-doc">
      {page.crumbs.length > 0 && (
        <nav className="trail page-doc__crumbs" aria-label={copy.path}>
          {page.crumbs.map(({ id, type, title }, index) => (
            <span key={id}>
              {index > 0 && (
                <span className="soft" aria-hidden>
                  /
                </span>
              )}
              <Link
                className="link"
                dir="auto"
                to={placeIn(data, "pages", { in: view.id, [type === "page" ? "part" : "table"]: id })}
              >
                {visibleName(title) || copy.nameless}
              </Link>
            </span>
          ))}
        </nav>
      )}
      <Title className="page-doc__title" dir="auto">
        {page.icon !== null && `${page.icon} `}
        {visibleName(page.title) || copy.nameless}
      </Title>
      <Byline record={page} times={data} />
      {page.fields.length > 0 && (
        <dl className="page-props">
          {page.fields.map(({ name, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: -- two fields may have one name
            <div key={index}>
              <dt dir="auto">{visibleName(name)}</dt>
              <dd dir="auto">{visibleName(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {part !== null && <h2 className="sr">{copy.content}</h2>}
      {after === null && <BlockList data={data} view={view.id} blocks={blocks} />}
      {page.files.length > 0 && <FileList data={data} files={page.files} />}
      {comments.notes.length > 0 && (
        <section className="section">
          <h3 className="record__below">{copy.notes}</h3>
          <NoteList data={data} notes={comments.notes} />
        </section>
      )}
      <NotePages
        label={copy.notes}
        next={comments.next === null ? null : at(comments.next)}
        first={after === null ? null : at(null)}
        words={{ next: copy.more, first: copy.firstNotes }}
      />
      <p className="row read__ways">
        <Link
          className={buttonClass({ size: "s" })}
          to={placeIn(data, "records", { path: page.path, raw: "1" })}
        >
          <FileText aria-hidden />
          {copy.raw}
        </Link>
        {page.url !== null && <WebLink url={page.url} />}
      </p>
    </article>
  );
}

import { Link } from "@remix-run/react";
import { Download, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { FileLink } from "#connectors/contract/field.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { TableRows } from "#core/browsing/views.ts";
import { partPath, placeIn, type VersionRef } from "./address.ts";
import { BlockList } from "./block-list.tsx";
import { FileList, WebLink } from "./file-list.tsx";
import { NoteList, NotePages, type Times } from "./note-list.tsx";
import type { ShownBlock, ShownNotes } from "./shown-texts.server.ts";

/** Something that people wrote, with where it is and who wrote it when. */
type Written = {
  path: string;
  url: string | null;
  author: string | null;
  at: number | null;
  editedAt: number | null;
  files: readonly FileLink[];
};

/** An open page or row as a document: title, properties, text, files and comments. */
export function PartDocument({
  data,
  view,
  record,
  title,
  trail,
  place,
  properties,
  blocks,
  tables,
  comments,
  after,
  at,
  actions,
}: {
  data: VersionRef & Times;
  /** Id of the view with the pages and tables that the text links to. */
  view: string;
  record: Written;
  title: ReactNode;
  /** The way to it, above the title. */
  trail?: ReactNode;
  /** What it is in. */
  place?: ReactNode;
  properties: readonly { name: string; value: ReactNode }[];
  /** Null = it has no text of its own. */
  blocks: readonly ShownBlock[] | null;
  /** The tables in the text, by their ids. */
  tables: Readonly<Record<string, TableRows>>;
  comments: ShownNotes;
  /** The mark behind which the comments begin; null = at the first. */
  after: string | null;
  /** The address of the comments behind a mark. */
  at: (mark: string | null) => string;
  actions?: ReactNode;
}) {
  return (
    <article className="page-doc">
      <header className="page-doc__head">
        {trail}
        {title}
        <div className="row wraps">
          {supportsMarkdown(data.platform) && (
            <a
              className={buttonClass({})}
              href={partPath(data, { path: record.path, as: "markdown" })}
              download
            >
              <Download aria-hidden />
              {copy.markdown}
            </a>
          )}
          {actions}
        </div>
        <Byline record={record} place={place} times={data} />
      </header>
      {properties.length > 0 && (
        <dl className="page-props">
          {properties.map(({ name, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: -- two properties may have one name
            <div key={index}>
              <dt dir="auto">{visibleName(name)}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <h2 className="sr">{copy.content}</h2>
      {after === null && blocks !== null && (
        <BlockList data={data} view={view} tables={tables} blocks={blocks} />
      )}
      {record.files.length > 0 && <FileList data={data} files={record.files} />}
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
          to={placeIn(data, "records", { path: record.path, raw: "1" })}
        >
          <FileText aria-hidden />
          {copy.raw}
        </Link>
        {record.url !== null && <WebLink url={record.url} />}
      </p>
    </article>
  );
}

const supportsMarkdown = (platform: string) =>
  descriptors.find(({ id }) => id === platform)?.supports.pageMarkdown === true;

/** Where something is, who wrote it and when. */
function Byline({
  record: { author, at, editedAt },
  place,
  times,
}: {
  record: Pick<Written, "author" | "at" | "editedAt">;
  place: ReactNode;
  times: Times;
}) {
  const date = (moment: number) => dateTimeText(moment, times.timeZone, times.now);
  if (place === undefined && author === null && at === null && editedAt === null) return null;
  return (
    <p className="read__state">
      {place !== undefined && (
        <span>
          {copy.in} {place}
        </span>
      )}
      {author !== null && <span>{copy.by(visibleName(author))}</span>}
      {at !== null && <span>{copy.created(date(at))}</span>}
      {editedAt !== null && <span>{copy.edited(date(editedAt))}</span>}
    </p>
  );
}

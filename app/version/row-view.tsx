import { Link } from "@remix-run/react";
import { FileText } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { RowPage } from "#core/browsing/views.ts";
import { placeIn, type VersionRef } from "./address.ts";
import { BlockList } from "./block-list.tsx";
import { Fact, FactsRail } from "./facts-rail.tsx";
import { FileList, WebLink } from "./file-list.tsx";
import { NoteList, NotePages, type Times } from "./note-list.tsx";
import type { ShownBlock, ShownNotes } from "./shown-texts.server.ts";
import { CellView } from "./table-cell.tsx";
import type { TablePlace } from "./table-frame.tsx";

/** An opened row with the HTML of its texts. */
export type ShownRow = Omit<RowPage, "comments"> & { blocks: ShownBlock[]; comments: ShownNotes };

/** A row with its text, comments and cells. */
export function RowView({
  data,
  opened: { view, table, columns, row, blocks, comments },
  place,
}: {
  data: VersionRef & Times;
  opened: ShownRow;
  place: Pick<TablePlace, "frame" | "table" | "after">;
}) {
  const at = (after: string | null) =>
    placeIn(data, place.frame, { in: view.id, table: place.table, part: row.id, after });
  return (
    <article className="read">
      <div className="read__main">
        <header className="read__head">
          <h1 dir="auto">
            {visibleName(row.title.trim()) || copy.nameless}{" "}
            {row.key !== null && <span className="mono">{visibleName(row.key)}</span>}
          </h1>
          <Byline record={row} place={copy.inTable(visibleName(table))} times={data} />
        </header>
        <h2 className="sr">{copy.content}</h2>
        {place.after === null && <BlockList data={data} view={view.id} blocks={blocks} />}
        {comments.notes.length > 0 && <NoteList data={data} notes={comments.notes} label={copy.notes} />}
        <NotePages
          label={copy.notes}
          next={comments.next === null ? null : at(comments.next)}
          first={place.after === null ? null : at(null)}
          words={{ next: copy.more, first: copy.firstNotes }}
        />
      </div>
      <FactsRail>
        {columns
          .filter(({ id }) => row.cells[id] !== undefined)
          .map(({ id, name }) => (
            <Fact key={id} name={visibleName(name)}>
              <CellView cell={row.cells[id]} times={data} />
            </Fact>
          ))}
        {row.files.length > 0 && (
          <Fact name={copy.attached}>
            <FileList data={data} files={row.files} />
          </Fact>
        )}
        <section>
          <p className="row read__ways">
            <Link
              className={buttonClass({ size: "s" })}
              to={placeIn(data, "records", { path: row.path, raw: "1" })}
            >
              <FileText aria-hidden />
              {copy.raw}
            </Link>
            {row.url !== null && <WebLink url={row.url} />}
          </p>
        </section>
      </FactsRail>
    </article>
  );
}

/** Author and time. */
export function Byline({
  record: { author, at, editedAt },
  place,
  times,
}: {
  record: { author: string | null; at: number | null; editedAt: number | null };
  place?: string;
  times: Times;
}) {
  const date = (moment: number) => dateTimeText(moment, times.timeZone, times.now);
  if (place === undefined && author === null && at === null && editedAt === null) return null;
  return (
    <p className="read__state">
      {place !== undefined && <span>{place}</span>}
      {author !== null && <span>{copy.by(visibleName(author))}</span>}
      {at !== null && <span>{copy.created(date(at))}</span>}
      {editedAt !== null && <span>{copy.edited(date(editedAt))}</span>}
    </p>
  );
}

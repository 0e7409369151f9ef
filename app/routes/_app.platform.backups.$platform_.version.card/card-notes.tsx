import { Link, useSearchParams } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { boardCopy } from "#app/copy/board.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { MarkdownBody } from "../_app.platform.backups.$platform_.version/markdown-body.tsx";
import type { CardData, ShownNote } from "./queries.server.ts";

const copy = boardCopy.card;

/** Comments or history, newest first. */
export function CardNotes({
  data,
  notes,
  none,
  older,
  isHistory = false,
}: {
  data: CardData;
  notes: readonly ShownNote[];
  none: string;
  /** URL of the older ones; null at the end. */
  older: string | null;
  isHistory?: boolean;
}) {
  const [query] = useSearchParams();
  const key = isHistory ? "history" : "comments";
  const back = new URLSearchParams(query);
  back.delete(key);
  if (notes.length === 0) return <p className="soft">{none}</p>;
  return (
    <>
      <ol className={isHistory ? "card-notes is-history" : "card-notes"}>
        {notes.map((note) => (
          <li key={note.path}>
            <Byline note={note} data={data} isHistory={isHistory} />
            {!isHistory && <MarkdownBody html={note.html} text={note.text} />}
          </li>
        ))}
      </ol>
      {(older !== null || query.has(key)) && (
        <nav className="row" aria-label={isHistory ? copy.history : copy.comments}>
          {query.has(key) && (
            <Link className={buttonClass({ size: "s" })} to={`?${back}`} preventScrollReset>
              {copy.newest}
            </Link>
          )}
          {older !== null && (
            <Link className={buttonClass({ size: "s" })} to={older} preventScrollReset>
              {copy.older}
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

function Byline({ note, data, isHistory }: { note: ShownNote; data: CardData; isHistory: boolean }) {
  const date = (at: number) => dateTimeText(at, data.timeZone, data.now);
  const { author, at, editedAt, reactions, text } = note;
  return (
    <p className="card-notes__by">
      <b dir="auto">{author === null || author === "" ? copy.somebody : visibleName(author)}</b>
      {isHistory && <span dir="auto">{visibleName(text)}</span>}
      {at !== null && <span className="mono-meta">{date(at)}</span>}
      {editedAt !== null && <span className="meta">{copy.edited(date(editedAt))}</span>}
      {reactions.map(({ sign, count }) => (
        <span key={sign} className="badge">
          {visibleName(sign)} {count}
        </span>
      ))}
    </p>
  );
}

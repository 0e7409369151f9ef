import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { initialsOf } from "#app/format/initials.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { Reaction } from "#connectors/contract/note.ts";
import type { VersionRef } from "./address.ts";
import { FileList } from "./file-list.tsx";
import { MarkdownBody } from "./markdown-body.tsx";
import type { ShownNote } from "./shown-texts.server.ts";
import { TopicIcon } from "./topic-icon.tsx";

/** Time zone and current time for formatting. */
export type Times = { timeZone: string; now: number };

/** Comments as posts, with the events between them as lines. */
export function NoteList({
  data,
  notes,
  label,
}: {
  data: VersionRef & Times;
  notes: readonly ShownNote[];
  label?: string;
}) {
  return (
    <ol className="thread" aria-label={label}>
      {notes.map((note) =>
        note.type === "event" ? (
          <li key={note.path} className="thread__event">
            <TopicIcon topic={note.topic} />
            <span>
              <b dir="auto">{authorOf(note)}</b> <span dir="auto">{visibleName(note.text)}</span>
            </span>
            <NoteTime at={note.at} times={data} />
          </li>
        ) : (
          <Post key={note.path} data={data} note={note} />
        ),
      )}
    </ol>
  );
}

function Post({ data, note }: { data: VersionRef & Times; note: ShownNote }) {
  const { at, editedAt, about, html, text, reactions, files, answers } = note;
  const author = authorOf(note);
  return (
    <li className={answers === null ? "post" : "post is-answer"}>
      <span className="initials initials-l" aria-hidden>
        {initialsOf(author)}
      </span>
      <div>
        <p className="post__who">
          <b dir="auto">{author}</b>
          {editedAt !== null && <span>{copy.edited(dateTimeText(editedAt, data.timeZone, data.now))}</span>}
          <NoteTime at={at} times={data} />
        </p>
        {about !== null && (
          <p className="meta post__about" dir="auto">
            {visibleName(about)}
          </p>
        )}
        {text !== "" && <MarkdownBody html={html} text={text} />}
        {files.length > 0 && <FileList data={data} files={files} />}
        <Reactions reactions={reactions} />
      </div>
    </li>
  );
}

function NoteTime({ at, times: { timeZone, now } }: { at: number | null; times: Times }) {
  if (at === null) return null;
  return <span className="mono-meta post__at">{dateTimeText(at, timeZone, now)}</span>;
}

function authorOf({ author }: ShownNote): string {
  return author === null || author === "" ? copy.somebody : visibleName(author);
}

/** Reactions and their counts. */
export function Reactions({ reactions }: { reactions: readonly Reaction[] }) {
  if (reactions.length === 0) return null;
  return (
    <p className="post__foot">
      {reactions.map(({ sign, count }) => (
        <span key={sign} className="badge">
          {visibleName(sign)} {count}
        </span>
      ))}
    </p>
  );
}

/** Links to the next notes, to the rest and back to the first. Renders nothing when all notes are shown. */
export function NotePages({
  label,
  shown,
  next,
  rest = null,
  first,
  words,
}: {
  label: string;
  /** Which of how many are shown. */
  shown?: string;
  /** URLs; null = no such page. */
  next: string | null;
  rest?: string | null;
  first: string | null;
  words: { next: string; rest?: string; first: string };
}) {
  if (next === null && first === null) return null;
  return (
    <nav className="row note-pages" aria-label={label}>
      {shown !== undefined && <span className="meta">{shown}</span>}
      {first !== null && (
        <Link className={buttonClass({ size: "s" })} to={first} preventScrollReset>
          {words.first}
        </Link>
      )}
      {next !== null && (
        <Link className={buttonClass({ size: "s" })} to={next} preventScrollReset>
          {words.next}
        </Link>
      )}
      {rest !== null && (
        <Link className={buttonClass({ size: "s" })} to={rest} preventScrollReset>
          {words.rest}
        </Link>
      )}
    </nav>
  );
}

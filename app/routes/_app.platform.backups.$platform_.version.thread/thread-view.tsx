import { Link } from "@remix-run/react";
import { CircleCheck, CircleDot, FileText } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { initialsOf } from "#app/format/initials.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type PartsOf, RestorePartButton } from "#app/restore/restore-part-button.tsx";
import { placeIn, type VersionRef } from "#app/version/address.ts";
import { Fact, FactsRail, FieldFacts } from "#app/version/facts-rail.tsx";
import { FileList, WebLink } from "#app/version/file-list.tsx";
import { MarkdownBody } from "#app/version/markdown-body.tsx";
import { NoteList, NotePages, Reactions, type Times } from "#app/version/note-list.tsx";
import { TagList } from "#app/version/tag-list.tsx";
import type { ThreadDetail } from "#connectors/contract/thread-view.ts";
import type { ShownThread } from "./queries.server.ts";

/** An open thread: its text, comments and events, with its facts beside them. */
export function ThreadView({
  data,
  opened: { view, thread, html, notes },
  after,
}: {
  data: PartsOf & Times;
  opened: ShownThread;
  /** Cursor of the notes; null = from the first. */
  after: string | null;
}) {
  const place = { in: view.id, part: thread.id };
  return (
    <article className="read">
      <div className="read__main">
        <ThreadHead thread={thread} times={data} />
        <h2 className="sr">{copy.content}</h2>
        {after === null && <FirstPost data={data} thread={thread} html={html} />}
        {notes.notes.length > 0 && <NoteList data={data} notes={notes.notes} label={copy.notes} />}
        <NotePages
          label={copy.notes}
          next={notes.next === null ? null : placeIn(data, "thread", { ...place, after: notes.next })}
          first={after === null ? null : placeIn(data, "thread", place)}
          words={{ next: copy.more, first: copy.firstNotes }}
        />
      </div>
      <FactsRail>
        {thread.tags.length > 0 && (
          <Fact name={copy.labels}>
            <TagList tags={thread.tags} />
          </Fact>
        )}
        <FieldFacts fields={thread.fields} />
        {thread.files.length > 0 && (
          <Fact name={copy.attached}>
            <FileList data={data} files={thread.files} />
          </Fact>
        )}
        <section>
          <p className="row read__ways">
            <RestorePartButton data={data} path={thread.path} title={thread.title} size="s" />
            <Link
              className={buttonClass({ size: "s" })}
              to={placeIn(data, "records", { path: thread.path, raw: "1" })}
            >
              <FileText aria-hidden />
              {copy.raw}
            </Link>
            {thread.url !== null && <WebLink url={thread.url} />}
          </p>
        </section>
      </FactsRail>
    </article>
  );
}

function ThreadHead({ thread, times }: { thread: ThreadDetail; times: Times }) {
  const { title, key, state, author, at, editedAt } = thread;
  const date = (moment: number) => dateTimeText(moment, times.timeZone, times.now);
  const StateIcon = state?.isOpen ? CircleDot : CircleCheck;
  return (
    <header className="read__head">
      <h1 dir="auto">
        {visibleName(title.trim()) || copy.nameless}{" "}
        {key !== null && <span className="mono">{visibleName(key)}</span>}
      </h1>
      <p className="read__state">
        {state !== null && (
          <span className="read__badge">
            <StateIcon className={state.isOpen ? "ok-t" : undefined} aria-hidden />
            {visibleName(state.label)}
          </span>
        )}
        {author !== null && <span>{copy.by(visibleName(author))}</span>}
        {at !== null && <span>{copy.created(date(at))}</span>}
        {editedAt !== null && <span>{copy.edited(date(editedAt))}</span>}
      </p>
    </header>
  );
}

/** The text of the thread itself. */
function FirstPost({
  data,
  thread: { author, at, text, reactions },
  html,
}: {
  data: VersionRef & Times;
  thread: ThreadDetail;
  html: string | null;
}) {
  const name = author === null ? copy.somebody : visibleName(author);
  return (
    <div className="post is-first">
      <span className="initials initials-l" aria-hidden>
        {initialsOf(name)}
      </span>
      <div>
        <p className="post__who">
          <b dir="auto">{name}</b>
          {at !== null && (
            <span className="mono-meta post__at">{dateTimeText(at, data.timeZone, data.now)}</span>
          )}
        </p>
        {text.trim() === "" ? (
          <p className="soft">{copy.noText}</p>
        ) : (
          <MarkdownBody html={html} text={text} />
        )}
        <Reactions reactions={reactions} />
      </div>
    </div>
  );
}

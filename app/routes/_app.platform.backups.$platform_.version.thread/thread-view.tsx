import { Link } from "@remix-run/react";
import { ArrowDown, ArrowUp, CircleCheck, CircleDot, FileText } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { countText } from "#app/format/counts.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { initialsOf } from "#app/format/initials.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type PartsOf, RestorePartButton } from "#app/restore/restore-part-button.tsx";
import { placeIn, type VersionRef } from "#app/version/address.ts";
import { ChangedIn } from "#app/version/changed-in.tsx";
import { Fact, FactsRail, FieldFacts } from "#app/version/facts-rail.tsx";
import { FileList, WebLink } from "#app/version/file-list.tsx";
import { MarkdownBody } from "#app/version/markdown-body.tsx";
import { NoteList, NotePages, Reactions, type Times } from "#app/version/note-list.tsx";
import { TagList } from "#app/version/tag-list.tsx";
import type { ThreadDetail } from "#connectors/contract/thread-view.ts";
import { ProposalTabs, ProposedChange } from "./proposed-change.tsx";
import type { ShownThread, ThreadAddress } from "./queries.server.ts";

/** An open thread: its text, comments and events, with its facts beside them. */
export function ThreadView({
  data,
  opened,
  address,
}: {
  data: PartsOf & Times;
  opened: ShownThread;
  address: ThreadAddress;
}) {
  const { view, thread, proposed } = opened;
  const { show, file } = address;
  const to = (place: Parameters<typeof placeIn>[2]) =>
    placeIn(data, "thread", { in: view.id, part: thread.id, ...place });
  return (
    <article className="read">
      <div className="read__main">
        <ThreadHead data={data} opened={opened} />
        {thread.proposal !== null && <ProposalTabs proposed={proposed} show={show} to={to} />}
        {proposed === null || show === null ? (
          <Conversation data={data} opened={opened} address={address} to={to} />
        ) : (
          <ProposedChange data={data} proposed={proposed} show={show} openFile={file} to={to} />
        )}
      </div>
      <FactsRail>
        <ChangedIn data={data} viewId={view.id} partId={thread.id} frame="thread" />
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
        {thread.comesBackAs !== null && (
          <Fact name={copy.ifRestored}>
            <p className="meta">{thread.comesBackAs}</p>
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

/** The text of the thread, its comments and events, and what the version has of it. */
function Conversation({
  data,
  opened: { thread, html, notes, noteCount, belongs },
  address: { after, before },
  to,
}: {
  data: PartsOf & Times;
  opened: ShownThread;
  /** `after` is the cursor of the notes; null = from the first. */
  address: Pick<ThreadAddress, "after" | "before">;
  to: (place: { after?: string; before?: string; all?: string }) => string;
}) {
  const { next } = notes;
  const first = after === null ? 1 : before + 1;
  const last = first + notes.notes.length - 1;
  const rest = (all?: string) =>
    next === null ? null : to({ after: next, before: String(last), ...(all && { all }) });
  return (
    <>
      <h2 className="sr">{copy.content}</h2>
      {after === null && <FirstPost data={data} thread={thread} html={html} />}
      {notes.notes.length > 0 && <NoteList data={data} notes={notes.notes} label={copy.notes} />}
      <NotePages
        label={copy.notes}
        shown={copy.notesShown(first, last, next === null ? last : noteCount)}
        next={rest()}
        rest={rest("1")}
        first={after === null ? null : to({})}
        words={{ next: copy.more, rest: copy.restOfNotes, first: copy.firstNotes }}
      />
      {belongs.length > 0 && (
        <p className="meta">
          {copy.belongs(belongs.map(({ count, one, many }) => countText(count, one, many)))}
        </p>
      )}
    </>
  );
}

function ThreadHead({ data, opened }: { data: VersionRef & Times; opened: ShownThread }) {
  const { title, key, state, author, at, editedAt } = opened.thread;
  const date = (moment: number) => dateTimeText(moment, data.timeZone, data.now);
  const StateIcon = state?.isOpen ? CircleDot : CircleCheck;
  return (
    <header className="read__head">
      <Neighbours data={data} opened={opened} />
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
        {editedAt !== null && <span>{copy.lastChanged(date(editedAt))}</span>}
      </p>
    </header>
  );
}

/** Links to the threads before and after it in the list. */
function Neighbours({ data, opened }: { data: VersionRef; opened: ShownThread }) {
  const { view, words, neighbours } = opened;
  if (neighbours.newer === null && neighbours.older === null) return null;
  const steps = [
    { id: neighbours.newer, label: copy.newerOf(words.one), Icon: ArrowUp },
    { id: neighbours.older, label: copy.olderOf(words.one), Icon: ArrowDown },
  ];
  return (
    <nav className="part-steps" aria-label={copy.stepsOf(words.many)}>
      {steps.map(
        ({ id, label, Icon }) =>
          id !== null && (
            <Link
              key={label}
              className="icon-btn"
              aria-label={label}
              title={label}
              to={placeIn(data, "thread", { in: view.id, part: id })}
            >
              <Icon aria-hidden />
            </Link>
          ),
      )}
    </nav>
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

import { Link, useSearchParams } from "@remix-run/react";
import { Check, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "#app/components/button.tsx";
import { boardCopy } from "#app/copy/board.ts";
import { capitalised } from "#app/format/counts.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { RestorePartButton } from "#app/restore/restore-part-button.tsx";
import { type BoardShown, boardQuery, placeIn, type VersionRef } from "#app/version/address.ts";
import { ChangedIn } from "#app/version/changed-in.tsx";
import { Fact, FactsRail, FieldFacts } from "#app/version/facts-rail.tsx";
import { FileList, WebLink } from "#app/version/file-list.tsx";
import { FrameNote } from "#app/version/frame-note.tsx";
import { MarkdownBody } from "#app/version/markdown-body.tsx";
import { NoteList, NotePages, type Times } from "#app/version/note-list.tsx";
import type { Inside } from "#app/version/read-inside.server.ts";
import { TagList } from "#app/version/tag-list.tsx";
import type { BoardCardDetail } from "#connectors/contract/board-view.ts";
import { CardCover } from "../_app.platform.backups.$platform_.version.board/card-cover.tsx";
import type { ShownCard } from "./queries.server.ts";

const copy = boardCopy.card;

/** An opened card: its text, fields, files, comments and history. */
export function CardBody({ data, shown }: { data: Inside<ShownCard>; shown: BoardShown }) {
  const { page, problem } = data;
  if (page === null)
    return (
      <div className="card-body card-body__note">
        <FrameNote problem={problem ?? copy.gone} />
      </div>
    );
  const { card, html } = page;
  return (
    <div className="card-body">
      <div className="card-body__main">
        <CardCover data={data} card={card} />
        <Part title={copy.text}>
          {card.text === "" ? (
            <p className="soft">{copy.noText}</p>
          ) : (
            <MarkdownBody html={html} text={card.text} />
          )}
        </Part>
        {card.checklists.map((list, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- two checklists may have one name
          <Checklist key={index} list={list} data={data} />
        ))}
        {card.files.length > 0 && (
          <Part title={copy.files}>
            <FileList data={data} files={card.files} />
          </Part>
        )}
        <Notes of="comments" data={data} shown={shown} page={page} />
        <Notes of="history" data={data} shown={shown} page={page} />
      </div>
      <div className="card-body__side">
        <Facts page={page} data={data} />
        <div className="card-body__links">
          <RestorePartButton data={data} path={card.path} title={card.title} />
          {card.url !== null && <WebLink url={card.url} label={copy.visit} className={buttonClass()} />}
          <Link className={buttonClass()} to={placeIn(data, "records", { path: card.path, raw: "1" })}>
            <FileText aria-hidden />
            {copy.stored}
          </Link>
        </div>
      </div>
    </div>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="card-part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Comments or the history, newest first. */
function Notes({
  of,
  data,
  shown,
  page,
}: {
  of: "comments" | "history";
  data: Inside<unknown>;
  shown: BoardShown;
  page: ShownCard;
}) {
  const [query] = useSearchParams();
  const { notes, next } = page[of];
  const at = (after: string | null) =>
    placeIn(data, "board/card", { ...boardQuery(shown), card: page.card.id, [of]: after });
  return (
    <Part title={copy[of]}>
      {notes.length === 0 ? (
        <p className="soft">{of === "comments" ? copy.noComments : copy.noHistory(page.words.card.one)}</p>
      ) : (
        <NoteList data={data} notes={notes} />
      )}
      <NotePages
        label={copy[of]}
        next={next === null ? null : at(next)}
        first={query.has(of) ? at(null) : null}
        words={{ next: copy.older, first: copy.newest }}
      />
    </Part>
  );
}

function Checklist({ list, data }: { list: BoardCardDetail["checklists"][number]; data: Times }) {
  const done = list.items.filter(({ isDone }) => isDone).length;
  return (
    <Part
      title={
        <>
          <span dir="auto">{visibleName(list.title)}</span>{" "}
          <span className="count">
            {done}/{list.items.length}
          </span>
        </>
      }
    >
      {list.items.length === 0 ? (
        <p className="soft">{copy.emptyList}</p>
      ) : (
        <ul className="check-list">
          {list.items.map(({ text, isDone, dueAt, person }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: -- two items may be equal
            <li key={index} className={isDone ? "is-done" : undefined}>
              <span className="check-list__box">
                {isDone && (
                  <>
                    <Check aria-hidden />
                    <span className="sr">{copy.ticked}: </span>
                  </>
                )}
                {!isDone && <span className="sr">{copy.open}: </span>}
              </span>
              <span dir="auto">{visibleName(text)}</span>
              {(dueAt !== null || person !== null) && (
                <span className="meta">
                  {[
                    person === null ? null : visibleName(person),
                    dueAt === null ? null : copy.untilItem(dateTimeText(dueAt, data.timeZone, data.now)),
                  ]
                    .filter((each) => each !== null)
                    .join(", ")}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Facts({ page, data }: { page: ShownCard; data: VersionRef & Times }) {
  const { card, column, words } = page;
  const date = (at: number) => dateTimeText(at, data.timeZone, data.now);
  return (
    <FactsRail>
      <ChangedIn data={data} viewId={page.view.id} partId={card.id} frame="board/card" />
      {card.isArchived && (
        <section>
          <p>
            <span className="badge">{capitalised(words.away)}</span>
          </p>
        </section>
      )}
      {card.tags.length > 0 && (
        <Fact name={copy.labels}>
          <TagList tags={card.tags} />
        </Fact>
      )}
      <Fact name={capitalised(words.column.one)}>
        <p dir="auto">{column === null ? boardCopy.homeless(words.column.one) : visibleName(column)}</p>
      </Fact>
      {card.role !== null && <Fact name={copy.role}>{visibleName(card.role)}</Fact>}
      {card.startAt !== null && <Fact name={copy.start}>{date(card.startAt)}</Fact>}
      {card.dueAt !== null && (
        <Fact name={copy.due}>
          {date(card.dueAt)}
          {card.isDone && `, ${copy.done}`}
        </Fact>
      )}
      {card.people.length > 0 && (
        <Fact name={capitalised(words.people)}>
          <p dir="auto">{card.people.map(visibleName).join(", ")}</p>
        </Fact>
      )}
      <FieldFacts fields={card.fields} />
    </FactsRail>
  );
}

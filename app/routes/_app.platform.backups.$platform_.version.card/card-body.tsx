import { Link } from "@remix-run/react";
import { ArrowUpRight, Check, Download, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { RestorePart } from "#app/components/restore-part.tsx";
import { boardCopy } from "#app/copy/board.ts";
import { browseCopy } from "#app/copy/browse.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { BoardCardDetail } from "#connectors/contract/board-view.ts";
import { cardIn, partPath, placeIn } from "../_app.platform.backups.$platform_.version/address.ts";
import { CardCover } from "../_app.platform.backups.$platform_.version/card-cover.tsx";
import { CardTags } from "../_app.platform.backups.$platform_.version/card-tags.tsx";
import { MarkdownBody } from "../_app.platform.backups.$platform_.version/markdown-body.tsx";
import { CardNotes } from "./card-notes.tsx";
import type { CardData } from "./queries.server.ts";

const copy = boardCopy.card;
type Shown = { search: string | null; hasArchived: boolean };

/** An open card: description, attachments, comments and history. */
export function CardBody({ data, platform, shown }: { data: CardData; platform: string; shown: Shown }) {
  const { page, problem } = data;
  if (page === null)
    return (
      <div className="card-body card-body__note">
        <Callout tone="warn">{problem ?? copy.gone}</Callout>
      </div>
    );
  const { card, html } = page;
  const at = (place: { comments?: string | null; history?: string | null }) =>
    cardIn(platform, data, { shown, cardId: card.id, ...place });
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
          // biome-ignore lint/suspicious/noArrayIndexKey: -- checklists may share a name
          <Checklist key={index} list={list} data={data} />
        ))}
        {card.files.length > 0 && (
          <Part title={copy.files}>
            <Files card={card} data={data} />
          </Part>
        )}
        <Part title={copy.comments}>
          <CardNotes
            data={data}
            notes={page.comments.notes}
            none={copy.noComments}
            older={page.comments.next && at({ comments: page.comments.next })}
          />
        </Part>
        <Part title={copy.history}>
          <CardNotes
            data={data}
            notes={page.history.notes.map((note) => ({ ...note, html: null }))}
            isHistory
            none={copy.noHistory}
            older={page.history.next && at({ history: page.history.next })}
          />
        </Part>
      </div>
      <aside className="card-body__side">
        <Facts card={card} column={page.column} data={data} />
        <div className="card-body__links">
          {data.canRestoreParts && (
            <RestorePart
              platform={platform}
              part={{
                itemId: data.itemId,
                snapshotId: data.snapshotId,
                path: card.path,
                title: card.title,
                kind: "card",
              }}
              timeZone={data.timeZone}
            />
          )}
          {card.url !== null && (
            <a className={buttonClass({ size: "s" })} href={card.url} target="_blank" rel="noreferrer">
              <ArrowUpRight aria-hidden />
              {copy.visit}
            </a>
          )}
          <Link
            className={buttonClass({ size: "s" })}
            to={`/platform/backups/${platform}/version${placeIn(data, { view: "record", path: card.path, raw: "1" })}`}
          >
            <FileText aria-hidden />
            {copy.stored}
          </Link>
        </div>
      </aside>
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

function Checklist({ list, data }: { list: BoardCardDetail["checklists"][number]; data: CardData }) {
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
            // biome-ignore lint/suspicious/noArrayIndexKey: -- items may be equal
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

function Files({ card, data }: { card: BoardCardDetail; data: CardData }) {
  return (
    <ul className="card-files">
      {card.files.map(({ name, path, url, sizeBytes }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: -- files may share a name
        <li key={index}>
          <span className="clip" dir="auto" title={visibleName(name)}>
            {visibleName(name)}
          </span>
          {path !== null && sizeBytes !== null && <span className="mono-meta">{bytesText(sizeBytes)}</span>}
          {path !== null && (
            <a className={buttonClass({ size: "s" })} href={partPath(data, { path })} download>
              <Download aria-hidden />
              <span aria-hidden>{copy.download}</span>
              <span className="sr">{copy.downloadOf(visibleName(name))}</span>
            </a>
          )}
          {path === null && url !== null && <WebLink url={url} />}
          {path === null && url === null && <span className="meta">{copy.notHeld}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Only http(s) URLs become links; other URLs may contain a script. */
function WebLink({ url }: { url: string }) {
  const isWeb = /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!isWeb) return <span className="mono-meta clip">{visibleName(url)}</span>;
  return (
    <a className="link" href={url} target="_blank" rel="noreferrer nofollow">
      {new URL(url).host}
      <ArrowUpRight className="icon-s" aria-hidden />
    </a>
  );
}

function Facts({ card, column, data }: { card: BoardCardDetail; column: string | null; data: CardData }) {
  const date = (at: number) => dateTimeText(at, data.timeZone, data.now);
  const facts: [name: string, value: string][] = [
    [copy.list, column === null ? boardCopy.homeless : visibleName(column)],
    ...(card.role === null ? [] : [[copy.role, visibleName(card.role)] as [string, string]]),
    ...(card.startAt === null ? [] : [[copy.start, date(card.startAt)] as [string, string]]),
    ...(card.dueAt === null
      ? []
      : [[copy.due, `${date(card.dueAt)}${card.isDone ? `, ${copy.done}` : ""}`] as [string, string]]),
    ...(card.people.length === 0
      ? []
      : [[copy.people, card.people.map(visibleName).join(", ")] as [string, string]]),
    ...card.fields.map(({ name, value }) => [visibleName(name), visibleName(value)] as [string, string]),
    ...(card.stickers.length === 0
      ? []
      : [[copy.stickers, card.stickers.map(visibleName).join(", ")] as [string, string]]),
  ];
  return (
    <dl className="card-facts">
      {card.isArchived && (
        <div>
          <dt className="sr">{browseCopy.kind}</dt>
          <dd>
            <span className="badge">{boardCopy.isArchived}</span>
          </dd>
        </div>
      )}
      {card.tags.length > 0 && (
        <div>
          <dt>{copy.labels}</dt>
          <dd>
            <CardTags tags={card.tags} />
          </dd>
        </div>
      )}
      {facts.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: -- fields may share a name
        <div key={index}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

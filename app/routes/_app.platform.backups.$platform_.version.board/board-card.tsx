import { Link, useNavigation } from "@remix-run/react";
import { AlignLeft, Archive, Calendar, CheckSquare, MessageSquare, Paperclip } from "lucide-react";
import type { ReactNode } from "react";
import { boardCopy as copy } from "#app/copy/board.ts";
import { capitalised, countText } from "#app/format/counts.ts";
import { dateText } from "#app/format/dates.ts";
import { initialsOf } from "#app/format/initials.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type BoardShown, boardQuery, placeIn, type VersionRef } from "#app/version/address.ts";
import type { Times } from "#app/version/note-list.tsx";
import { TagList } from "#app/version/tag-list.tsx";
import type { BoardWords, BoardCard as Card } from "#connectors/contract/board-view.ts";
import { CardCover } from "./card-cover.tsx";

const PEOPLE_SHOWN = 4;

/** The front of a card. Clicking it anywhere opens the card. */
export function BoardCard({
  data,
  card,
  away,
  shown,
}: {
  data: VersionRef & Times;
  card: Card;
  away: BoardWords["away"];
  shown: BoardShown;
}) {
  const { location } = useNavigation();
  const address = placeIn(data, "board/card", { ...boardQuery(shown), card: card.id });
  const isOpening = location !== undefined && `${location.pathname}${location.search}` === address;
  const title = visibleName(card.title.replace(/\s+/g, " ").trim()) || copy.nameless;
  return (
    <li
      className={card.isArchived ? "board-card is-archived" : "board-card"}
      aria-busy={isOpening || undefined}
    >
      <CardCover data={data} card={card} />
      <div className="board-card__body">
        <TagList tags={card.tags} />
        <Link className="board-card__title" dir="auto" to={address} preventScrollReset>
          {title}
        </Link>
        <Badges card={card} away={away} data={data} />
      </div>
    </li>
  );
}

function Badges({ card, away, data }: { card: Card; away: BoardWords["away"]; data: Times }) {
  const { badges } = copy;
  const date = (at: number) => dateText(at, data.timeZone, data.now);
  const { one: file, many: files } = badges.files;
  const { one: comment, many: comments } = badges.comments;
  const people = card.people.map(visibleName);
  const signs = [
    card.isArchived && <Badge key="away" icon={<Archive aria-hidden />} words={capitalised(away)} isWord />,
    card.key !== null && <Badge key="key" words={visibleName(card.key)} isWord isMono />,
    card.role !== null && <Badge key="role" words={visibleName(card.role)} isWord />,
    card.dueAt !== null && (
      <Badge
        key="due"
        icon={<Calendar aria-hidden />}
        text={date(card.dueAt)}
        words={(card.isDone ? badges.done : badges.due)(date(card.dueAt))}
        tone={card.isDone ? "ok" : undefined}
      />
    ),
    card.dueAt === null && card.startAt !== null && (
      <Badge
        key="start"
        icon={<Calendar aria-hidden />}
        text={date(card.startAt)}
        words={badges.start(date(card.startAt))}
      />
    ),
    card.checks !== null && (
      <Badge
        key="checks"
        icon={<CheckSquare aria-hidden />}
        text={`${card.checks.done}/${card.checks.total}`}
        words={badges.checks(card.checks.done, card.checks.total)}
        tone={card.checks.done === card.checks.total ? "ok" : undefined}
      />
    ),
    card.hasText && <Badge key="text" icon={<AlignLeft aria-hidden />} words={badges.text} />,
    card.fileCount > 0 && (
      <Badge
        key="files"
        icon={<Paperclip aria-hidden />}
        text={String(card.fileCount)}
        words={countText(card.fileCount, file, files)}
      />
    ),
    card.commentCount > 0 && (
      <Badge
        key="comments"
        icon={<MessageSquare aria-hidden />}
        text={String(card.commentCount)}
        words={countText(card.commentCount, comment, comments)}
      />
    ),
    ...card.badges.map((words, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: -- two badges may say the same
      <Badge key={`badge ${at}`} words={visibleName(words)} isWord />
    )),
  ].filter(Boolean);
  if (signs.length === 0 && people.length === 0) return null;
  return (
    <div className="board-card__foot">
      {signs.length > 0 && <ul className="board-card__badges">{signs}</ul>}
      {people.length > 0 && (
        <span className="board-card__people" title={badges.people(people.join(", "))}>
          <span className="sr">{badges.people(people.join(", "))}</span>
          {people.slice(0, PEOPLE_SHOWN).map((name, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: -- people may share a name
            <span key={at} aria-hidden className="initials">
              {initialsOf(name)}
            </span>
          ))}
          {people.length > PEOPLE_SHOWN && <span aria-hidden>+{people.length - PEOPLE_SHOWN}</span>}
        </span>
      )}
    </div>
  );
}

/** An icon with a text alternative. With `isWord` the words are visible. */
function Badge({
  icon,
  text,
  words,
  tone,
  isWord = false,
  isMono = false,
}: {
  icon?: ReactNode;
  text?: string;
  words: string;
  tone?: "ok";
  isWord?: boolean;
  isMono?: boolean;
}) {
  return (
    <li className={tone === undefined ? undefined : `is-${tone}`} title={words}>
      {icon}
      {isWord ? (
        <span className={isMono ? "mono-meta" : undefined}>{words}</span>
      ) : (
        <>
          {text !== undefined && (
            <span className="mono-meta" aria-hidden>
              {text}
            </span>
          )}
          <span className="sr">{words}</span>
        </>
      )}
    </li>
  );
}

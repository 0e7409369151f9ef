import { Archive } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { boardCopy as copy } from "#app/copy/board.ts";
import { capitalised, countText } from "#app/format/counts.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { RestorePartButton } from "#app/restore/restore-part-button.tsx";
import type { BoardShown } from "#app/version/address.ts";
import type { Inside } from "#app/version/read-inside.server.ts";
import type { BoardWords } from "#connectors/contract/board-view.ts";
import type { ColumnPage } from "#core/browsing/views.ts";
import { BoardCard } from "./board-card.tsx";
import { fetchColumn } from "./fetch-column.ts";

/** One column: its first cards, and more on demand. */
export function BoardColumn({
  data,
  column,
  words,
  shown,
}: {
  data: Inside<unknown>;
  column: ColumnPage;
  words: BoardWords;
  shown: BoardShown;
}) {
  const [cards, setCards] = useState(column.cards);
  const [next, setNext] = useState(column.next);
  const [state, setState] = useState<"idle" | "loading" | "failed">("idle");
  const { one: card, many: cardsWord } = words.card;
  const title = column.title === "" ? copy.homeless(words.column.one) : visibleName(column.title);

  async function showMore() {
    setState("loading");
    try {
      const page = await fetchColumn(data, { ...shown, column: column.id, after: next });
      setCards((before) => [...before, ...page.cards]);
      setNext(page.next);
      setState("idle");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState("failed");
    }
  }

  return (
    <section
      className="board__column"
      aria-label={copy.column(title, countText(column.cardCount, card, cardsWord))}
    >
      <header className="board__head">
        <h2 dir="auto">{title}</h2>
        {column.isArchived && (
          <span className="badge">
            <Archive aria-hidden />
            {capitalised(words.away)}
          </span>
        )}
        <span className="count">{column.cardCount.toLocaleString("en-US")}</span>
        {column.path !== null && (
          <RestorePartButton data={data} path={column.path} title={column.title} isIcon />
        )}
      </header>
      {cards.length === 0 ? (
        <p className="meta board__none">{copy.empty(cardsWord)}</p>
      ) : (
        <ol className="board__cards">
          {cards.map((card) => (
            <BoardCard key={card.id} data={data} card={card} away={words.away} shown={shown} />
          ))}
        </ol>
      )}
      {next !== null && (
        <div className="board__more">
          {state === "failed" && (
            <p className="meta" role="alert">
              {copy.moreFailed(cardsWord)}
            </p>
          )}
          <Button size="s" isBusy={state === "loading"} onClick={() => void showMore()}>
            {copy.more(Math.min(100, column.cardCount - cards.length))}
            <span className="sr"> {copy.moreOf(title)}</span>
          </Button>
        </div>
      )}
    </section>
  );
}

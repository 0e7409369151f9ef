import { Link, Outlet, useNavigate } from "@remix-run/react";
import { ArrowUpRight } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { Switch } from "#app/components/switch.tsx";
import { boardCopy as copy } from "#app/copy/board.ts";
import { countText } from "#app/format/counts.ts";
import { type BoardShown, boardQuery, placeIn } from "#app/version/address.ts";
import { MarkdownBody } from "#app/version/markdown-body.tsx";
import type { Inside } from "#app/version/read-inside.server.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { BoardPage } from "#core/browsing/views.ts";
import { BoardColumn } from "./board-column.tsx";

/** The board of a version: columns side by side with their cards, and the opened card on top. */
export function BoardFrame({
  data,
  board,
  shown,
}: {
  data: Inside<unknown>;
  board: BoardPage & { html: string | null };
  shown: BoardShown;
}) {
  const navigate = useNavigate();
  const switchId = useId();
  const { facts, columns, words } = board;
  const { one: card, many: cards } = words.card;
  const { search, hasArchived } = shown;
  // The switch changes at once; the cards load afterwards.
  const [isOn, setIsOn] = useState(hasArchived);
  useEffect(() => setIsOn(hasArchived), [hasArchived]);
  const placeOf = (more: Partial<BoardShown>) =>
    placeIn(data, "board", boardQuery({ ...shown, view: board.view.id, ...more }));
  const go = (more: Partial<BoardShown>) => navigate(placeOf(more), { preventScrollReset: true });
  const awayCount = board.archivedCount + board.archivedColumnCount;
  return (
    <section className="board-page">
      {facts.isArchived && <Callout tone="warn">{copy.archivedBoard}</Callout>}
      <div className="list-toolbar browse-tools board-tools">
        <SearchField
          value={search ?? ""}
          label={copy.search(cards)}
          onSearch={(text) => go({ search: text === "" ? null : text })}
        />
        {awayCount > 0 && (
          <label className="board-tools__switch" htmlFor={switchId}>
            <Switch
              id={switchId}
              checked={isOn}
              onCheckedChange={(next) => {
                setIsOn(next);
                go({ hasArchived: next });
              }}
            />
            {copy.archived(words.away, awayCount)}
          </label>
        )}
        <span className="meta board-tools__count" role="status">
          {countText(board.cardCount, card, cards)}
        </span>
        {facts.url !== null && (
          <a
            className={buttonClass({ variant: "ghost", size: "s" })}
            href={facts.url}
            target="_blank"
            rel="noreferrer"
          >
            {copy.visit(descriptors.find(({ id }) => id === data.platform)?.label ?? data.platform)}
            <ArrowUpRight aria-hidden />
          </a>
        )}
      </div>
      {facts.text !== "" && (
        <details className="board-about">
          <summary>{copy.about}</summary>
          <MarkdownBody html={board.html} text={facts.text} />
        </details>
      )}
      {columns.length === 0 ? (
        <p className="soft browse-empty">
          {search === null ? copy.noLists(words.column.many) : copy.noMatch(card, search)}{" "}
          {search !== null && (
            <Link className="link" to={placeOf({ search: null })}>
              {copy.clear}
            </Link>
          )}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: -- the keyboard scrolls it sideways
        <section className="board" aria-label={copy.board} tabIndex={0}>
          {columns.map((column) => (
            // A new search or filter resets every column.
            <BoardColumn
              key={`${column.id} ${search} ${hasArchived} ${data.snapshotId}`}
              data={data}
              column={column}
              words={words}
              shown={{ ...shown, view: board.view.id }}
            />
          ))}
        </section>
      )}
      <Outlet />
    </section>
  );
}

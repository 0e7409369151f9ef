import { Link, useParams } from "@remix-run/react";
import { RestorePart } from "#app/components/restore-part.tsx";
import { compareCopy } from "#app/copy/compare.ts";
import { capitalised, countText } from "#app/format/counts.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { BoardDifference, CardDifference, ColumnDifference } from "#core/comparisons/views.ts";
import { cardIn } from "../_app.platform.backups.$platform_.version/address.ts";
import { CardDiff } from "./card-diff.tsx";
import { ChangeMark, Tally } from "./change-mark.tsx";
import type { ComparePageData } from "./queries.server.ts";

const copy = compareCopy.board;

/** The differences of a board's lists and cards. */
export function BoardDifferences({
  data,
  board,
  to,
  opened,
}: {
  data: ComparePageData;
  board: BoardDifference;
  to: (place: Record<string, string>) => string;
  /** Id of the open card. */
  opened: string | null;
}) {
  const { columns, cards } = board;
  return (
    <>
      {columns.rows.length > 0 && (
        <Section title={copy.lists} difference={columns}>
          {columns.rows.map((row) => (
            <tr key={row.columnId}>
              <td className="c-mark">
                <ChangeMark change={row.change} />
              </td>
              <td className="medium" dir="auto">
                {visibleName(row.title)}
              </td>
              <td className="c-what">{columnText(row)}</td>
              <td className="c-act">
                <Restore data={data} row={{ ...row, kind: "column" }} />
              </td>
            </tr>
          ))}
        </Section>
      )}
      {cards.rows.length > 0 && (
        <Section title={copy.cards} difference={cards}>
          {cards.rows.map((row) => (
            <CardRows key={row.cardId} data={data} row={row} to={to} isOpen={opened === row.cardId} />
          ))}
        </Section>
      )}
    </>
  );
}

function Section({
  title,
  difference,
  children,
}: {
  title: string;
  difference: BoardDifference["cards"] | BoardDifference["columns"];
  children: React.ReactNode;
}) {
  const all = difference.added + difference.changed + difference.removed;
  return (
    <section className="section" aria-label={title}>
      <div className="section-head">
        <h2>{title}</h2>
        <Tally counts={difference} />
      </div>
      <table className="data-table compare-table">
        <thead>
          <tr>
            <th className="c-mark">
              <span className="sr">{compareCopy.what}</span>
            </th>
            <th>{compareCopy.titleColumn}</th>
            <th className="c-what">{compareCopy.what}</th>
            <th className="c-act">
              <span className="sr">{copy.restore}</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {all > difference.rows.length && (
        <p className="meta">{compareCopy.moreRows(difference.rows.length, all)}</p>
      )}
    </section>
  );
}

function CardRows({
  data,
  row,
  to,
  isOpen,
}: {
  data: ComparePageData;
  row: CardDifference;
  to: (place: Record<string, string>) => string;
  isOpen: boolean;
}) {
  const { platform = "" } = useParams();
  const { before, after } = data.comparison ?? {};
  const { itemId } = data;
  const cardOf = (version: { snapshotId: string } | undefined) =>
    cardIn(
      platform,
      { itemId, snapshotId: version?.snapshotId ?? null },
      { shown: null, cardId: row.cardId },
    );
  return (
    <>
      <tr>
        <td className="c-mark">
          <ChangeMark change={row.change} />
        </td>
        <td>
          <Link
            className="medium"
            dir="auto"
            preventScrollReset
            aria-expanded={isOpen}
            to={isOpen ? to({}) : to({ card: row.cardId })}
            title={compareCopy.open}
          >
            {visibleName(row.title.trim()) || row.cardId}
          </Link>
        </td>
        <td className="c-what">{cardText(row)}</td>
        <td className="c-act">
          <Restore data={data} row={{ ...row, kind: "card" }} />
        </td>
      </tr>
      {isOpen && (
        <tr className="sub">
          <td className="c-mark" />
          <td colSpan={3}>
            {data.card !== null && <CardDiff data={data} card={data.card} />}
            <p className="card-diff__ways">
              {row.change !== "added" && (
                <Link className="link" to={cardOf(before)}>
                  {row.change === "removed" ? copy.openCard : copy.olderCard}
                </Link>
              )}
              {row.change !== "removed" && (
                <Link className="link" to={cardOf(after)}>
                  {row.change === "added" ? copy.openCard : copy.newerCard}
                </Link>
              )}
            </p>
          </td>
        </tr>
      )}
    </>
  );
}

/** Restores the older version's state. New cards and lists have none, so they get no button. */
function Restore({
  data,
  row,
}: {
  data: ComparePageData;
  row: Pick<CardDifference, "path" | "title" | "change"> & { kind: "card" | "column" };
}) {
  const { platform = "" } = useParams();
  const { itemId, comparison, canRestoreParts, timeZone } = data;
  if (!canRestoreParts || comparison === null || row.change === "added") return null;
  const { path, title, kind } = row;
  const part = { itemId, snapshotId: comparison.before.snapshotId, path, title, kind };
  return <RestorePart platform={platform} part={part} timeZone={timeZone} size="s" />;
}

/** The difference of a list in words. */
export function columnText({ change, what }: ColumnDifference): string {
  if (change === "added") return copy.isNew;
  if (change === "removed") return copy.gone;
  return what
    .map((each) => {
      switch (each.type) {
        case "renamed":
          return copy.renamed(visibleName(each.from));
        case "reordered":
          return copy.reorderedList;
        default:
          return copy[each.type];
      }
    })
    .join(". ");
}

/** The difference of a card in words: moves, changed fields, number of comments. */
export function cardText({ change, what, column }: CardDifference): string {
  if (change === "added") return column === null ? copy.isNew : copy.isNewIn(visibleName(column));
  if (change === "removed") return column === null ? copy.gone : copy.was(visibleName(column));
  const edited: string[] = [];
  const sentences: string[] = [];
  for (const each of what) {
    if (each.type === "field") edited.push(copy.fields[each.field]);
    else if (each.type === "own") edited.push(visibleName(each.name));
    else sentences.push(sentenceOf(each));
  }
  if (edited.length > 0) sentences.push(copy.edited(edited.join(", ")));
  return sentences.join(". ");
}

function sentenceOf(change: Exclude<CardDifference["what"][number], { type: "field" | "own" }>): string {
  switch (change.type) {
    case "moved":
      return copy.moved(visibleName(change.from) || copy.nowhere, visibleName(change.to) || copy.nowhere);
    case "comments": {
      const { one, many } = copy.comment;
      const told = (["added", "changed", "removed"] as const).filter((key) => change[key] > 0);
      return capitalised(told.map((key) => copy.comments[key](countText(change[key], one, many))).join(", "));
    }
    default:
      return copy[change.type];
  }
}

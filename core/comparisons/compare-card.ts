import type { BoardView } from "#connectors/contract/board-view.ts";
import { type CardValue, cardValues } from "./card-values.ts";
import { diffValue } from "./compare-record.ts";
import type { PartDifference } from "./compare-records.ts";
import { wholeText } from "./diff-text.ts";
import { MOST_COMMENTS } from "./limits.ts";
import type { CardComparison } from "./views.ts";

/** How a card differs, by field and by comment; null when neither version has it. */
export async function compareCard(
  before: BoardView,
  after: BoardView,
  { cardId, parts }: { cardId: string; parts: readonly PartDifference[] },
): Promise<CardComparison | null> {
  const [old, young] = [await valuesOf(before, cardId), await valuesOf(after, cardId)];
  if (old === null && young === null) return null;
  const comments = parts.filter(({ part }) => part.type === "comment" && part.cardId === cardId);
  return {
    cardId,
    fields: diffValues(old ?? [], young ?? []),
    comments: await Promise.all(
      comments.slice(0, MOST_COMMENTS).map((each) => compareComment(before, after, each)),
    ),
    areCommentsCut: comments.length > MOST_COMMENTS,
  };
}

/** A card's values in a version; null when it is missing. */
async function valuesOf(board: BoardView, cardId: string): Promise<CardValue[] | null> {
  const card = await board.card(cardId);
  if (card === null) return null;
  const column = (await board.columns()).find(({ id }) => id === card.columnId);
  return cardValues(card, column?.title ?? null);
}

/** Values that differ, in the order of the card. */
export function diffValues(
  before: readonly CardValue[],
  after: readonly CardValue[],
): CardComparison["fields"] {
  const keyOf = ({ field, name }: CardValue) => `${field ?? ""}\u0000${name}`;
  const old = new Map(before.map((value) => [keyOf(value), value]));
  const young = new Map(after.map((value) => [keyOf(value), value]));
  return [...new Set([...young.keys(), ...old.keys()])].flatMap((key) => {
    const [left, right] = [old.get(key), young.get(key)];
    const either = right ?? left;
    if (!either || left?.value === right?.value) return [];
    const { field, name, isTime } = either;
    const { before, after, text } = diffValue(name, left?.value ?? null, right?.value ?? null);
    return [{ field, name, isTime, before, after, text }];
  });
}

async function compareComment(
  before: BoardView,
  after: BoardView,
  { path, change }: PartDifference,
): Promise<CardComparison["comments"][number]> {
  const [old, young] = [
    change === "added" ? null : await before.comment(path),
    change === "removed" ? null : await after.comment(path),
  ];
  const note = young ?? old;
  const { before: was, after: is, text } = diffValue("", old?.text ?? null, young?.text ?? null);
  const isOne = old === null || young === null;
  const whole = isOne ? wholeText(note?.text ?? "", old === null ? "added" : "removed") : text;
  return {
    path,
    change,
    author: note?.author ?? null,
    at: note?.at ?? null,
    before: was,
    after: is,
    text: whole,
  };
}

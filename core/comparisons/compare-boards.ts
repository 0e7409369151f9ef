import type { BoardCardDetail, BoardColumn, BoardView } from "#connectors/contract/board-view.ts";
import { cardValues } from "./card-values.ts";
import { diffValues } from "./compare-card.ts";
import type { PartDifference } from "./compare-records.ts";
import { ROWS_PER_KIND } from "./limits.ts";
import type { BoardDifference, CardChange, CardDifference, ColumnDifference } from "./views.ts";

type Change = "added" | "changed" | "removed";
type Columns = { before: readonly BoardColumn[]; after: readonly BoardColumn[] };
type Boards = { before: BoardView; after: BoardView; columns: Columns };

/** Removals first: they are what people look for. */
const ORDER: readonly Change[] = ["removed", "changed", "added"];

/** Compares the columns and cards of two boards. Reads only cards that differ, and only as many as are shown. */
export async function compareBoards(
  before: BoardView,
  after: BoardView,
  parts: readonly PartDifference[],
): Promise<BoardDifference> {
  const columns: Columns = { before: await before.columns(), after: await after.columns() };
  const lists = parts.flatMap(({ part, path, change }) =>
    part.type === "column" ? [{ id: part.id, path, change }] : [],
  );
  const cards = [...gatherCards(parts).values()];
  const rows: CardDifference[] = [];
  for (const change of ORDER) {
    for (const card of cards.filter((each) => each.change === change).slice(0, ROWS_PER_KIND))
      rows.push(await cardRow({ before, after, columns }, card));
  }
  return {
    columns: {
      ...tally(lists),
      rows: lists.slice(0, ROWS_PER_KIND).map((list) => columnRow(columns, list)),
    },
    cards: { ...tally(cards), rows },
  };
}

function tally(rows: readonly { change: Change }[]): Record<Change, number> {
  const count = (change: Change) => rows.filter((row) => row.change === change).length;
  return { added: count("added"), changed: count("changed"), removed: count("removed") };
}

function columnRow(
  { before, after }: Columns,
  { id, path, change }: { id: string; path: string; change: Change },
): ColumnDifference {
  const [old, young] = [before, after].map((columns) => columns.find((column) => column.id === id));
  const what: ColumnDifference["what"] = [];
  if (old && young) {
    if (old.title !== young.title) what.push({ type: "renamed", from: old.title });
    if (!old.isArchived && young.isArchived) what.push({ type: "archived" });
    if (old.isArchived && !young.isArchived) what.push({ type: "returned" });
    if (what.length === 0) what.push({ type: "reordered" });
  }
  return { columnId: id, path, title: (young ?? old)?.title ?? "", change, what };
}

/** The differences found for one card: its own entry, and entries that belong to it. */
type FoundCard = {
  id: string;
  path: string;
  title: string;
  change: Change;
  comments: Record<Change, number>;
};

function gatherCards(parts: readonly PartDifference[]): Map<string, FoundCard> {
  const cards = new Map<string, FoundCard>();
  const open = (id: string): FoundCard => {
    const known = cards.get(id);
    if (known) return known;
    const comments = { added: 0, changed: 0, removed: 0 };
    // Until its own entry says otherwise, the card is in both versions.
    const found: FoundCard = { id, path: "", title: "", change: "changed", comments };
    cards.set(id, found);
    return found;
  };
  for (const { part, path, title, change } of parts) {
    if (part.type === "column") continue;
    if (part.type === "card") Object.assign(open(part.id), { path, title, change });
    else if (part.type === "comment") open(part.cardId).comments[change] += 1;
    else open(part.cardId);
  }
  return cards;
}

async function cardRow({ before, after, columns }: Boards, card: FoundCard): Promise<CardDifference> {
  const { id: cardId, change } = card;
  const [old, young] = [
    change === "added" ? null : await before.card(cardId),
    change === "removed" ? null : await after.card(cardId),
  ];
  const known = young ?? old;
  const titleOf = (list: readonly BoardColumn[], id: string | undefined) =>
    list.find((column) => column.id === id)?.title ?? null;
  const what: CardChange[] = [];
  if (old && young) {
    if (old.columnId !== young.columnId)
      what.push({
        type: "moved",
        from: titleOf(columns.before, old.columnId) ?? "",
        to: titleOf(columns.after, young.columnId) ?? "",
      });
    else if (old.rank !== young.rank) what.push({ type: "reordered" });
    if (!old.isArchived && young.isArchived) what.push({ type: "archived" });
    if (old.isArchived && !young.isArchived) what.push({ type: "returned" });
    what.push(...fieldChanges(old, young));
    if (Object.values(card.comments).some((count) => count > 0))
      what.push({ type: "comments", ...card.comments });
    if (what.length === 0) what.push({ type: "other" });
  }
  return {
    cardId,
    path: known?.path ?? card.path,
    title: known?.title ?? card.title,
    change,
    column: titleOf(young ? columns.after : columns.before, known?.columnId),
    what,
  };
}

/** Excludes column and archived state, which are reported separately. */
function fieldChanges(old: BoardCardDetail, young: BoardCardDetail): CardChange[] {
  return diffValues(cardValues(old, ""), cardValues(young, "")).flatMap(({ field, name }): CardChange[] => {
    if (field === null) return [{ type: "own", name }];
    return field === "column" || field === "archived" ? [] : [{ type: "field", field }];
  });
}

import type { BoardCard } from "#connectors/contract/board-view.ts";

/** Collects the first cards of a column from cards that arrive in any order. */
export type FirstCards = {
  /** How many cards were added. */
  count: number;
  /** The first cards, from top to bottom. */
  cards: BoardCard[];
  /** Adds a card; keeps at most `most`. */
  add(card: BoardCard, most: number): void;
};

/** Returns an empty column. Cards of equal rank keep the order in which they were added. */
export function firstCards(): FirstCards {
  const cards: BoardCard[] = [];
  return {
    count: 0,
    cards,
    add(card, most) {
      this.count += 1;
      let at = cards.length;
      while (at > 0 && compareRanks(cards[at - 1]!, card) > 0) at -= 1;
      if (at >= most) return;
      cards.splice(at, 0, card);
      cards.length = Math.min(cards.length, most);
    },
  };
}

type Ranked = Pick<BoardCard, "rank">;

/** Compares the ranks of two cards of a column; negative = `one` comes first. */
export function compareRanks({ rank: one }: Ranked, { rank: other }: Ranked): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [left, right] = [String(one), String(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

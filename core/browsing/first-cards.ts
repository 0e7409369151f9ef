import type { BoardCard } from "#connectors/contract/board-view.ts";

/** The first cards of a column as they come by, in any order. */
export type FirstCards = {
  /** How many have come by. */
  count: number;
  /** The first of them, from the top down. */
  cards: BoardCard[];
  /** Takes a card, and keeps at most so many. */
  add(card: BoardCard, most: number): void;
};

/** A column without cards. Cards of equal rank stay in the order in which they are added. */
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

/** Which of two cards of a column stands first; below 0 = the one. */
export function compareRanks({ rank: one }: Ranked, { rank: other }: Ranked): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [left, right] = [String(one), String(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

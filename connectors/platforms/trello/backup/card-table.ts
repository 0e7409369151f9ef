import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { doubled, idColumn, idOf, wordsOf } from "../id-words.ts";

/** The ids of a board's cards with the number of their comments, in 16 bytes per card: a board may have two million. */
export type CardTable = {
  /** Adds a card. Ids must descend. @throws ConnectorError `malformed` for an id that is not one of Trello's */
  add(cardId: string, comments: number): void;
  size(): number;
  /** The position of a card, 0 for the first one; -1 = the board does not have it. */
  indexOf(cardId: string): number;
  idAt(index: number): string;
  commentsAt(index: number): number;
};

/** Creates an empty table. */
export function cardTable(): CardTable {
  const ids = idColumn();
  let comments = new Uint32Array(64);
  return {
    size: ids.size,
    add(cardId, count) {
      const words = wordsOf(cardId);
      const size = ids.size();
      if (words === null || (size > 0 && ids.compare(size - 1, words) <= 0))
        throw new ConnectorError("malformed", `Trello's list of the cards has ${cardId} out of order.`);
      if (size === comments.length) comments = doubled(comments);
      ids.push(words);
      comments[size] = count;
    },
    indexOf(cardId) {
      const words = wordsOf(cardId);
      if (words === null) return -1;
      let [low, high] = [0, ids.size()];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (ids.compare(middle, words) > 0) low = middle + 1;
        else high = middle;
      }
      return low < ids.size() && ids.compare(low, words) === 0 ? low : -1;
    },
    idAt: (index) => idOf(ids.wordsAt(index)),
    commentsAt: (index) => comments[index]!,
  };
}

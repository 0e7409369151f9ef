import { ConnectorError } from "#connectors/contract/connector-error.ts";

/** Three words of 32 bits: Trello's ids have 24 hexadecimal digits. */
const WORDS = 3;
const ID = /^[0-9a-f]{24}$/;

/**
 * The ids of a board's cards with the number of their comments. 16 bytes per card: a board may have two million, and as
 * texts in a map their ids alone would need more than the Worker has.
 */
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
  let ids = new Uint32Array(WORDS * 64);
  let comments = new Uint32Array(64);
  let size = 0;
  const compare = (index: number, words: readonly number[]) => {
    for (const [at, word] of words.entries()) {
      const difference = ids[index * WORDS + at]! - word;
      if (difference !== 0) return difference;
    }
    return 0;
  };
  return {
    size: () => size,
    add(cardId, count) {
      const words = wordsOf(cardId);
      if (words === null || (size > 0 && compare(size - 1, words) <= 0))
        throw new ConnectorError("malformed", `Trello's list of the cards has ${cardId} out of order.`);
      if (size === comments.length) [ids, comments] = [doubled(ids), doubled(comments)];
      ids.set(words, size * WORDS);
      comments[size] = count;
      size += 1;
    },
    indexOf(cardId) {
      const words = wordsOf(cardId);
      if (words === null) return -1;
      let [low, high] = [0, size];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (compare(middle, words) > 0) low = middle + 1;
        else high = middle;
      }
      return low < size && compare(low, words) === 0 ? low : -1;
    },
    idAt: (index) =>
      [...ids.subarray(index * WORDS, (index + 1) * WORDS)]
        .map((word) => word.toString(16).padStart(8, "0"))
        .join(""),
    commentsAt: (index) => comments[index]!,
  };
}

function wordsOf(cardId: string): number[] | null {
  if (!ID.test(cardId)) return null;
  return [0, 8, 16].map((at) => Number.parseInt(cardId.slice(at, at + 8), 16));
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

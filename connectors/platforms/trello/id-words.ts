/** Trello's ids have 24 hexadecimal digits: three words of 32 bits. */
export const WORDS_PER_ID = 3;
const ID = /^[0-9a-f]{24}$/;

/** Ids in 12 bytes each. A board may have a million: as texts in a map they would need more than the Worker has. */
export type IdColumn = {
  size(): number;
  push(words: readonly number[]): void;
  /** Less than, equal to or greater than 0, as the id at the index is compared with another one. */
  compare(index: number, words: readonly number[]): number;
  /** The same for two ids of the column. */
  order(one: number, other: number): number;
  /** The words of the id at the index. */
  wordsAt(index: number): number[];
};

/** The words of an id; null = it is not one. */
export function wordsOf(id: string): number[] | null {
  if (!ID.test(id)) return null;
  return [0, 8, 16].map((at) => Number.parseInt(id.slice(at, at + 8), 16));
}

/** The id of words. */
export function idOf(words: readonly number[]): string {
  return words.map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** Creates an empty column. */
export function idColumn(): IdColumn {
  let all = new Uint32Array(WORDS_PER_ID * 64);
  let size = 0;
  const difference = (at: number, others: ArrayLike<number>, from: number) => {
    for (let word = 0; word < WORDS_PER_ID; word++) {
      const difference = all[at + word]! - others[from + word]!;
      if (difference !== 0) return difference;
    }
    return 0;
  };
  return {
    size: () => size,
    push(words) {
      if ((size + 1) * WORDS_PER_ID > all.length) all = doubled(all);
      all.set(words, size * WORDS_PER_ID);
      size += 1;
    },
    compare: (index, words) => difference(index * WORDS_PER_ID, words, 0),
    order: (one, other) => difference(one * WORDS_PER_ID, all, other * WORDS_PER_ID),
    wordsAt: (index) => [...all.subarray(index * WORDS_PER_ID, (index + 1) * WORDS_PER_ID)],
  };
}

/** A copy with room for twice as many numbers. */
export function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { folderBelow } from "#connectors/toolkit/views/walk-folders.ts";
import { idColumn, idOf, wordsOf } from "../id-words.ts";
import { recordPaths } from "../record-paths.ts";

/** The entries of a board's history by card. */
export type HistoryIndex = {
  /** Paths of the entries about a card, newest first. */
  pathsOf(cardId: string): Generator<string, void>;
};

/**
 * Lists the history once, in 28 bytes per entry. The offline page shows every card with its history: listing that of the
 * whole board for each of them would take as long as cards times entries.
 */
export async function indexHistory(snapshot: SnapshotView): Promise<HistoryIndex> {
  const [entries, cards] = [idColumn(), idColumn()];
  for await (const { path, parent } of snapshot.list(recordPaths.actions)) {
    const card = wordsOf(folderBelow(recordPaths.cards, parent ?? "") ?? "");
    const entry = wordsOf(path.slice(recordPaths.actions.length).replace(/\.json$/, ""));
    if (card === null || entry === null) continue;
    cards.push(card);
    entries.push(entry);
  }
  // Entries are listed oldest first, so their positions sort them by time.
  const byCard = Uint32Array.from({ length: cards.size() }, (_, index) => index);
  byCard.sort((one, other) => cards.order(one, other) || other - one);
  return {
    *pathsOf(cardId) {
      const words = wordsOf(cardId);
      if (words === null) return;
      let [low, high] = [0, byCard.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (cards.compare(byCard[middle]!, words) < 0) low = middle + 1;
        else high = middle;
      }
      for (; low < byCard.length && cards.compare(byCard[low]!, words) === 0; low++)
        yield `${recordPaths.actions}${idOf(entries.wordsAt(byCard[low]!))}.json`;
    },
  };
}

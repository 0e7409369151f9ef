import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { canonicalJson } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { type BoardTree, badgesSchema, type TrelloCard } from "../payloads.ts";
import { readBoard, readCardCounts, readCardPages, readWholeBoard } from "../read/read-board.ts";
import { cardForm, sortedBy } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { type CardTable, cardTable } from "./card-table.ts";

/** A board of at most this many cards is read in one request. The cards of larger ones are never all in memory. */
export const MOST_CARDS_AT_ONCE = 1_000;

/** The board as one slice of the backup sees it. */
export type BoardSight = {
  /** The board without its cards. Read on first use, and only once. */
  tree(session: Session): Promise<BoardTree>;
  /** Pages of cards by descending id, only those with an id below `before`. */
  cardPages(session: Session, before: string | null): AsyncGenerator<TrelloCard[], void>;
  /** The ids of all cards. They are known if this slice has read all cards; otherwise they are read alone. */
  table(session: Session): AsyncGenerator<BackupEvent, CardTable>;
};

/** Opens the board for one slice. Sends no request yet. */
export function openBoardSight({ item, previous }: BackupOrder): BoardSight {
  const known = previous?.counts().card ?? null;
  const isSmall = known !== null && known <= MOST_CARDS_AT_ONCE;
  let whole: Promise<BoardTree | null> | null = null;
  let tree: Promise<BoardTree> | null = null;
  let table: CardTable | null = null;
  /** The board with all its cards; null = its cards are read in pages. */
  const wholeOf = async (session: Session) => {
    whole ??= isSmall ? readWholeBoard(session, item.externalId) : Promise.resolve(null);
    return await whole;
  };
  const treeOf = async (session: Session) => (await wholeOf(session)) ?? readBoard(session, item.externalId);
  async function* cardPages(session: Session, before: string | null): AsyncGenerator<TrelloCard[], void> {
    const all = await wholeOf(session);
    if (all === null) {
      yield* readCardPages(session, item.externalId, before);
      return;
    }
    const cards = all.cards.filter(({ id }) => before === null || id < before);
    yield sortedBy(cards, ({ id }) => id).reverse();
  }
  return {
    tree: (session) => {
      tree ??= treeOf(session);
      return tree;
    },
    async *cardPages(session, before) {
      const seen = before === null ? cardTable() : null;
      for await (const cards of cardPages(session, before)) {
        for (const card of cards) seen?.add(card.id, countedComments(card));
        yield cards;
      }
      if (seen !== null) table = seen;
    },
    async *table(session) {
      if (table !== null) return table;
      const seen = cardTable();
      const all = await wholeOf(session);
      const pages = all === null ? readCardCounts(session, item.externalId) : cardPages(session, null);
      for await (const cards of pages) {
        for (const card of cards) seen.add(card.id, countedComments(card));
        const progress = { phase: "Listing cards", done: seen.size(), total: null, unit: "items" } as const;
        yield { type: "progress", progress };
      }
      table = seen;
      return seen;
    },
  };
}

/** Whether a card's record differs from the previous version, or is missing there. */
export async function isChanged(
  card: TrelloCard,
  previous: NonNullable<BackupOrder["previous"]>,
): Promise<boolean> {
  const hash = await sha256Hex(canonicalJson(cardForm(card)));
  return hash !== (await previous.find(recordPaths.card(card.id)))?.hash;
}

/** The number of comments in a card's badges. */
export function countedComments({ badges }: Readonly<Record<string, unknown>>): number {
  return badgesSchema.catch({ comments: 0, attachments: 0 }).parse(badges).comments;
}

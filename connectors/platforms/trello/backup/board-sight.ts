import type { BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { canonicalJson } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { type BoardTree, badgesSchema, type TrelloCard } from "../payloads.ts";
import { readBoard } from "../read/read-board.ts";
import { cardForm, sortedBy } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";

/** Cards, attachments and comments in the previous version, by path. */
export type OldBoard = {
  /** Hash of each card's record. */
  cards: ReadonlyMap<string, string>;
  /** Size of each attachment's bytes. */
  attachments: ReadonlyMap<string, number>;
  /** Paths of each card's comments, by card id. */
  comments: ReadonlyMap<string, ReadonlySet<string>>;
};

/** The board as one slice of the backup sees it. Read on first use, and only once. */
export type BoardSight = {
  tree(session: Session): Promise<BoardTree>;
  /** Cards, sorted by id. */
  cards(session: Session): Promise<TrelloCard[]>;
  old(): Promise<OldBoard>;
};

/** Opens the board for one slice. Sends no request yet. */
export function openBoardSight({ item, previous }: BackupOrder): BoardSight {
  let tree: Promise<BoardTree> | null = null;
  let old: Promise<OldBoard> | null = null;
  const treeOf = (session: Session) => {
    tree ??= readBoard(session, item.externalId);
    return tree;
  };
  return {
    tree: treeOf,
    cards: async (session) => sortedBy((await treeOf(session)).cards, ({ id }) => id),
    old: () => {
      old ??= readOld(previous);
      return old;
    },
  };
}

async function readOld(previous: SnapshotView | null): Promise<OldBoard> {
  const cards = new Map<string, string>();
  const attachments = new Map<string, number>();
  const comments = new Map<string, Set<string>>();
  if (previous === null) return { cards, attachments, comments };
  for await (const { path, type, hash, sizeBytes } of previous.list(recordPaths.cards)) {
    if (type === "stream") attachments.set(path, sizeBytes);
    else cards.set(path, hash);
  }
  for await (const { path } of previous.list(recordPaths.comments)) {
    const cardId = path.split("/")[1] ?? "";
    const paths = comments.get(cardId) ?? new Set();
    comments.set(cardId, paths.add(path));
  }
  return { cards, attachments, comments };
}

/** Whether a card's record differs from the previous version, or is missing there. */
export async function isChanged(card: TrelloCard, old: OldBoard): Promise<boolean> {
  return (await sha256Hex(canonicalJson(cardForm(card)))) !== old.cards.get(recordPaths.card(card.id));
}

/** The number of comments in a card's badges. */
export function countedComments(card: TrelloCard): number {
  return badgesSchema.catch({ comments: 0, attachments: 0 }).parse(card.badges).comments;
}

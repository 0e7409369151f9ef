import type { BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { canonicalJson } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { type BoardTree, badgesSchema, type TrelloCard } from "./payloads.ts";
import { readBoard } from "./read-board.ts";
import { cardForm, sortedBy } from "./record-form.ts";
import { recordPaths } from "./record-paths.ts";

/** What the previous version holds of cards and comments, by their paths. */
export type OldBoard = {
  /** Hash of each card's record. */
  cards: ReadonlyMap<string, string>;
  /** Size of each attachment's bytes. */
  attachments: ReadonlyMap<string, number>;
  /** Paths of the comments of each card, by the card's id. */
  comments: ReadonlyMap<string, ReadonlySet<string>>;
};

/** The board as this slice of the backup sees it: read when first asked for, and once. */
export type BoardSight = {
  tree(session: Session): Promise<BoardTree>;
  /** Cards by their ids. */
  cards(session: Session): Promise<TrelloCard[]>;
  old(): Promise<OldBoard>;
};

/** Opens the sight of one slice; nothing is asked for yet. */
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

/** Whether a card's record differs from that of the previous version; a card that is not there differs. */
export async function isChanged(card: TrelloCard, old: OldBoard): Promise<boolean> {
  return (await sha256Hex(canonicalJson(cardForm(card)))) !== old.cards.get(recordPaths.card(card.id));
}

/** How many comments Trello counts on a card. */
export function countedComments(card: TrelloCard): number {
  return badgesSchema.catch({ comments: 0, attachments: 0 }).parse(card.badges).comments;
}

import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreTarget,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { openMaker } from "#connectors/toolkit/records/make-once.ts";
import { trelloClient } from "../client.ts";
import { boardSchema } from "../payloads.ts";
import { type PartOfBoard, readPart } from "../read/part-of-board.ts";
import { recordPaths } from "../record-paths.ts";
import type { Frame } from "./frame.ts";
import { newPartFrame, oldPartFrame } from "./part-frame.ts";
import { readMemberId } from "./read-member-id.ts";
import { type CardsOrder, cardStateSchema, restoreCards } from "./restore-cards.ts";
import type { RestoreIo } from "./restore-io.ts";
import { addLeft, leftLines } from "./restore-kept.ts";
import { restoreSettings } from "./restore-settings.ts";
import { createTarget, getBoard, restoredItem, wasBegun } from "./restore-target.ts";

/**
 * Restores one card, or one list with its cards, to a new board or to an existing one. On an existing board it only
 * adds. Each creation is journaled before the next one, as in a restore of the whole board.
 */
export async function* restorePart(
  session: Session,
  snapshot: SnapshotView,
  { target, path }: { target: RestoreTarget; path: string },
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const part = await readPart(snapshot, path);
  const client = trelloClient(session);
  const maker = openMaker(session, await wasBegun(journal));
  const memberId = await readMemberId(session, client);
  const ioOn = (boardId: string): RestoreIo => ({
    session,
    client,
    snapshot,
    journal,
    maker,
    boardId,
    memberId,
  });
  yield* reportArchived(part);
  let board: RestoredItem;
  if (target.kind === "new") {
    const source = boardSchema.parse(await snapshot.readRecord(recordPaths.board));
    board = yield* createTarget({ session, client, journal }, { source, target });
    const io = ioOn(board.externalId);
    const frame = yield* newPartFrame(io, part);
    yield* restoreCards(io, frame, async () => cardsOf(part, { passed: [], isOwnPlace: true }));
    yield* restoreSettings(io, source);
  } else {
    const { externalId } = target.item;
    board = await findTarget({ session, client }, externalId);
    const io = ioOn(externalId);
    if (!(await wasBegun(journal))) await journal.record("intent", { boardId: externalId });
    const { target: there, ...frame } = yield* oldPartFrame(io, part);
    const isOwnPlace = part.kind === "list" || there.isOldList;
    yield* restoreCards(io, frame satisfies Frame, async () =>
      cardsOf(part, { passed: there.passedCards, isOwnPlace }),
    );
  }
  yield* reportLeftOut(part, memberId);
  return await whatCameBack(journal, { part, board });
}

/** The target board. @throws ConnectorError `unsupported` when it is gone: a retry would not help */
async function findTarget(
  { session, client }: { session: Session; client: HttpClient },
  boardId: string,
): Promise<RestoredItem> {
  try {
    return restoredItem(session, await getBoard(client, boardId));
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
    const message = "The board that was chosen is no longer at Trello.";
    throw new ConnectorError("unsupported", message, { cause: error });
  }
}

/** A single card is restored as open, so that people see it. */
function cardsOf(
  { kind, cards }: PartOfBoard,
  { passed, isOwnPlace }: { passed: readonly string[]; isOwnPlace: boolean },
): CardsOrder {
  return {
    cards,
    adapt: (card) => (kind === "card" ? { ...card, closed: false } : card),
    posOf: ({ pos }) => (isOwnPlace ? pos : "bottom"),
    passed: new Set(passed),
  };
}

/** The report line for an archived card or list that is restored as open. */
export function* reportArchived({ kind, list, cards }: PartOfBoard): Generator<RestoreEvent, void> {
  const isArchived = kind === "list" ? list.closed : cards.some(({ card }) => card.closed);
  if (!isArchived) return;
  const reason = "It was archived and is restored as open, so that you find it.";
  yield { type: "changed", what: `Archived state of the ${kind}`, reason };
}

/** Report lines for what the cards lose: other members, votes, Power-Up data, the list's colour. */
export function* reportLeftOut(
  { cards, kind, list }: PartOfBoard,
  memberId: string,
): Generator<RestoreEvent, void> {
  const counted = { assigned: 0, votes: 0, plugins: 0 };
  const coloured = Number(kind === "list" && Boolean(list.color));
  for (const { card } of cards) addLeft(counted, card, memberId);
  yield* leftLines({ ...counted, names: [], actions: 0, coloured });
}

/** The restored item: links to the card, or to the list's board. @throws ConnectorError when Trello refused the card */
async function whatCameBack(
  journal: RestoreJournal,
  { part, board }: { part: PartOfBoard; board: RestoredItem },
): Promise<RestoredItem> {
  const [only] = part.cards;
  if (part.kind === "list" || only === undefined) return { ...board, name: part.list.name };
  const state = cardStateSchema.safeParse(await journal.find(`card:${only.card.id}`));
  if (!state.success) throw new ConnectorError("unsupported", "Trello did not take the card.");
  return { ...board, name: only.card.name, webUrl: state.data.url ?? board.webUrl };
}

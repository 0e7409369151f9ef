import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { askForFewer, openSizes } from "#connectors/toolkit/records/shrink.ts";
import { paths, trelloClient } from "../client.ts";
import {
  type BoardTree,
  boardTreeSchema,
  type CardCounts,
  cardCountsSchema,
  cardsSchema,
  type TrelloCard,
} from "../payloads.ts";
import { sortedBy } from "../record-form.ts";

/** Trello's largest page size. */
export const LARGEST_PAGE = 1_000;

/** All fields of a card except derived ones: a large board must fit into one response. */
const CARD_FIELDS = [
  "name,desc,closed,pos,idList,idBoard,idShort,shortLink,shortUrl,dateLastActivity,due,dueComplete,dueReminder,start",
  "idLabels,idMembers,idMembersVoted,cover,idAttachmentCover,manualCoverAttachment,isTemplate,cardRole,mirrorSourceId",
  "address,locationName,coordinates,creationMethod,badges,subscribed",
].join(",");
const ATTACHMENT_FIELDS = "name,url,isUpload,bytes,date,idMember,mimeType,pos,fileName";

const BOARD = {
  fields: "all",
  lists: "all",
  labels: "all",
  labels_limit: LARGEST_PAGE,
  customFields: "true",
  members: "all",
  member_fields: "username,fullName,initials",
  memberships: "all",
  pluginData: "true",
} as const;

const CARDS = {
  cards: "all",
  card_fields: CARD_FIELDS,
  card_attachments: "true",
  card_attachment_fields: ATTACHMENT_FIELDS,
  card_stickers: "true",
  card_customFieldItems: "true",
  card_pluginData: "true",
  checklists: "all",
} as const;

/** Reads the current board without its cards. @throws ConnectorError */
export async function readBoard(session: Session, boardId: string): Promise<BoardTree> {
  return await trelloClient(session).request({ ...boardCall(boardId), query: BOARD }, boardTreeSchema);
}

/**
 * Reads the current board with all of its cards and their content in one request. The whole response is in memory: only
 * for boards of few cards. Null = Trello refuses it as too much.
 *
 * @throws ConnectorError
 */
export async function readWholeBoard(session: Session, boardId: string): Promise<BoardTree | null> {
  const call = { ...boardCall(boardId), query: { ...BOARD, ...CARDS } };
  try {
    const tree = await trelloClient(session).request(call, boardTreeSchema);
    return { ...tree, cards: withChecklists(tree) };
  } catch (error) {
    if (error instanceof ConnectorError && error.isTooMuch) return null;
    throw error;
  }
}

function boardCall(boardId: string) {
  return { method: "GET", path: paths.board(boardId), about: "this board" } as const;
}

/** Moves checklists into their cards: Trello returns them separately. */
function withChecklists({ cards, checklists }: BoardTree): TrelloCard[] {
  const byCard = Map.groupBy(checklists, ({ idCard }) => idCard ?? "");
  return cards.map((card) => ({ ...card, checklists: byCard.get(card.id) ?? card.checklists }));
}

/**
 * The cards of a board with their content, archived ones included, in pages: newest first, so by descending id.
 * @param before Only cards with a smaller id; null = all. @throws ConnectorError
 */
export function readCardPages(
  session: Session,
  boardId: string,
  before: string | null,
): AsyncGenerator<TrelloCard[], void> {
  const query = {
    fields: CARD_FIELDS,
    attachments: "true",
    attachment_fields: ATTACHMENT_FIELDS,
    stickers: "true",
    customFieldItems: "true",
    pluginData: "true",
    checklists: "all",
  };
  return readPages(session, { boardId, query, schema: cardsSchema }, before);
}

/** The ids of all cards of a board with the number of their comments, in the same pages and order. */
export function readCardCounts(session: Session, boardId: string): AsyncGenerator<CardCounts[], void> {
  return readPages(session, { boardId, query: { fields: "badges" }, schema: cardCountsSchema }, null);
}

/** All cards of a board with what tells them apart and places them, in the same pages and order. */
export function readCardFaces(session: Session, boardId: string): AsyncGenerator<TrelloCard[], void> {
  const query = { fields: "name,pos,idList,shortLink,shortUrl" };
  return readPages(session, { boardId, query, schema: cardsSchema }, null);
}

/** Ids descend strictly from page to page, so a list always ends and has no card twice. */
async function* readPages<T extends { id: string }>(
  session: Session,
  list: { boardId: string; query: Record<string, string>; schema: z.ZodType<T[]> },
  from: string | null,
): AsyncGenerator<T[], void> {
  const client = trelloClient(session);
  const sizes = openSizes();
  let before = from;
  for (;;) {
    const [limit, page]: [number, T[]] = await askForFewer(sizes, LARGEST_PAGE, async (limit) => {
      const query = { filter: "all", ...list.query, limit, ...(before === null ? {} : { before }) };
      const call = {
        method: "GET",
        path: paths.boardCards(list.boardId),
        query,
        about: "the cards",
      } as const;
      return [limit, await client.request(call, list.schema)];
    });
    const fresh = page.filter(({ id }) => before === null || id < before);
    const newestFirst = sortedBy(fresh, ({ id }) => id).reverse();
    if (newestFirst.length > 0) yield newestFirst;
    if (page.length < limit || newestFirst.length === 0) return;
    before = newestFirst.at(-1)!.id;
  }
}

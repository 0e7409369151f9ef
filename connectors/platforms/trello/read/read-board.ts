import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { paths, trelloClient } from "../client.ts";
import { type BoardTree, boardTreeSchema, cardsSchema, type TrelloCard } from "../payloads.ts";

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

/** More cards than a board can hold. */
const MOST_PAGES = 1_000;

/**
 * Reads the current board with all of its cards and their content in one request. If Trello refuses that as too much,
 * reads the board first and then its cards in pages.
 *
 * @throws ConnectorError
 */
export async function readBoard(session: Session, boardId: string): Promise<BoardTree> {
  const client = trelloClient(session);
  const call = { method: "GET", path: paths.board(boardId), about: "this board" } as const;
  try {
    const tree = await client.request({ ...call, query: { ...BOARD, ...CARDS } }, boardTreeSchema);
    return { ...tree, cards: withChecklists(tree) };
  } catch (error) {
    if (!isTooMuch(error)) throw error;
  }
  const board = await client.request({ ...call, query: BOARD }, boardTreeSchema);
  return { ...board, cards: await readCards(client, boardId) };
}

/** Moves checklists into their cards: Trello returns them separately. */
function withChecklists({ cards, checklists }: BoardTree): TrelloCard[] {
  const byCard = Map.groupBy(checklists, ({ idCard }) => idCard ?? "");
  return cards.map((card) => ({ ...card, checklists: byCard.get(card.id) ?? card.checklists }));
}

/** Whether Trello refused a nested response as too large. It does not document the limit. */
function isTooMuch(error: unknown): boolean {
  if (!(error instanceof ConnectorError)) return false;
  return /API_TOO_MANY|TOO_MANY_CARDS|too many cards|answer is too large/i.test(error.message);
}

/** The cards in pages, newest first. */
async function readCards(client: HttpClient, boardId: string): Promise<TrelloCard[]> {
  const found = new Map<string, TrelloCard>();
  let before: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query: Record<string, string | number> = {
      filter: "all",
      fields: CARD_FIELDS,
      attachments: "true",
      attachment_fields: ATTACHMENT_FIELDS,
      stickers: "true",
      customFieldItems: "true",
      pluginData: "true",
      checklists: "all",
      limit: LARGEST_PAGE,
      ...(before === null ? {} : { before }),
    };
    const call = { method: "GET", path: paths.boardCards(boardId), query, about: "the cards" } as const;
    const cards = await client.request(call, cardsSchema);
    const fresh = cards.filter(({ id }) => !found.has(id));
    for (const card of fresh) found.set(card.id, card);
    if (fresh.length === 0 || cards.length < LARGEST_PAGE) return [...found.values()];
    before = fresh.map(({ id }) => id).toSorted()[0] ?? null;
  }
  throw new ConnectorError("malformed", "Trello's list of the cards does not end.");
}

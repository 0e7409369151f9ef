import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { paths, trelloClient } from "../client.ts";
import { actionsSchema, type TrelloAction } from "../payloads.ts";
import { LARGEST_PAGE } from "./read-board.ts";

/** A page of the history; `before` is where the next page begins, null after the last page. */
export type ActionPage = { actions: TrelloAction[]; before: string | null };

/** More pages than any board has. */
const MOST_PAGES = 100_000;

const FIELDS = {
  fields: "id,idMemberCreator,data,type,date",
  member: "false",
  memberCreator: "true",
  memberCreator_fields: "username,fullName",
  reactions: "true",
  limit: LARGEST_PAGE,
} as const;
/** A comment on a copied card has its own type. */
const COMMENT_TYPES = ["commentCard", "copyCommentCard"];

/** Whether an entry of the history is a comment on a card. */
export function isComment({ type }: { type: string }): boolean {
  return COMMENT_TYPES.includes(type);
}

/** Pages of a board's history, newest first. @throws ConnectorError */
export function readActions(
  session: Session,
  boardId: string,
  from: { since: string | null; before: string | null },
): AsyncGenerator<ActionPage, void> {
  const query = { ...FIELDS, filter: "all", ...(from.since === null ? {} : { since: from.since }) };
  return readPages(session, { path: paths.boardActions(boardId), query, about: "the history" }, from.before);
}

/** All comments of a card, newest first. @throws ConnectorError */
export async function readComments(session: Session, cardId: string): Promise<TrelloAction[]> {
  const found: TrelloAction[] = [];
  const query = { ...FIELDS, filter: COMMENT_TYPES.join(",") };
  const list = { path: paths.cardActions(cardId), query, about: "the comments of a card" };
  for await (const { actions } of readPages(session, list, null)) found.push(...actions.filter(isComment));
  return found;
}

async function* readPages(
  session: Session,
  list: { path: string; query: Record<string, string | number>; about: string },
  from: string | null,
): AsyncGenerator<ActionPage, void> {
  const client = trelloClient(session);
  const { about, path } = list;
  let before = from;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { ...list.query, ...(before === null ? {} : { before }) };
    const actions = await client.request({ method: "GET", path, query, about }, actionsSchema);
    const last = actions.at(-1)?.id ?? null;
    const isEnd = actions.length < LARGEST_PAGE || last === null || last === before;
    yield { actions, before: isEnd ? null : last };
    if (isEnd) return;
    before = last;
  }
  throw new ConnectorError("malformed", `Trello's list of ${about} does not end.`);
}

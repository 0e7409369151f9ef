import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  NewTarget,
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { createOnce } from "#connectors/toolkit/records/create-once.ts";
import { boardPage, paths } from "../client.ts";
import { boardItem } from "../inventory.ts";
import { boardSchema, boardsSchema, type TrelloBoard } from "../payloads.ts";

const FIELDS = "name,desc,closed,idOrganization,shortLink,shortUrl,url,prefs";
const WITH_ORGANIZATION = { fields: FIELDS, organization: "true", organization_fields: "name,displayName" };

type Deps = { session: Session; client: HttpClient; journal: RestoreJournal };

/** Whether an earlier attempt may have created something. */
export async function wasBegun(journal: RestoreJournal): Promise<boolean> {
  return (await journal.find("intent")) !== null;
}

/**
 * Creates the new board, or finds the one of an earlier attempt. Names need not be unique at Trello, so every name is
 * free. If the response to the creation is lost, the mark in the first description identifies our board.
 *
 * @throws ConnectorError when Trello refuses
 */
export async function* createTarget(
  { session, client, journal }: Deps,
  { source, target }: { source: TrelloBoard; target: NewTarget },
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const progress = { phase: "Creating the board", done: 0, total: 1, unit: "requests" } as const;
  yield { type: "progress", progress };
  const created = await createOnce<TrelloBoard>(journal, {
    kind: "board",
    sourceId: source.id,
    names: [target.name],
    itemOf: (board) => restoredItem(session, board),
    get: ({ externalId }) => getBoard(client, externalId),
    create: async (_name, mark) => {
      const { id } = await postBoard(client, { source, target, mark });
      return await getBoard(client, id);
    },
    find: (_name, mark) => findMarked(client, target, mark),
    isTaken: () => false,
  });
  yield { type: "restored", kind: "board", count: 1 };
  yield* reportDifferences(source, target);
  return created;
}

/** A board as an item of the report. */
export function restoredItem(session: Session, board: TrelloBoard): RestoredItem {
  const { externalId, name, fullName } = boardItem(board);
  const webUrl = board.shortUrl ?? boardPage(session.config, { fullName });
  return { externalId, name, fullName, webUrl };
}

/** Reads a board. @throws ConnectorError */
export function getBoard(client: HttpClient, boardId: string): Promise<TrelloBoard> {
  const call = {
    method: "GET",
    path: paths.board(boardId),
    query: WITH_ORGANIZATION,
    about: "the board",
  } as const;
  return client.request(call, boardSchema);
}

async function postBoard(
  client: HttpClient,
  { source, target, mark }: { source: TrelloBoard; target: NewTarget; mark: string },
): Promise<TrelloBoard> {
  const { prefs } = source;
  const told = (key: string) =>
    typeof prefs[key] === "string" || typeof prefs[key] === "boolean" ? prefs[key] : undefined;
  const body = {
    name: target.name,
    desc: mark,
    defaultLists: false,
    defaultLabels: false,
    ...(target.place === null ? {} : { idOrganization: target.place.externalId }),
    prefs_permissionLevel: permissionOf(source, target),
    prefs_voting: told("voting"),
    prefs_comments: told("comments"),
    prefs_invitations: told("invitations"),
    prefs_selfJoin: told("selfJoin"),
    prefs_cardCovers: told("cardCovers"),
  };
  const call = {
    method: "POST",
    path: paths.boards,
    body,
    about: "the new board",
    missing: "forbidden",
  } as const;
  return await client.request(call, boardSchema);
}

/** A board visible to its workspace stays so only in the same workspace. Nothing becomes public. */
function permissionOf(source: TrelloBoard, target: NewTarget): "org" | "private" {
  const isSame = target.place !== null && target.place.externalId === source.idOrganization;
  return isSame && source.prefs.permissionLevel === "org" ? "org" : "private";
}

async function findMarked(client: HttpClient, { place }: NewTarget, mark: string) {
  const path = place === null ? paths.ownBoards : paths.organizationBoards(place.externalId);
  const query = { filter: "all", fields: FIELDS };
  const boards = await client.request({ method: "GET", path, query, about: "the boards" }, boardsSchema);
  const ours = boards.find(({ desc }) => desc === mark);
  if (ours === undefined) throw new ConnectorError("gone", "There is no such board.");
  return { ...(await getBoard(client, ours.id)), description: mark };
}

/** Trello's screens call the level `org` "workspace". */
function levelWord(level: string): string {
  return level === "org" ? "workspace" : level;
}

/** Reports the properties of the board that change. */
export function* reportDifferences(source: TrelloBoard, target: NewTarget): Generator<RestoreEvent, void> {
  const level = permissionOf(source, target);
  if (source.prefs.permissionLevel !== level) {
    const reason = "A restore never makes a board visible to more people. Change its visibility in its menu.";
    yield {
      type: "changed",
      what: `Visibility: ${levelWord(level)} instead of ${levelWord(source.prefs.permissionLevel)}`,
      reason,
    };
  }
  if (source.closed) {
    const reason = "The original was archived; the restored one is open, and you may archive it.";
    yield { type: "changed", what: "Archived state of the board", reason };
  }
  if (source.prefs.isTemplate === true) {
    const reason = "Trello makes templates on its site only.";
    yield { type: "changed", what: "The board is no template", reason };
  }
}

/** Stops the restore when the board was deleted meanwhile. @throws ConnectorError `gone` */
export async function requireBoard(client: HttpClient, boardId: string): Promise<void> {
  try {
    await getBoard(client, boardId);
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
    throw new ConnectorError("gone", "The restored board was deleted at Trello while it was being filled.", {
      cause: error,
    });
  }
}

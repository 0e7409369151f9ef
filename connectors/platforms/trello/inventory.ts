import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlatformConnector, PlatformItem } from "#connectors/contract/platform-connector.ts";
import { MEMBERS_QUOTA, paths, trelloClient } from "./client.ts";
import { boardSchema, boardsSchema, organizationsSchema, type TrelloBoard } from "./payloads.ts";

const BOARD_FIELDS = "name,desc,closed,idOrganization,shortLink,shortUrl,prefs,dateLastActivity";
const WITH_ORGANIZATION = { organization: "true", organization_fields: "name,displayName" };

/** The account's workspaces, and its boards in all of them. */
export const inventory: Pick<PlatformConnector, "listPlaces" | "listItems" | "getItem"> = {
  async listPlaces(session, { page, perPage }) {
    const call = {
      method: "GET",
      path: paths.ownOrganizations,
      query: { fields: "name,displayName" },
      about: "your workspaces",
      quota: MEMBERS_QUOTA.resource,
    } as const;
    const all = await trelloClient(session).request(call, organizationsSchema);
    const places = all.map(({ id, name, displayName }) => ({
      externalId: id,
      name: displayName || name || id,
      type: "workspace",
      isOwn: false,
      details: null,
    }));
    return pageOf(places.toSorted(byName), { page, perPage });
  },

  /** Trello returns all boards at once. Archived boards are listed after the open ones. */
  async listItems(session, { kind, name, place, page, perPage }) {
    refuseUnknownKind(kind);
    const call = {
      method: "GET",
      path: paths.ownBoards,
      query: { filter: "all", fields: BOARD_FIELDS, ...WITH_ORGANIZATION },
      about: "your boards",
      quota: MEMBERS_QUOTA.resource,
    } as const;
    const boards = await trelloClient(session).request(call, boardsSchema);
    const wanted = name?.trim().toLowerCase() ?? "";
    const found = boards
      .filter((board) => place === null || board.idOrganization === place.externalId)
      .filter((board) => board.name.toLowerCase().includes(wanted))
      .toSorted(
        (one, other) => Number(one.closed) - Number(other.closed) || byName(one, other) || byId(one, other),
      );
    return pageOf(found.map(boardItem), { page, perPage });
  },

  async getItem(session, { kind, externalId }) {
    refuseUnknownKind(kind);
    const call = {
      method: "GET",
      path: paths.board(externalId),
      query: { fields: BOARD_FIELDS, ...WITH_ORGANIZATION },
      about: "this board",
    } as const;
    return boardItem(await trelloClient(session).request(call, boardSchema));
  },
};

/**
 * Converts a board to an item. Its full name begins with the workspace and ends with the short link, which
 * distinguishes boards of the same name and gives the page's URL. The only slash in it follows the workspace.
 */
export function boardItem(board: TrelloBoard): PlatformItem {
  const { id, name, desc, closed, idOrganization, prefs, organization } = board;
  const workspace = organization?.displayName || organization?.name || null;
  const own = `${name.replaceAll("/", "\u2215")} (${board.shortLink ?? id})`;
  return {
    kind: "board",
    externalId: id,
    name,
    fullName: workspace === null ? own : `${workspace}/${own}`,
    description: desc || null,
    sizeHintBytes: null,
    details: {
      organizationId: idOrganization,
      organizationName: workspace,
      permissionLevel: prefs.permissionLevel,
      isArchived: closed,
    },
  };
}

function refuseUnknownKind(kind: string): void {
  if (kind !== "board") throw new ConnectorError("unsupported", `Trello has no items of the kind ${kind}.`);
}

function pageOf<T>(all: readonly T[], { page, perPage }: { page: number; perPage: number }) {
  const items = all.slice(page * perPage, (page + 1) * perPage);
  return { items, total: all.length, hasMore: all.length > (page + 1) * perPage };
}

const byName = (one: { name: string }, other: { name: string }) =>
  one.name < other.name ? -1 : Number(one.name > other.name);
const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

import type { PlatformConnector, PlatformItem } from "#connectors/contract/platform-connector.ts";
import { exampleClient, paths } from "./client.ts";
import { type Board, boardSchema, boardsSchema } from "./payloads.ts";

/** Lists and reads the account's boards. */
export const inventory: Pick<PlatformConnector, "listPlaces" | "listItems" | "getItem"> = {
  async listPlaces() {
    return { items: [], total: 0, hasMore: false };
  },
  async listItems(session, { name, page, perPage }) {
    const boards: Board[] = [];
    const call = { method: "GET", path: paths.boards, about: "your boards" } as const;
    for await (const board of exampleClient(session).members(call, boardsSchema, ({ id }) => id)) {
      if (name === null || board.name.toLowerCase().includes(name.toLowerCase())) boards.push(board);
    }
    const items = boards.slice(page * perPage, (page + 1) * perPage).map(itemOf);
    return { items, total: boards.length, hasMore: boards.length > (page + 1) * perPage };
  },
  async getItem(session, { externalId }) {
    const call = { method: "GET", path: paths.board(externalId), about: "this board" } as const;
    return itemOf(await exampleClient(session).request(call, boardSchema));
  },
};

function itemOf(board: Board): PlatformItem {
  return {
    kind: "board",
    externalId: board.id,
    name: board.name,
    fullName: board.name,
    description: board.description,
    sizeHintBytes: null,
    details: { isPrivate: board.isPrivate },
  };
}

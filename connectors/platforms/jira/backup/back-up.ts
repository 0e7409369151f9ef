import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { exampleClient, paths } from "../client.ts";
import { boardSchema, cardsSchema } from "../payloads.ts";

/** Backs up a board and its cards. Each card is its own record, because an unchanged record takes no space. */
export async function* backUp(session: Session, { item }: BackupOrder): AsyncIterable<BackupEvent> {
  const client = exampleClient(session);
  const read = { method: "GET", path: paths.board(item.externalId), about: "this board" } as const;
  const board = await client.request(read, boardSchema);
  yield { type: "record", path: "board.json", kind: "board", title: board.name, value: board };
  const list = { method: "GET", path: paths.cards(board.id), about: "the cards" } as const;
  let done = 0;
  for await (const card of client.members(list, cardsSchema, ({ id }) => id)) {
    yield { type: "record", path: `cards/${card.id}.json`, kind: "card", title: card.title, value: card };
    done += 1;
    yield { type: "progress", progress: { phase: "Reading cards", done, total: null, unit: "items" } };
  }
  yield { type: "reported", kind: "card", count: done };
}

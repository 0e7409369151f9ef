import { z } from "zod";
import type {
  PlatformConnector,
  RestoreJournal,
  RestoreOrder,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { exampleClient, paths } from "../client.ts";
import { type Board, boardSchema, cardSchema } from "../payloads.ts";
import { cardsOfOrder } from "./cards-of-order.ts";
import { readAnswers } from "./restore-questions.ts";

/**
 * Restores a board with its cards in order, or one card, as a new board or at the end of an existing one. It journals
 * each creation, so a replay creates no duplicates.
 */
export const restore: PlatformConnector["restore"] = async function* (session, snapshot, order, journal) {
  const client = exampleClient(session);
  const { texts } = readAnswers(order);
  const cards = [];
  for await (const path of cardsOfOrder(snapshot, order))
    cards.push(cardSchema.parse(await snapshot.readRecord(path)));
  cards.sort((a, b) => a.position - b.position);
  const board = await boardOf({ client, snapshot, journal }, order);
  for (const { id, title, text } of cards) {
    const key = `card:${id}`;
    if ((await journal.find(key)) === null) {
      const card = { title, text: texts ? text : "" };
      await create(client, journal, { key, path: paths.cards(board.id), body: card });
    }
  }
  if (order.target.kind === "new") yield { type: "restored", kind: "board", count: 1 };
  if (cards.length > 0) yield { type: "restored", kind: "card", count: cards.length };
  const webUrl = `https://boards.example/b/${board.id}`;
  return { externalId: board.id, name: board.name, fullName: board.name, webUrl };
};

type Deps = { client: HttpClient; snapshot: SnapshotView; journal: RestoreJournal };

/** Returns the target board: the existing one, or a new one with the description of the original. */
async function boardOf({ client, snapshot, journal }: Deps, { target }: RestoreOrder): Promise<Board> {
  if (target.kind === "existing") {
    const path = paths.board(target.item.externalId);
    return await client.request({ method: "GET", path, about: "the board that was chosen" }, boardSchema);
  }
  const known = await journal.find("board");
  if (known !== null) return boardSchema.parse(known);
  const { description } = boardSchema.parse(await snapshot.readRecord("board.json"));
  const body = { name: target.name, description };
  return boardSchema.parse(await create(client, journal, { key: "board", path: paths.boards, body }));
}

async function create(
  client: HttpClient,
  journal: RestoreJournal,
  { key, path, body }: { key: string; path: string; body: object },
) {
  const created = await client.request({ method: "POST", path, body, about: "the restored board" }, z.json());
  await journal.record(key, created);
  return created;
}

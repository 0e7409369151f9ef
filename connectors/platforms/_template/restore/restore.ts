import { z } from "zod";
import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreTarget,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { exampleClient, paths } from "../client.ts";
import { boardSchema, cardSchema } from "../payloads.ts";

/**
 * Creates a new board with the cards in their original order. The journal records each creation, so a replay creates
 * nothing twice.
 */
export async function* restore(
  session: Session,
  snapshot: SnapshotView,
  target: RestoreTarget,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const client = exampleClient(session);
  const source = boardSchema.parse(await snapshot.readRecord("board.json"));
  const board = boardSchema.parse(
    (await journal.find("board")) ??
      (await create(client, journal, "board", paths.boards, {
        name: target.name,
        description: source.description,
      })),
  );
  const cards = [];
  for await (const { path } of snapshot.list("cards/"))
    cards.push(cardSchema.parse(await snapshot.readRecord(path)));
  cards.sort((a, b) => a.position - b.position);
  for (const { id, title, text } of cards) {
    const key = `card:${id}`;
    if ((await journal.find(key)) === null) {
      await create(client, journal, key, paths.cards(board.id), { title, text });
    }
  }
  yield { type: "restored", kind: "board", count: 1 };
  if (cards.length > 0) yield { type: "restored", kind: "card", count: cards.length };
  const webUrl = `https://boards.example/b/${board.id}`;
  return { externalId: board.id, nodeId: null, name: board.name, fullName: board.name, webUrl };
}

async function create(client: HttpClient, journal: RestoreJournal, key: string, path: string, body: object) {
  const created = await client.request({ method: "POST", path, body, about: "the restored board" }, z.json());
  await journal.record(key, created);
  return created;
}

import { createHash } from "node:crypto";
import type { Board } from "#connectors/platforms/trello/simulator/state.ts";
import type { SnapshotReader } from "#core/vault/index.ts";

/** What a board says, thing by thing: the path of each thing in a version, and its content as text. */
export type Facts = ReadonlyMap<string, string>;

const sayCard = (card: { name: string; desc: string; isClosed: boolean; idList: string }) =>
  JSON.stringify([card.name, card.desc, card.isClosed, card.idList]);
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The facts of a board at the platform. */
export function factsOf(board: Board): Facts {
  const facts = new Map<string, string>();
  facts.set("board.json", JSON.stringify([board.name, board.desc]));
  for (const { id, name, isClosed } of board.lists)
    facts.set(`lists/${id}.json`, JSON.stringify([name, isClosed]));
  for (const card of board.cards) {
    facts.set(`cards/${card.id}/card.json`, sayCard(card));
    for (const { id, sha256 } of card.attachments)
      facts.set(`cards/${card.id}/attachments/${id}`, sha256 ?? "");
  }
  for (const { id, type, idCard, data } of board.actions)
    if (type === "commentCard") facts.set(`comments/${idCard}/${id}.json`, String(data.text));
  return facts;
}

const PLAIN = /^(board|lists|cards|comments)[./]/;

/** The facts that a version holds. */
export async function factsIn(view: SnapshotReader): Promise<Facts> {
  const facts = new Map<string, string>();
  for await (const { path, type } of view.list()) {
    if (!PLAIN.test(path)) continue;
    if (type === "stream") facts.set(path, hash(await whole(view.read(path))));
    else facts.set(path, sayRecord(path, (await view.readRecord(path)) as Record<string, unknown>));
  }
  return facts;
}

function sayRecord(path: string, record: Record<string, unknown>): string {
  if (path === "board.json") return JSON.stringify([record.name, record.desc]);
  if (path.startsWith("lists/")) return JSON.stringify([record.name, record.closed]);
  if (path.startsWith("comments/")) return String((record.data as { text?: unknown }).text);
  const card = record as { name: string; desc: string; closed: boolean; idList: string };
  return sayCard({ ...card, isClosed: card.closed });
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return Buffer.concat(parts);
}

/** The content without ids: equal for a board and its copy. */
export function contentOf(facts: Facts): string {
  const lists = new Map<string, string>();
  for (const [path, said] of facts)
    if (path.startsWith("lists/"))
      lists.set(path.slice("lists/".length, -".json".length), JSON.parse(said)[0]);
  const said = [...facts].flatMap(([path, text]) => {
    if (path.endsWith("/card.json")) {
      const [name, desc, isClosed, idList] = JSON.parse(text) as [string, string, boolean, string];
      return [`card ${name}: ${desc} ${isClosed} in ${lists.get(idList)}`];
    }
    return path.includes("/attachments/") ? [`file ${text}`] : [];
  });
  return said.sort().join("\n");
}

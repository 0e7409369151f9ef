import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { MOST_SAMPLED, readSome } from "#connectors/toolkit/records/sample-folder.ts";
import { cardSchema, type TrelloCard } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";

/** Boards with up to this many cards are read whole. */
const MOST_WHOLE = 200;
/** An id begins with its creation time in seconds, in this many hexadecimal digits. */
const TIME_DIGITS = 8;
const DIGITS = "fedcba9876543210";

/** Cards of a version: all of them, or for a large board a sample spread over creation times. */
export async function sampleCards(
  snapshot: SnapshotView,
  count: number,
): Promise<{ cards: TrelloCard[]; isWhole: boolean }> {
  const isWhole = count <= MOST_WHOLE;
  const paths = isWhole ? await allCards(snapshot) : await someCards(snapshot);
  const cards = await readSome(paths, async (path) => cardSchema.parse(await snapshot.readRecord(path)));
  return { cards, isWhole };
}

async function allCards(snapshot: SnapshotView): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path, kind } of snapshot.list(recordPaths.cards)) if (kind === "card") paths.push(path);
  return paths;
}

async function someCards(snapshot: SnapshotView): Promise<string[]> {
  const first = await cardAfter(snapshot, "");
  const last = await newestSecond(snapshot);
  if (first === null) return [];
  const oldest = secondOf(first);
  const found = new Set<string>([first]);
  for (let step = 1; step < MOST_SAMPLED; step++) {
    const second = Math.floor(oldest + ((last - oldest) * step) / MOST_SAMPLED);
    const path = await cardAfter(
      snapshot,
      `${recordPaths.cards}${second.toString(16).padStart(TIME_DIGITS, "0")}`,
    );
    if (path !== null) found.add(path);
  }
  return [...found];
}

const secondOf = (path: string) =>
  Number.parseInt(path.slice(recordPaths.cards.length, recordPaths.cards.length + TIME_DIGITS), 16);

async function cardAfter(snapshot: SnapshotView, after: string): Promise<string | null> {
  for await (const { path } of snapshot.list(recordPaths.cards, after)) {
    const [, id = ""] = path.split("/");
    return `${recordPaths.cards}${id}/card.json`;
  }
  return null;
}

/** The creation time of the newest card, found digit by digit without listing all cards. */
async function newestSecond(snapshot: SnapshotView): Promise<number> {
  let digits = "";
  while (digits.length < TIME_DIGITS) {
    const next = await highestDigit(snapshot, digits);
    if (next === null) return 0;
    digits += next;
  }
  return Number.parseInt(digits, 16);
}

async function highestDigit(snapshot: SnapshotView, digits: string): Promise<string | null> {
  for (const digit of DIGITS) {
    for await (const _ of snapshot.list(`${recordPaths.cards}${digits}${digit}`)) return digit;
  }
  return null;
}

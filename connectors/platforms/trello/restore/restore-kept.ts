import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { cardSchema, listSchema, memberSchema, type TrelloCard } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { RestoreIo } from "./restore-io.ts";

const NAMES_SHOWN = 20;
const pluginDataSchema = z.array(z.looseObject({ idPlugin: z.string().optional() })).catch([]);

/** Counts of what cannot be restored. */
export type LeftBehind = {
  /** Members of the board other than the connected account. */
  names: readonly string[];
  /** Cards with other members. */
  assigned: number;
  votes: number;
  /** Places with Power-Up data. */
  plugins: number;
  actions: number;
  /** Lists with a colour. */
  coloured: number;
};

/** Report lines for what no API can restore, with counts, so that people know what to do by hand. */
export async function* reportKept({ snapshot, memberId }: RestoreIo): AsyncGenerator<RestoreEvent, void> {
  const counted = { assigned: 0, votes: 0, plugins: 0 };
  for await (const { path, kind } of snapshot.list(recordPaths.cards)) {
    if (kind === "card") addLeft(counted, cardSchema.parse(await snapshot.readRecord(path)), memberId);
  }
  yield* leftLines(await leftOf(snapshot, { memberId, counted }));
}

/** Adds what one card loses. */
export function addLeft(
  counted: Pick<LeftBehind, "assigned" | "votes" | "plugins">,
  card: TrelloCard,
  memberId: string,
): void {
  if (card.idMembers.some((id) => id !== memberId)) counted.assigned += 1;
  counted.votes += card.idMembersVoted.filter((id) => id !== memberId).length;
  if (pluginDataSchema.parse(card.pluginData).length > 0) counted.plugins += 1;
}

/** What the cards and the board lose. */
export async function leftOf(
  snapshot: SnapshotView,
  { memberId, counted }: { memberId: string; counted: Pick<LeftBehind, "assigned" | "votes" | "plugins"> },
): Promise<LeftBehind> {
  const names: string[] = [];
  for await (const { path } of snapshot.list(recordPaths.members)) {
    const { id, username, fullName } = memberSchema.parse(await snapshot.readRecord(path));
    if (id !== memberId) names.push(fullName ? `${fullName} (${username})` : username);
  }
  const hasBoardData = (await snapshot.find(recordPaths.pluginData)) !== null;
  const actions = snapshot.counts().action ?? 0;
  let coloured = 0;
  for await (const { path } of snapshot.list(recordPaths.lists))
    if (listSchema.parse(await snapshot.readRecord(path)).color) coloured += 1;
  return { ...counted, plugins: counted.plugins + Number(hasBoardData), names, actions, coloured };
}

/** The report lines for {@link LeftBehind}. */
export function* leftLines({
  names,
  assigned,
  votes,
  plugins,
  actions,
  coloured,
}: LeftBehind): Generator<RestoreEvent, void> {
  if (names.length > 0) {
    const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
    const reason =
      "Nobody is invited without being asked. Invite them to the new board; they can be put on cards then.";
    yield { type: "impossible", what: `Members: ${names.slice(0, NAMES_SHOWN).join(", ")}${more}`, reason };
  }
  if (assigned > 0) {
    const reason = "Trello puts only members of a board on its cards. The backup and its ZIP name them.";
    yield { type: "impossible", what: `Members of ${assigned} cards`, reason };
  }
  if (votes > 0) {
    const reason = "Trello does not allow voting for others. The backup and its ZIP list the voters.";
    yield { type: "impossible", what: `${votes} votes of others`, reason };
  }
  if (plugins > 0) {
    const reason = "Only a Power-Up itself may write its data. The backup and its ZIP hold it.";
    yield { type: "impossible", what: `Data of Power-Ups in ${plugins} places`, reason };
  }
  if (coloured > 0) {
    const reason = "Trello's API takes no colour for a list. Set it in the menu of each list.";
    yield { type: "impossible", what: `Colours of ${coloured} ${coloured === 1 ? "list" : "lists"}`, reason };
  }
  if (actions > 0) {
    const reason = "Trello writes the history of a board itself. The backup and its ZIP hold the old one.";
    yield { type: "impossible", what: `${actions} entries of the history`, reason };
  }
}

import { z } from "zod";
import { backUpByHand, hasBackupSince, type ItemRow, itemRows, untilBackedUp } from "./demo-backups.ts";
import { connectAccount } from "./demo-connect.ts";
import type { Person } from "./demo-person.ts";

const PLATFORM = "trello";
/** The demo user's login at Trello, where logins have no hyphen. */
const LOGIN = "nora_lindqvist";
/** Fewer than the trial allows, so that some can be added by hand. */
const BOARDS = ["Fleet planning", "Harbour rota", "Private list"];

/** A change to a card of the first board. Cards are found by name. */
type Change = { card: string; path: "move" | "comments" | "edit"; body: object };

/** The changes of each day, so that each version differs from the previous one. */
const DAYS: readonly (readonly Change[])[] = [
  [
    { card: "Machine parts from Gdańsk", path: "move", body: { list: "On the road" } },
    {
      card: "Machine parts from Gdańsk",
      path: "comments",
      body: { text: "Stamp is there, it rolls again.", login: "asa_nystrom" },
    },
    { card: "Timber to Rostock", path: "move", body: { list: "Delivered" } },
    { card: "Timber to Rostock", path: "edit", body: { dueComplete: true } },
  ],
  [
    {
      card: "Book the Friday ferry Göteborg–Kiel",
      path: "comments",
      body: { text: "Booked, all four on the 21:30.", login: "ivo_petrov" },
    },
    { card: "T1 papers for the Oslo run", path: "edit", body: { dueComplete: true } },
    { card: "One shared calendar for both depots", path: "move", body: { list: "This week" } },
  ],
];

type SeedOrder = { trelloUrl: string; region: string; signal: AbortSignal };

/**
 * Connects Trello in the demo account, protects a few boards, changes the first one and backs it up manually. Keeps the
 * results of an earlier, interrupted seeding.
 *
 * @returns a function that makes the next day's changes, and one that waits until every item has a backup taken since
 * the given time, in epoch ms
 */
export async function seedTrello(
  person: Person,
  order: SeedOrder,
): Promise<{ changeBoards: () => Promise<void>; untilBackedUp: (since: number) => Promise<void> }> {
  const paths = { accounts: `${PLATFORM}/get-trello-user`, consent: `${PLATFORM}/login-trello` };
  await connectAccount(person, paths, { region: order.region, login: LOGIN });
  await protectBoards(person);
  const { signal } = order;
  const list = () => listBoards(person);
  await untilBackedUp(list, hasBackupSince(0), signal);
  const [first = [], second = []] = DAYS;
  await work(person, order, first);
  const board = await firstBoard(person);
  if (board !== undefined) {
    const call = { path: `${PLATFORM}/backup-now`, body: { boardId: board.id } };
    await backUpByHand(person, call, board, list, signal);
  }
  return {
    changeBoards: () => work(person, order, second),
    untilBackedUp: (since) => untilBackedUp(list, hasBackupSince(since), signal),
  };
}

async function protectBoards(person: Person): Promise<void> {
  if ((await listBoards(person)).length > 0) return;
  const offered = z.object({
    not_added_boards: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  });
  const path = `${PLATFORM}/get-available-trello-boards`;
  const { not_added_boards } = await person.call("GET", path, offered, { page: "0", perPage: "50" });
  const wanted = not_added_boards.filter(({ name }) => BOARDS.includes(name));
  await person.call("POST", `${PLATFORM}/add-boards`, z.unknown(), {
    boardsIds: wanted.map(({ id }) => ({ id })),
  });
}

function listBoards(person: Person): Promise<ItemRow[]> {
  return person.call("GET", `${PLATFORM}/get-user-trello-boards`, itemRows, { page: "0", perPage: "50" });
}

/** The board whose versions differ. */
async function firstBoard(person: Person): Promise<ItemRow | undefined> {
  return (await listBoards(person)).find(({ name }) => name === BOARDS[0]);
}

async function work(
  person: Person,
  { trelloUrl, signal }: SeedOrder,
  changes: readonly Change[],
): Promise<void> {
  const board = await firstBoard(person);
  if (board === undefined) return;
  const sim = `${trelloUrl}/__sim/trello`;
  const listed = await fetch(`${sim}/boards/${board.externalId}/cards`, { signal });
  const { cards } = z
    .object({ cards: z.array(z.object({ id: z.string(), name: z.string() })) })
    .parse(await listed.json());
  for (const { card, path, body } of changes) {
    const id = cards.find(({ name }) => name === card)?.id;
    if (id === undefined) continue;
    const init = { method: "POST", body: JSON.stringify(body), signal };
    const answer = await fetch(`${sim}/cards/${id}/${path}`, init);
    if (!answer.ok) throw new Error(`The simulated Trello refused ${path}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

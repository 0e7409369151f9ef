import { z } from "zod";
import { connectAccount } from "./demo-connect.ts";
import { type Person, RefusedError } from "./demo-person.ts";

const PLATFORM = "trello";
/** The demo user's login at Trello, where logins have no hyphen. */
const LOGIN = "nora_lindqvist";
/** Fewer than the trial allows, so that some can be added by hand. */
const BOARDS = ["Fleet planning", "Harbour rota", "Private list"];
const PATIENCE_MS = 240_000;

const itemRows = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    externalId: z.string(),
    view: z.object({ lastBackupAt: z.number().nullable(), activeRun: z.unknown() }),
  }),
);
type ItemRow = z.output<typeof itemRows>[number];

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
  const untilBackedUp = (since: number) => untilAllBackedUp(person, since, order.signal);
  await untilBackedUp(0);
  const [first = [], second = []] = DAYS;
  await work(person, order, first);
  await backUpByHand(person, order.signal);
  return { changeBoards: () => work(person, order, second), untilBackedUp };
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

/** Calls Backup now, so that the board has a manual version. */
async function backUpByHand(person: Person, signal: AbortSignal): Promise<void> {
  const board = await firstBoard(person);
  if (board === undefined) return;
  const since = Date.now();
  try {
    await person.call("POST", `${PLATFORM}/backup-now`, z.unknown(), { boardId: board.id });
  } catch (cause) {
    // An earlier, interrupted seeding may have used the window.
    if (cause instanceof RefusedError && cause.code === "err.user.backup.limit") return;
    throw cause;
  }
  await untilBackedUp(person, signal, (row) => row.id !== board.id || (row.view.lastBackupAt ?? 0) >= since);
}

function untilAllBackedUp(person: Person, since: number, signal: AbortSignal): Promise<void> {
  return untilBackedUp(
    person,
    signal,
    ({ view }) => view.lastBackupAt !== null && view.lastBackupAt >= since,
  );
}

async function untilBackedUp(
  person: Person,
  signal: AbortSignal,
  isBackedUp: (row: ItemRow) => boolean,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const waiting = (await listBoards(person)).filter(
      (row) => row.view.activeRun !== null || !isBackedUp(row),
    );
    if (waiting.length === 0) return;
    if (Date.now() > deadline) {
      const names = waiting.map(({ name }) => name).join(", ");
      throw new Error(`These boards are not backed up after ${PATIENCE_MS / 1000} s: ${names}`);
    }
    await new Promise((settle) => setTimeout(settle, 500));
    signal.throwIfAborted();
  }
}

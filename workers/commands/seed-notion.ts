import { z } from "zod";
import { backUpByHand, hasBackupSince, type ItemRow, itemRows, untilBackedUp } from "./demo-backups.ts";
import { connectAccount } from "./demo-connect.ts";
import type { Person } from "./demo-person.ts";

const PLATFORM = "notion";
/** The demo user at Notion, and the workspace of hers that she connects. */
const LOGIN = "nora";
const WORKSPACE = "Meridian Freight";

/** A new page below the first one. */
type NewPage = { title: string; text: string };

/** The new pages of each day, so that each version differs from the previous one. */
const DAYS: readonly (readonly NewPage[])[] = [
  [{ title: "Night shift", text: "Line-haul from Hamburg arrives at 23:40." }],
  [{ title: "Winter tyres", text: "On by 15 November, off after Easter." }],
];

type SeedOrder = { notionUrl: string; region: string; signal: AbortSignal };

/**
 * Connects a Notion workspace in the demo account with all its pages picked, protects it, changes it and backs it up
 * manually. Keeps the results of an earlier, interrupted seeding.
 *
 * @returns a function that makes the next day's changes, and one that waits until the workspace has a backup taken since
 * the given time, in epoch ms
 */
export async function seedNotion(
  person: Person,
  order: SeedOrder,
): Promise<{ changePages: () => Promise<void>; untilBackedUp: (since: number) => Promise<void> }> {
  const { signal } = order;
  const { id, rootIds } = await findWorkspace(order);
  const paths = { accounts: `${PLATFORM}/get-notion-users`, consent: `${PLATFORM}/auth-url` };
  const picked = { more: { place: `${LOGIN} ${id}` }, pages: rootIds, decision: "allow" };
  await connectAccount(person, paths, { region: order.region, ...picked });
  const list = () =>
    person.call("GET", `${PLATFORM}/get-user-workspaces`, itemRows, { page: "0", perPage: "50" });
  await protectWorkspace(person, await list());
  const [first = [], second = []] = DAYS;
  await untilBackedUp(list, hasBackupSince(0), signal);
  await work(order, rootIds[0], first);
  const [item] = await list();
  if (item !== undefined) {
    const call = { path: `${PLATFORM}/backup-now`, body: { workspaceId: item.id } };
    await backUpByHand(person, call, item, list, signal);
  }
  return {
    changePages: () => work(order, rootIds[0], second),
    untilBackedUp: (since) => untilBackedUp(list, hasBackupSince(since), signal),
  };
}

/** The demo's workspace and the pages at its top. */
async function findWorkspace({ notionUrl, signal }: SeedOrder): Promise<{ id: string; rootIds: string[] }> {
  const answer = await fetch(`${notionUrl}/__sim/notion/workspaces`, { signal });
  const workspace = z.object({ id: z.string(), name: z.string(), rootIds: z.array(z.string()) });
  const { workspaces } = z.object({ workspaces: z.array(workspace) }).parse(await answer.json());
  const found = workspaces.find(({ name }) => name === WORKSPACE);
  if (found === undefined) throw new Error(`The simulated Notion has no workspace ${WORKSPACE}.`);
  return found;
}

async function protectWorkspace(person: Person, protectedOnes: readonly ItemRow[]): Promise<void> {
  if (protectedOnes.length > 0) return;
  const offered = z.object({ available_workspaces: z.array(z.looseObject({ id: z.string() })) });
  const path = `${PLATFORM}/get-available-notion-workspaces`;
  const { available_workspaces } = await person.call("GET", path, offered, { page: "0", perPage: "50" });
  const workspacesIds = available_workspaces.map(({ id }) => ({ id }));
  await person.call("POST", `${PLATFORM}/add-workspaces`, z.unknown(), { workspacesIds });
}

async function work(
  { notionUrl, signal }: SeedOrder,
  parentId: string | undefined,
  changes: readonly NewPage[],
): Promise<void> {
  if (parentId === undefined) return;
  for (const change of changes) {
    const body = JSON.stringify({ login: LOGIN, parentId, ...change });
    const answer = await fetch(`${notionUrl}/__sim/notion/pages`, { method: "POST", body, signal });
    if (!answer.ok) throw new Error(`The simulated Notion refused a page: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

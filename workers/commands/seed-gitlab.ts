import { z } from "zod";
import { connectAccount } from "./demo-connect.ts";
import { type Person, RefusedError } from "./demo-person.ts";

const PLATFORM = "gitlab";
const MOST_PROJECTS = 4;
const MOST_SNIPPETS = 2;
const PATIENCE_MS = 240_000;

/** The API calls of each item kind, and the names of its ids. */
const KINDS = [
  { of: "projects", most: MOST_PROJECTS, list: "get-user-gitlab-projects", add: "add-gitlab-projects" },
  { of: "snippets", most: MOST_SNIPPETS, list: "get-user-gitlab-snippets", add: "add-gitlab-snippets" },
] as const;
type Kind = (typeof KINDS)[number];

const itemRows = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    externalId: z.string(),
    view: z.object({ lastBackupAt: z.number().nullable(), activeRun: z.unknown() }),
  }),
);

/**
 * Connects GitLab in the demo account, protects a few projects and snippets, changes one project and backs it up
 * manually. Keeps the results of an earlier, interrupted seeding.
 *
 * @returns a function that waits until every item has a backup taken since the given time, in epoch ms
 */
export async function seedGitlab(
  person: Person,
  order: { gitlabUrl: string; region: string; login: string; signal: AbortSignal },
): Promise<{ untilBackedUp: (since: number) => Promise<void> }> {
  const paths = { accounts: `${PLATFORM}/get-gitlab-users`, consent: `${PLATFORM}/add-gitlab-user` };
  await connectAccount(person, paths, order);
  for (const kind of KINDS) await protect(person, kind);
  const untilBackedUp = async (since: number) => {
    for (const kind of KINDS) await untilKindBackedUp(person, kind, { since, signal: order.signal });
  };
  await untilBackedUp(0);
  await backUpByHand(person, order);
  return { untilBackedUp };
}

async function protect(person: Person, { of, most, list, add }: Kind): Promise<void> {
  if ((await listItems(person, list)).length > 0) return;
  const offered = z.looseObject({ [`not_added_${of}`]: z.array(z.looseObject({ id: z.string() })) });
  const path = `${PLATFORM}/get-available-${of}-for-gitlab-user`;
  const answer = await person.call("GET", path, offered, { page: "0", perPage: String(most) });
  const ids = (answer[`not_added_${of}`] ?? []) as { id: string }[];
  await person.call("POST", `${PLATFORM}/${add}`, z.unknown(), {
    [`${of}Ids`]: ids.slice(0, most).map(({ id }) => ({ id })),
  });
}

function listItems(person: Person, list: string): Promise<z.output<typeof itemRows>> {
  return person.call("GET", `${PLATFORM}/${list}`, itemRows, { page: "0", perPage: "50" });
}

async function untilKindBackedUp(
  person: Person,
  { of, list }: Kind,
  { since, signal }: { since: number; signal: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const items = await listItems(person, list);
    const waiting = items.filter(
      ({ view }) => view.activeRun !== null || view.lastBackupAt === null || view.lastBackupAt < since,
    );
    if (waiting.length === 0) return;
    if (Date.now() > deadline) {
      const names = waiting.map(({ name }) => name).join(", ");
      throw new Error(`These ${of} are not backed up after ${PATIENCE_MS / 1000} s: ${names}`);
    }
    await new Promise((settle) => setTimeout(settle, 500));
    signal.throwIfAborted();
  }
}

/** Changes one project and calls Backup now on it, to get versions that differ. */
async function backUpByHand(
  person: Person,
  { gitlabUrl, signal }: { gitlabUrl: string; signal: AbortSignal },
): Promise<void> {
  const [projects] = KINDS;
  const [item] = await listItems(person, projects.list);
  if (!item) return;
  const answer = await fetch(`${gitlabUrl}/__sim/gitlab/projects/${item.externalId}/commits`, {
    method: "POST",
    body: JSON.stringify({ count: 3 }),
    signal,
  });
  await answer.arrayBuffer();
  const since = Date.now();
  try {
    await person.call("POST", `${PLATFORM}/backup-now`, z.unknown(), { projectId: item.id });
  } catch (cause) {
    // An earlier, interrupted seeding may have used the window.
    if (cause instanceof RefusedError && cause.code === "err.user.backup.limit") return;
    throw cause;
  }
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = (await listItems(person, projects.list)).find(({ id }) => id === item.id);
    if (now && now.view.activeRun === null && (now.view.lastBackupAt ?? 0) >= since) return;
    if (Date.now() > deadline) throw new Error(`Backup now of ${item.name} has not ended.`);
    await new Promise((settle) => setTimeout(settle, 500));
    signal.throwIfAborted();
  }
}

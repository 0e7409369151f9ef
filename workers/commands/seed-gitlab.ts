import { z } from "zod";
import { backUpByHand, hasBackupSince, type ItemRow, itemRows, untilBackedUp } from "./demo-backups.ts";
import { connectAccount } from "./demo-connect.ts";
import type { Person } from "./demo-person.ts";

const PLATFORM = "gitlab";
const MOST_PROJECTS = 4;
const MOST_SNIPPETS = 2;

/** The API calls of each item kind, and the names of its ids. */
const KINDS = [
  { of: "projects", most: MOST_PROJECTS, list: "get-user-gitlab-projects", add: "add-gitlab-projects" },
  { of: "snippets", most: MOST_SNIPPETS, list: "get-user-gitlab-snippets", add: "add-gitlab-snippets" },
] as const;
type Kind = (typeof KINDS)[number];

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
  const untilAllBackedUp = async (since: number) => {
    for (const { list } of KINDS)
      await untilBackedUp(() => listItems(person, list), hasBackupSince(since), order.signal);
  };
  await untilAllBackedUp(0);
  await changeProject(person, order);
  return { untilBackedUp: untilAllBackedUp };
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

function listItems(person: Person, list: string): Promise<ItemRow[]> {
  return person.call("GET", `${PLATFORM}/${list}`, itemRows, { page: "0", perPage: "50" });
}

/** Changes one project and calls Backup now on it, to get versions that differ. */
async function changeProject(
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
  const call = { path: `${PLATFORM}/backup-now`, body: { projectId: item.id } };
  await backUpByHand(person, call, item, () => listItems(person, projects.list), signal);
}

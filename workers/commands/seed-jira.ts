import { z } from "zod";
import { backUpByHand, hasBackupSince, type ItemRow, itemRows, untilBackedUp } from "./demo-backups.ts";
import { connectAccount } from "./demo-connect.ts";
import type { Person } from "./demo-person.ts";

const PLATFORM = "jira";
/** The demo user's account at Atlassian, and the site of hers that she connects. */
const LOGIN = "nora@meridian.example";
const SITE = "meridian";
/** Some of her projects; others can be added by hand. */
const PROJECTS = ["Fleet operations", "Dispatch desk", "Driver help desk"];

/** A change to an issue. */
type Change = { key: string; path: "transition" | "comments" | "edit"; body: object };

/** The changes of each day, so that each version differs from the previous one. */
const DAYS: readonly (readonly Change[])[] = [
  [
    { key: "DIS-4", path: "transition", body: { to: "Done" } },
    { key: "DIS-4", path: "comments", body: { text: "Unloaded at six, papers signed." } },
  ],
  [
    { key: "DIS-5", path: "transition", body: { to: "In Progress" } },
    { key: "DIS-7", path: "edit", body: { fields: { summary: "Toys for the Christmas fair, two lorries" } } },
  ],
];
/** The project of those issues. */
const CHANGED = "Dispatch desk";

type SeedOrder = { jiraUrl: string; region: string; signal: AbortSignal };

/**
 * Connects a Jira site in the demo account, protects a few projects, changes one and backs it up manually. Keeps the
 * results of an earlier, interrupted seeding.
 *
 * @returns a function that makes the next day's changes, and one that waits until every item has a backup taken since
 * the given time, in epoch ms
 */
export async function seedJira(
  person: Person,
  order: SeedOrder,
): Promise<{ changeIssues: () => Promise<void>; untilBackedUp: (since: number) => Promise<void> }> {
  const { signal } = order;
  const paths = { accounts: `${PLATFORM}/get-jira-users`, consent: `${PLATFORM}/add-jira-user` };
  const site = await findSite(order);
  await connectAccount(person, paths, { region: order.region, login: LOGIN, more: { site } });
  const list = () =>
    person.call("GET", `${PLATFORM}/get-user-jira-projects`, itemRows, { page: "0", perPage: "50" });
  await protectProjects(person, await list());
  const [first = [], second = []] = DAYS;
  await untilBackedUp(list, hasBackupSince(0), signal);
  await work(order, first);
  const item = (await list()).find(({ name }) => name === CHANGED);
  if (item !== undefined) {
    const call = { path: `${PLATFORM}/backup-now`, body: { projectId: item.id } };
    await backUpByHand(person, call, item, list, signal);
  }
  return {
    changeIssues: () => work(order, second),
    untilBackedUp: (since) => untilBackedUp(list, hasBackupSince(since), signal),
  };
}

/** The cloud id of the demo's site. */
async function findSite({ jiraUrl, signal }: SeedOrder): Promise<string> {
  const answer = await fetch(`${jiraUrl}/__sim/jira/sites`, { signal });
  const schema = z.object({ sites: z.array(z.object({ cloudId: z.string(), slug: z.string() })) });
  const site = schema.parse(await answer.json()).sites.find(({ slug }) => slug === SITE);
  if (site === undefined) throw new Error(`The simulated Jira has no site ${SITE}.`);
  return site.cloudId;
}

async function protectProjects(person: Person, protectedOnes: readonly ItemRow[]): Promise<void> {
  if (protectedOnes.length > 0) return;
  const offered = z.object({
    available_projects: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  });
  const path = `${PLATFORM}/get-all-available-for-backup-jira-projects-list`;
  const { available_projects } = await person.call("GET", path, offered, { page: "0", perPage: "50" });
  const wanted = available_projects.filter(({ name }) => PROJECTS.includes(name));
  await person.call("POST", `${PLATFORM}/add-jira-projects`, z.unknown(), {
    projectsIds: wanted.map(({ id }) => ({ id })),
  });
}

async function work({ jiraUrl, signal }: SeedOrder, changes: readonly Change[]): Promise<void> {
  for (const { key, path, body } of changes) {
    const url = `${jiraUrl}/__sim/jira/sites/${SITE}/issues/${key}/${path}`;
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body), signal });
    if (!answer.ok) throw new Error(`The simulated Jira refused ${path} of ${key}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

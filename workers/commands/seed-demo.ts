import { z } from "zod";
import { connectAccount } from "./demo-connect.ts";
import { createPerson, type Person, RefusedError, waitForConfirmationLink } from "./demo-person.ts";
import { seedGitlab } from "./seed-gitlab.ts";
import { seedJira } from "./seed-jira.ts";
import { seedNotion } from "./seed-notion.ts";
import { seedTrello } from "./seed-trello.ts";

/** The demo account. Its credentials are printed at every start; it exists only on this machine. */
export const DEMO_PERSON = {
  name: "Nora",
  familyName: "Lindqvist",
  email: "nora@meridian.example",
  password: "Nk4!tZr7^Wq2",
  githubLogin: "nora-lindqvist",
};

const PLATFORM = "github";
const REGION = "DE";
/** The number of protected repositories: one less than the trial allows, so that one more can be added by hand. */
const MOST_ITEMS = 9;
/** Each round changes some repositories and lets the schedule back up all of them. */
const ROUNDS = 3;
const PATIENCE_MS = 240_000;

export type SeedOrder = {
  appUrl: string;
  /** The simulated GitHub. */
  githubUrl: string;
  /** The simulated GitLab; null = a real one is configured and left alone. */
  gitlabUrl: string | null;
  /** The simulated Trello; null = a real one is configured and left alone. */
  trelloUrl: string | null;
  /** The simulated Jira; null = a real one is configured and left alone. */
  jiraUrl: string | null;
  /** The simulated Notion; null = a real one is configured and left alone. */
  notionUrl: string | null;
  /** The simulated inbox. */
  mailUrl: string;
  say: (text: string) => void;
  signal: AbortSignal;
  /** Makes every schedule due now, as if a day had passed. */
  makeEverythingDue: () => Promise<void>;
  /** Spreads the versions over weeks, as if the schedule's clock had been turned. */
  spreadPast: () => Promise<void>;
};

const rows = z.array(z.looseObject({ id: z.string(), name: z.string() }));
const itemRows = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    view: z.object({
      fullName: z.string(),
      lastBackupAt: z.number().nullable(),
      lastError: z.object({ text: z.string() }).nullable(),
      activeRun: z.unknown(),
    }),
  }),
);
type ItemRow = z.infer<typeof itemRows>[number];

/**
 * Fills an empty product by using it: signs up, gives consent on the platform's page, protects repositories, changes
 * them, backs them up, restores one. Only times are changed in the database: when the schedules are due, and at the end
 * when the versions were taken. Everything else goes through the product. Every step checks what already exists, so an interrupted seeding continues at the next start.
 */
export async function seedDemo(order: SeedOrder): Promise<{ items: number; versions: number }> {
  const person = createPerson(order.appUrl, order.signal);
  await signUpOrIn(person, order);
  const account = { region: REGION, login: DEMO_PERSON.githubLogin };
  const paths = { accounts: `${PLATFORM}/get-github-users`, consent: `${PLATFORM}/connect-url` };
  await connectAccount(person, paths, account);
  await addPlaces(person);
  order.say("connected; taking first backups");
  const since = Date.now();
  await protectRepositories(person);
  let items = await untilBackedUp(person, order.signal, since, { onlyNew: true });
  await backUpByHand(person, order, items);
  let gitlab: Awaited<ReturnType<typeof seedGitlab>> | null = null;
  let trello: Awaited<ReturnType<typeof seedTrello>> | null = null;
  let jira: Awaited<ReturnType<typeof seedJira>> | null = null;
  let notion: Awaited<ReturnType<typeof seedNotion>> | null = null;
  for (let round = 1; round <= ROUNDS; round++) {
    // The last round takes the second version of these.
    if (round === ROUNDS && order.gitlabUrl !== null) {
      order.say("connecting GitLab; backing up projects and snippets");
      gitlab = await seedGitlab(person, { ...order, ...account, gitlabUrl: order.gitlabUrl });
    }
    if (round === ROUNDS && order.trelloUrl !== null) {
      order.say("connecting Trello; backing up boards");
      trello = await seedTrello(person, { ...order, ...account, trelloUrl: order.trelloUrl });
      await trello.changeBoards();
    }
    if (round === ROUNDS && order.jiraUrl !== null) {
      order.say("connecting Jira; backing up projects");
      jira = await seedJira(person, { ...order, ...account, jiraUrl: order.jiraUrl });
      await jira.changeIssues();
    }
    if (round === ROUNDS && order.notionUrl !== null) {
      order.say("connecting Notion; backing up a workspace");
      notion = await seedNotion(person, { ...order, ...account, notionUrl: order.notionUrl });
      await notion.changePages();
    }
    order.say(`round ${round} of ${ROUNDS}: changing repositories and backing them up`);
    await changeRepositories(order, items, round);
    const roundStart = Date.now();
    await order.makeEverythingDue();
    items = await untilBackedUp(person, order.signal, roundStart, { onlyNew: false });
    await gitlab?.untilBackedUp(roundStart);
    await trello?.untilBackedUp(roundStart);
    await jira?.untilBackedUp(roundStart);
    await notion?.untilBackedUp(roundStart);
  }
  order.say("restoring a version into a new repository");
  await restoreOne(person, order, items);
  await order.spreadPast();
  return { items: items.length, versions: ROUNDS + 1 };
}

/** Signs up and confirms the address with the link from the inbox. Signs in if the account already exists. */
async function signUpOrIn(person: Person, { mailUrl, signal }: SeedOrder): Promise<void> {
  const { name, familyName, email, password } = DEMO_PERSON;
  const signIn = () => person.call("POST", "identity/sign-in", z.unknown(), { email, password });
  const refusal = await refusalOf(signIn());
  if (refusal === null) return;
  // An interrupted seeding left an unconfirmed sign-up.
  if (refusal !== "err.credentials.unconfirmed") {
    const account = { name, family_name: familyName, email, password };
    await person.call("POST", "identity/sign-up", z.unknown(), account);
  }
  const link = await waitForConfirmationLink(mailUrl, email, { signal });
  const chosen = { new_password: password, firstName: name, lastName: familyName };
  await person.call("POST", "identity/complete-sign-up", z.unknown(), { ...link, ...chosen });
  await signIn();
}

/** Waits for a call. Returns the code of a `RefusedError`, or null on success. @throws any other error */
async function refusalOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (cause) {
    if (cause instanceof RefusedError) return cause.code;
    throw cause;
  }
}

async function addPlaces(person: Person): Promise<void> {
  const available = await person.call("GET", `${PLATFORM}/get-available-github-places`, rows);
  if (available.length === 0) return;
  const placesIds = available.map(({ id }) => ({ id }));
  await person.call("POST", `${PLATFORM}/add-places-for-user`, z.unknown(), { placesIds });
}

async function protectRepositories(person: Person): Promise<void> {
  const offered = z.object({
    not_added: z.array(
      z.object({ id: z.string(), node_id: z.string().nullable(), isAdded: z.boolean().optional() }),
    ),
  });
  let room = MOST_ITEMS - (await listItems(person)).length;
  for (const place of await person.call("GET", `${PLATFORM}/get-available-user-places`, rows)) {
    if (room <= 0) return;
    const query = { placeId: place.id, page: "0", perPage: "50" };
    const { not_added } = await person.call(
      "GET",
      `${PLATFORM}/get-available-repos-for-github-user`,
      offered,
      query,
    );
    const reposIds = not_added
      .filter((each) => !each.isAdded)
      .slice(0, room)
      .map(({ id, node_id }) => ({ id, node_id }));
    if (reposIds.length === 0) continue;
    room -= reposIds.length;
    await person.call("POST", `${PLATFORM}/add-github-repos`, z.unknown(), { placeId: place.id, reposIds });
  }
}

function listItems(person: Person): Promise<ItemRow[]> {
  return person.call("GET", `${PLATFORM}/get-user-github-items`, itemRows, { page: "0", perPage: "50" });
}

/** Waits until nothing is running and every item has a backup newer than `since` (or any backup, with `onlyNew`). */
async function untilBackedUp(
  person: Person,
  signal: AbortSignal,
  since: number,
  { onlyNew }: { onlyNew: boolean },
): Promise<ItemRow[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const items = await listItems(person);
    const waiting = items.filter(
      ({ view }) =>
        view.activeRun !== null || view.lastBackupAt === null || (!onlyNew && view.lastBackupAt < since),
    );
    if (items.length > 0 && waiting.length === 0) return items;
    if (Date.now() > deadline) {
      const reasons = waiting.map(
        ({ name, view }) => `${name}${view.lastError ? `: ${view.lastError.text}` : ""}`,
      );
      throw new Error(`These are not backed up after ${PATIENCE_MS / 1000} s: ${reasons.join("; ")}`);
    }
    await pause(500, signal);
  }
}

/** Changes one repository and calls Backup now on it, to get a manual version. */
async function backUpByHand(person: Person, order: SeedOrder, items: readonly ItemRow[]): Promise<void> {
  const [item] = items;
  if (!item) return;
  await addCommits(order, item, 3);
  const since = Date.now();
  try {
    await person.call("POST", `${PLATFORM}/backup-now`, z.unknown(), { repoName: item.view.fullName });
  } catch (cause) {
    // An earlier, interrupted seeding may have used the window.
    if (cause instanceof RefusedError && cause.code === "err.user.backup.limit") return;
    throw cause;
  }
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = (await listItems(person)).find(({ id }) => id === item.id);
    if (now && now.view.activeRun === null && (now.view.lastBackupAt ?? 0) >= since) return;
    if (Date.now() > deadline) throw new Error(`Backup now of ${item.name} has not ended.`);
    await pause(500, order.signal);
  }
}

/** Changes every other repository in alternate rounds, so that some versions equal the previous one. */
async function changeRepositories(order: SeedOrder, items: readonly ItemRow[], round: number): Promise<void> {
  for (const [index, item] of items.entries()) {
    if ((index + round) % 2 === 0) await addCommits(order, item, 1 + ((index + round) % 4));
  }
}

async function addCommits({ githubUrl, signal }: SeedOrder, item: ItemRow, count: number): Promise<void> {
  const answer = await fetch(`${githubUrl}/__sim/github/repos/${item.view.fullName}/commits`, {
    method: "POST",
    body: JSON.stringify({ count }),
    signal,
  });
  await answer.arrayBuffer();
}

async function restoreOne(person: Person, { signal }: SeedOrder, items: readonly ItemRow[]): Promise<void> {
  const history = z.array(
    z.object({
      type: z.string(),
      status: z.string(),
      versionid: z.string().nullable(),
      canRestore: z.boolean(),
      error_message: z.string().nullish(),
    }),
  );
  const [item] = items;
  if (!item) return;
  const read = () =>
    person.call("POST", "user/get-items-backups", history, { itemId: item.id, page: 0, perPage: 20 });
  const before = await read();
  if (before.some((row) => row.type === "restore")) return;
  const oldest = before.filter((row) => row.canRestore && row.versionid !== null).at(-1);
  if (!oldest) throw new Error(`${item.name} has no version that can be restored.`);
  await person.call("POST", `${PLATFORM}/restore-repos`, z.unknown(), {
    items: [{ id: item.id, versionid: oldest.versionid, name: `${item.name}-restored` }],
    emails: DEMO_PERSON.email,
  });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const restore = (await read()).find((row) => row.type === "restore");
    if (restore?.status === "success") return;
    if (restore?.status === "failed") throw new Error(`The restore failed: ${restore.error_message}`);
    if (Date.now() > deadline) throw new Error("The restore has not ended.");
    await pause(500, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise((settle) => setTimeout(settle, ms));
  signal.throwIfAborted();
}

import { type APIResponse, expect, type Locator, type Page } from "@playwright/test";
import type { ItemView } from "#core/inventory/views.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { type JourneyPerson, personOf } from "./person.ts";
import { APP_URL, JIRA_URL, JOB_MS, NOTION_URL } from "./stack.ts";

export const GITHUB_LIST = "/platform/dashboard/github";
export const GITLAB_LIST = "/platform/dashboard/gitlab";
export const TRELLO_LIST = "/platform/dashboard/trello";
export const JIRA_LIST = "/platform/dashboard/jira";
export const NOTION_LIST = "/platform/dashboard/notion";

/** Connects a GitHub account without the wizard and the consent page. The page stays where it is. */
export const connect = (page: Page, { login = "nora-lindqvist" }: { login?: string } = {}): Promise<void> =>
  connectPast(page, { path: "github/connect-url", login, list: GITHUB_LIST });

/** Connects a GitLab account without the wizard and the consent page. The page stays where it is. */
export const connectGitlab = (page: Page): Promise<void> =>
  connectPast(page, { path: "gitlab/add-gitlab-user", login: "nora-lindqvist", list: GITLAB_LIST });

/** Connects a Trello account without the wizard and the token page. The page stays where it is. */
export const connectTrello = (page: Page, login = "nora_lindqvist"): Promise<void> =>
  connectPast(page, { path: "trello/login-trello", login, list: TRELLO_LIST });

/** Connects a person's site of Jira without the wizard and the consent page. The page stays where it is. */
export async function connectJira(page: Page, login = "nora@meridian.example"): Promise<void> {
  const answer = await page.request.get(`${JIRA_URL}/__sim/jira/sites`);
  const { sites } = (await answer.json()) as { sites: { cloudId: string; slug: string }[] };
  const site = sites.find(({ slug }) => slug === "meridian")?.cloudId ?? "";
  await connectPast(page, { path: "jira/add-jira-user", login, list: JIRA_LIST, more: { site } });
}

/** Connects a person's workspace of Notion without the wizard and the consent pages. The page stays where it is. */
export async function connectNotion(
  page: Page,
  { login, workspace, pages }: { login: string; workspace: string; pages: readonly string[] },
): Promise<void> {
  const answer = await page.request.get(`${NOTION_URL}/__sim/notion/workspaces`);
  const { workspaces } = (await answer.json()) as { workspaces: { id: string; name: string }[] };
  const place = `${login} ${workspaces.find(({ name }) => name === workspace)?.id}`;
  const order = { path: "notion/auth-url", list: NOTION_LIST };
  await connectPast(page, { ...order, more: { place }, pages, decision: "allow" });
}

/**
 * Sends the requests between the wizard and the list: gets the consent page's address, submits its form, and follows
 * the redirect. Uses the page's session and cookies.
 */
async function connectPast(
  page: Page,
  order: {
    path: string;
    /** Who consents, where a field of the form says so. */
    login?: string;
    list: string;
    more?: Record<string, string>;
    /** Ids of the pages that are picked, where the consent page lets one pick. */
    pages?: readonly string[];
    /** What the button that accepts sends. */
    decision?: string;
  },
): Promise<void> {
  const { url } = await personOf(page, "").call<{ url: string }>("GET", order.path, { region: "DE" });
  const { origin, pathname, searchParams } = new URL(url);
  const form = new URLSearchParams({
    ...Object.fromEntries(searchParams),
    ...(order.login === undefined ? {} : { login: order.login }),
    ...order.more,
    decision: order.decision ?? "authorize",
  });
  for (const id of order.pages ?? []) form.append("page", id);
  const consented = await page.request.post(origin + pathname, {
    headers: { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" },
    data: form.toString(),
    maxRedirects: 0,
  });
  const back = new URL(consented.headers().location ?? "", origin);
  const arrived = await follow(page, back);
  expect(arrived.headers().location, await arrived.text()).toBe(order.list);
}

/** The response to the redirect from a platform. A token in the fragment is submitted as our callback page does. */
function follow(page: Page, back: URL): Promise<APIResponse> {
  const token = new URLSearchParams(back.hash.slice(1)).get("token");
  if (token === null) return page.request.get(back.href, { maxRedirects: 0 });
  const form = { state: back.searchParams.get("state") ?? "", code: token };
  const target = back.pathname.replace(/^\/(\w+)-approve-hidden$/, "/connect/$1/callback");
  return page.request.post(target, { headers: { Origin: APP_URL }, form, maxRedirects: 0 });
}

type WireRow = { view: ItemView };

/** The protected repositories, from the API. */
export async function itemsOf(person: JourneyPerson, placeId?: string): Promise<ItemView[]> {
  const rows = await person.call<WireRow[]>("GET", "github/get-user-github-items", {
    page: "0",
    perPage: "100",
    ...(placeId ? { placeId } : {}),
  });
  return rows.map(({ view }) => view);
}

/** The id of an added place. */
export async function placeOf(person: JourneyPerson, name: string): Promise<string> {
  const places = await person.call<{ id: string; name: string }[]>("GET", "github/get-available-user-places");
  const place = places.find((each) => each.name === name);
  if (!place)
    throw new Error(`There is no place ${name} among ${places.map((each) => each.name).join(", ")}.`);
  return place.id;
}

/** Protects repositories of one owner without the dialog. */
export async function addRepositories(
  person: JourneyPerson,
  owner: string,
  names: readonly string[],
): Promise<void> {
  const placeId = await placeOf(person, owner);
  const reposIds: { id: string; node_id: string }[] = [];
  for (const name of names) {
    const { not_added } = await person.call<{ not_added: { id: string; node_id: string; name: string }[] }>(
      "GET",
      "github/get-available-repos-for-github-user",
      { page: "0", perPage: "20", placeId, name },
    );
    const found = not_added.find((each) => each.name === name);
    if (!found) throw new Error(`GitHub offers no ${owner}/${name}.`);
    reposIds.push({ id: found.id, node_id: found.node_id });
  }
  await person.call("POST", "github/add-github-repos", { placeId, reposIds });
}

/** Waits until an item has a version that `isGood` accepts and no active run. */
export async function waitForBackup(
  person: JourneyPerson,
  name: string,
  isGood: (item: ItemView) => boolean = (item) => item.lastBackupAt !== null,
): Promise<ItemView> {
  let found: ItemView | undefined;
  await expect
    .poll(
      async () => {
        found = (await itemsOf(person)).find((item) => item.name === name);
        return found !== undefined && found.activeRun === null && isGood(found);
      },
      { timeout: JOB_MS, intervals: [300, 500, 1000] },
    )
    .toBe(true);
  if (!found) throw new Error(`There is no item ${name}.`);
  return found;
}

/** The message in a frame of the live connection. Null for other frames, e.g. the response to a heartbeat. */
export function messageOf(frame: string | Buffer): { seq?: number; event?: LiveEvent } | null {
  const text = frame.toString();
  return text.startsWith("{") ? (JSON.parse(text) as { seq?: number; event?: LiveEvent }) : null;
}

/** Returns a function that sends live events to the page as the server does. Call it before the page opens. */
export async function voiceOf(page: Page): Promise<(event: LiveEvent) => void> {
  let say: (event: LiveEvent) => void = () => {};
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    let last = 0;
    socket.connectToServer().onMessage((message) => {
      last = messageOf(message)?.seq ?? last;
      socket.send(message);
    });
    say = (event) => socket.send(JSON.stringify({ seq: ++last, event }));
  });
  return (event) => say(event);
}

/** The row of an item in the list. */
export function rowOf(page: Page, name: string): Locator {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
}

/** The address of an item's versions. */
export function historyUrl(item: Pick<ItemView, "id" | "name">, more: Record<string, string> = {}): string {
  return `/platform/backups/github?${new URLSearchParams({ name: item.name, id: item.id, ...more })}`;
}

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { ItemView } from "#core/inventory/views.ts";
import { expect, test } from "./fixtures.ts";
import { atGitlab } from "./outside.ts";
import type { JourneyPerson } from "./person.ts";
import { GITLAB_URL, JOB_MS } from "./stack.ts";
import { connectGitlab, GITLAB_LIST, rowOf } from "./steps.ts";

const SNIPPETS = `${GITLAB_LIST}?kind=snippet`;
const OWNER = "nora-lindqvist";

/** The two item kinds: their words, list pages and API paths. */
const KINDS = {
  project: {
    one: "project",
    many: "projects",
    list: GITLAB_LIST,
    reads: "get-user-gitlab-projects",
    restores: "restore-projects",
    zips: "gitlab-get-gzip",
  },
  snippet: {
    one: "snippet",
    many: "snippets",
    list: SNIPPETS,
    reads: "get-user-gitlab-snippets",
    restores: "restore-gitlab-snippets",
    zips: "gitlab-snippet-get-zip",
  },
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

/** The protected item with this name, from the API. Undefined when there is none. */
async function itemOf(person: JourneyPerson, { reads }: Kind, name: string): Promise<ItemView | undefined> {
  const rows = await person.call<{ view: ItemView }[]>("GET", `gitlab/${reads}`, { name });
  return rows[0]?.view;
}

/** Waits until the item has a backup after `since` and no active run. */
async function settled(person: JourneyPerson, kind: Kind, name: string, since = 0): Promise<void> {
  const isSettled = async () => {
    const item = await itemOf(person, kind, name);
    return item !== undefined && item.activeRun === null && (item.lastBackupAt ?? -1) >= since;
  };
  await expect.poll(isSettled, { timeout: JOB_MS, intervals: [250] }).toBe(true);
}

/** Names of the projects, or titles of the snippets, currently at GitLab. */
async function atGitlabNow({ one }: Kind): Promise<string[]> {
  const { token } = await atGitlab<{ token: string }>("token", { login: OWNER });
  const path = one === "project" ? "projects?owned=true&per_page=100" : "snippets?per_page=100";
  const answer = await fetch(`${GITLAB_URL}/api/v4/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { name?: string; title?: string }[]).map(
    ({ name, title }) => name ?? title ?? "",
  );
}

async function chooseKind(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^Place: .* ${from}$`) }).click();
  await page.getByRole("menuitemradio", { name: new RegExp(to) }).click();
}

/** Adds items in the dialog. The page itself offers the first ones of an account. */
async function add(page: Page, { one, many }: Kind, names: readonly string[], part: string): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: new RegExp(`^(Choose others|Add ${many})$`) })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: `Add ${many}` });
  await dialog.getByRole("textbox").fill(part);
  for (const name of names) await dialog.getByRole("checkbox", { name: new RegExp(name) }).check();
  await dialog
    .getByRole("button", { name: `Add ${names.length} ${names.length === 1 ? one : many}` })
    .click();
  for (const name of names) await expect(rowOf(page, name)).toBeVisible();
}

/** Searches the list. Expects one request, a second after the last key. */
async function search(page: Page, { list, many, reads }: Kind, name: string): Promise<void> {
  await page.clock.install();
  await page.goto(list);
  const box = page.getByRole("textbox", { name: `Search ${many}` });
  const asked: string[] = [];
  page.on("request", (request) => {
    // A list with active runs also reloads by itself, without a name.
    const isSearch = new URL(request.url()).searchParams.has("name");
    if (isSearch && request.url().includes(`/api/gitlab/${reads}`)) asked.push(request.url());
  });
  await page.clock.pauseAt(Date.now() + 30_000);
  await box.pressSequentially(name.slice(0, 8));
  await page.clock.runFor(990);
  expect(asked).toEqual([]);
  await page.clock.runFor(20);
  await page.clock.resume();
  await expect.poll(() => asked.length).toBe(1);
  expect(new URL(asked[0] ?? "").searchParams.get("name")).toBe(name.slice(0, 8));
  await expect(rowOf(page, name)).toBeVisible();
}

/** Opens the history, requests a ZIP and restores under a new name, using the paths of the kind. */
async function viewAndRestore(page: Page, { one, restores, zips }: Kind, name: string): Promise<void> {
  await page.getByRole("link", { name: `View ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  expect(new URL(page.url()).searchParams.get("type")).toBe(one === "snippet" ? "sub" : null);
  await expect(page.getByRole("columnheader", { name: "Size", exact: true })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Incremental size" })).toHaveCount(0);

  await test.step(`[P-028] a ${one} is downloaded and restored by its own calls`, async () => {
    const zip = page.waitForResponse((response) => response.url().endsWith(`/api/gitlab/${zips}`));
    await page
      .getByRole("button", { name: /^Request ZIP/ })
      .first()
      .click();
    expect((await zip).status()).toBe(200);

    await page.getByRole("button", { name: "Restore latest good" }).first().click();
    const dialog = page.getByRole("dialog", { name: `Restore ${name}` });
    await dialog.getByRole("textbox", { name: "New name" }).fill(`${name}-again`);
    const restore = page.waitForRequest((request) => request.url().endsWith(`/api/gitlab/${restores}`));
    await dialog.getByRole("button", { name: /^Restore into/ }).click();
    await restore;
    await expect(page.getByText("Your restore is now in process", { exact: true })).toBeVisible();
  });
}

async function backUpNow(page: Page, { list }: Kind): Promise<void> {
  await page.goto(list);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Backup now/ })
    .first()
    .click();
  await expect(page.getByText(/^Backup of \d+ \w+ (is|are) queued/)).toBeVisible();
}

async function remove(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${name}` });
  await dialog.getByRole("textbox").fill(name);
  await dialog.getByRole("button", { name: "Delete" }).click();
  // An open dialog hides the rows, so it must close first.
  await expect(dialog).toHaveCount(0);
  await expect(rowOf(page, name)).toHaveCount(0);
}

test("[P-077] [P-078] [P-096] GitLab's projects and snippets are selected, searched, browsed, restored, backed up and deleted", async ({
  page,
  person,
}) => {
  const mark = randomUUID().slice(0, 6);
  const project = `crane-${mark}`;
  const snippet = `notes-${mark}`;
  const snippets = [snippet, `tariff-${mark}`];
  const { id } = await atGitlab<{ id: number }>("projects", { path: `${OWNER}/${project}` });
  await atGitlab(`projects/${id}/commits`, { count: 2 });
  for (const title of snippets) {
    await atGitlab("snippets", { login: OWNER, title, files: [{ path: "a.md", content: "# A\n" }] });
  }
  await connectGitlab(page);

  await test.step("[P-007] without a stored choice, a URL with a kind leads to the plain list", async () => {
    await page.goto(`${GITLAB_LIST}?id=snippet`);
    await page.waitForURL((url) => url.pathname === GITLAB_LIST && url.search === "");
  });
  await add(page, KINDS.project, [project], mark);
  await test.step("[P-006] the choice of snippets is stored", async () => {
    await chooseKind(page, "Projects", "Snippets");
    expect(await page.evaluate(() => localStorage.getItem("gitlabType"))).toBe("snippet");
    await page.goto(GITLAB_LIST);
    await page.waitForURL(`**${SNIPPETS}`);
  });
  await add(page, KINDS.snippet, snippets, mark);
  await settled(person, KINDS.project, project);
  for (const title of snippets) await settled(person, KINDS.snippet, title);

  await test.step("[P-038] [P-119] the bulk restore of snippets links back to the snippets", async () => {
    for (const title of snippets) await rowOf(page, title).getByRole("checkbox").check();
    await page.getByRole("toolbar").getByRole("button", { name: "Restore" }).click();
    await expect(page).toHaveURL(/\/bulk-restore$/);
    expect(await page.evaluate(() => localStorage.getItem("gitlabType"))).toBe("snippet");
    await page.getByRole("link", { name: "Back to All Snippets" }).click();
    await page.waitForURL(`**${SNIPPETS}`);
  });
  await search(page, KINDS.snippet, snippet);
  await viewAndRestore(page, KINDS.snippet, snippet);
  await page.evaluate(() => localStorage.setItem("gitlabType", "project"));
  await search(page, KINDS.project, project);
  await viewAndRestore(page, KINDS.project, project);

  for (const [kind, name] of [
    [KINDS.snippet, snippet],
    [KINDS.project, project],
  ] as const) {
    await settled(person, kind, name);
    await expect.poll(() => atGitlabNow(kind)).toContain(`${name}-again`);
    const since = Date.now();
    await backUpNow(page, kind);
    await settled(person, kind, name, since);
    await remove(page, name);
    expect(await itemOf(person, kind, name)).toBeUndefined();
  }
});

test("a project of a group is found by its group, and is restored to a chosen group", async ({
  page,
  person,
}) => {
  const mark = randomUUID().slice(0, 6);
  const name = `dock-${mark}`;
  const { id } = await atGitlab<{ id: number }>("projects", { path: `harbour-works/${name}` });
  await atGitlab(`projects/${id}/commits`, { count: 2 });
  await openIssue(id, 3);
  await connectGitlab(page);
  await page.goto(GITLAB_LIST);

  // The page with the first items has a filter as well. The dialog finds the rest.
  const main = page.getByRole("main");
  await main.getByRole("combobox", { name: "Place" }).selectOption({ label: "harbour-works" });
  await expect(main.getByRole("checkbox", { name: new RegExp(name) })).toBeVisible();
  await main.getByRole("button", { name: "Choose others" }).click();
  const adding = page.getByRole("dialog", { name: "Add projects" });
  await adding.getByRole("combobox", { name: "Place" }).selectOption({ label: "meridian-freight" });
  await expect(adding.getByRole("list").getByText("meridian-freight/docks").first()).toBeVisible();
  await expect(adding.getByRole("checkbox", { name: new RegExp(name) })).toHaveCount(0);
  await adding.getByRole("combobox", { name: "Place" }).selectOption({ label: "harbour-works" });
  await adding.getByRole("checkbox", { name: new RegExp(name) }).check();
  await adding.getByRole("button", { name: "Add 1 project" }).click();
  await settled(person, KINDS.project, name);

  await page.reload();
  await page.getByRole("link", { name: `View ${name}` }).click();
  await page.getByRole("button", { name: "Restore latest good" }).first().click();
  const dialog = page.getByRole("dialog", { name: `Restore ${name}` });
  const place = dialog.getByRole("combobox", { name: "Place" });
  await expect(place.locator("option:checked")).toHaveText("nora-lindqvist (personal account)");
  await place.selectOption({ label: "harbour-works (group)" });
  await expect(dialog.getByText("You are a maintainer of this group, not an owner")).toBeVisible();
  const plan = dialog.getByRole("complementary");
  for (const line of ["Numbers of issues", "Dates of issues"])
    await expect(plan.getByText(line)).toBeVisible();
  await place.selectOption({ label: "meridian-freight (group)" });
  await expect(plan.getByText("Seen by the members of meridian-freight")).toBeVisible();
  await expect(plan.getByText("Numbers of issues")).toHaveCount(0);
  await dialog.getByRole("textbox", { name: "New name" }).fill(`${name}-again`);
  await dialog.getByRole("button", { name: /^Restore into/ }).click();
  await expect(page.getByText("Your restore is now in process")).toBeVisible();
  await settled(person, KINDS.project, name);
  const answer = await fetch(
    `${GITLAB_URL}/api/v4/projects/${encodeURIComponent(`meridian-freight/${name}-again`)}/issues`,
    {
      headers: {
        authorization: `Bearer ${(await atGitlab<{ token: string }>("token", { login: OWNER })).token}`,
      },
    },
  );
  expect(((await answer.json()) as { iid: number }[]).map(({ iid }) => iid)).toEqual([3]);
});

/** Opens an issue with a given number, as an administrator may. */
async function openIssue(projectId: number, iid: number): Promise<void> {
  const { token } = await atGitlab<{ token: string }>("token", { login: "ivo.petrov" });
  const answer = await fetch(`${GITLAB_URL}/api/v4/projects/${projectId}/issues`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ iid, title: "It squeaks" }),
  });
  expect(answer.status).toBe(201);
}

import { expect, type Locator, type Page } from "@playwright/test";
import type { ItemView } from "#core/inventory/views.ts";
import type { JourneyPerson } from "./person.ts";
import { GITHUB_URL, GITLAB_URL, TRELLO_URL } from "./stack.ts";

export const GITHUB_LIST = "/platform/dashboard/github";
export const GITLAB_LIST = "/platform/dashboard/gitlab";
export const TRELLO_LIST = "/platform/dashboard/trello";

/** Goes through the wizard and GitHub's consent page, and ends in the list of repositories. */
export async function connect(page: Page, options: { region?: string; login?: string } = {}): Promise<void> {
  await page.goto("/app-connector?platform=github");
  await page.getByRole("radio", { name: options.region ?? "Europe, Germany" }).check();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("button", { name: "Authorize GitHub" }).click();
  await page.waitForURL(`${GITHUB_URL}/login/oauth/authorize**`);
  await page.locator(`input[name="login"][value="${options.login ?? "nora-lindqvist"}"]`).check();
  await page.getByRole("button", { name: /^Authorize/ }).click();
  await page.waitForURL(`**${GITHUB_LIST}**`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("GitHub");
}

/** Goes on GitLab's consent page as somebody. */
async function consentAtGitlab(page: Page, login: string): Promise<void> {
  await page.waitForURL(`${GITLAB_URL}/oauth/authorize**`);
  await page.locator(`input[name="login"][value="${login}"]`).check();
  await page.getByRole("button", { name: /^Authorize/ }).click();
}

/** Goes through the wizard and GitLab's consent page, and ends in the list of projects. */
export async function connectGitlab(page: Page): Promise<void> {
  await page.goto("/app-connector?platform=gitlab");
  await page.getByRole("radio", { name: "Europe, Germany" }).check();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("button", { name: "Authorize GitLab" }).click();
  await consentAtGitlab(page, "nora-lindqvist");
  await page.waitForURL(`**${GITLAB_LIST}**`);
}

/** Goes through the wizard and Trello's consent page, and ends in the list of boards. */
export async function connectTrello(page: Page): Promise<void> {
  await page.goto("/app-connector?platform=trello");
  await page.getByRole("radio", { name: "Europe, Germany" }).check();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("button", { name: "Authorize Trello" }).click();
  await page.waitForURL(`${TRELLO_URL}/**`);
  await page.locator('input[name="login"][value="nora_lindqvist"]').check();
  await page.locator('button[value="authorize"]').click();
  await page.waitForURL(`**${TRELLO_LIST}**`);
}

type WireRow = { view: ItemView };

/** The protected repositories, by the API. */
export async function itemsOf(person: JourneyPerson, placeId?: string): Promise<ItemView[]> {
  const rows = await person.call<WireRow[]>("GET", "github/get-user-github-items", {
    page: "0",
    perPage: "100",
    ...(placeId ? { placeId } : {}),
  });
  return rows.map(({ view }) => view);
}

/** Id of an added place by its name. */
export async function placeOf(person: JourneyPerson, name: string): Promise<string> {
  const places = await person.call<{ id: string; name: string }[]>("GET", "github/get-available-user-places");
  const place = places.find((each) => each.name === name);
  if (!place)
    throw new Error(`There is no place ${name} among ${places.map((each) => each.name).join(", ")}.`);
  return place.id;
}

/** Protects repositories of one owner past the dialog. */
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

/** Waits until an item has a version that `isGood` accepts and nothing runs for it. */
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
      { timeout: 60_000, intervals: [300, 500, 1000] },
    )
    .toBe(true);
  if (!found) throw new Error(`There is no item ${name}.`);
  return found;
}

/** The row of an item in the list. */
export function rowOf(page: Page, name: string): Locator {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
}

/** The address of an item's versions. */
export function historyUrl(item: Pick<ItemView, "id" | "name">, more: Record<string, string> = {}): string {
  return `/platform/backups/github?${new URLSearchParams({ name: item.name, id: item.id, ...more })}`;
}

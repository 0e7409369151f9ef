import { randomUUID } from "node:crypto";
import type { Browser, Locator, Page } from "@playwright/test";
import type { ItemView } from "#core/inventory/views.ts";
import { expect } from "./fixtures.ts";
import { atNotion, mailsTo } from "./outside.ts";
import { freshEmail, type JourneyPerson, PASSWORD, personOf } from "./person.ts";
import { APP_URL, JOB_MS, NOTION_URL } from "./stack.ts";
import { NOTION_LIST } from "./steps.ts";

/** A workspace at the simulated Notion that only one journey uses, and its people. */
export type Depot = {
  mark: string;
  workspace: string;
  workspaceId: string;
  /** A person of the workspace, with all her pages. */
  owner: { login: string; name: string };
  /** Another person of the workspace, whose name and address are longer than the screens show. */
  second: { login: string; name: string; email: string };
  /** Ids of the pages at the top. */
  handbook: string;
  plans: string;
  notes: string;
};

/**
 * Makes a workspace with a handbook (a text, a fleet table and a page below), plans and notes. It is small, because the
 * product sends Notion three requests a second.
 *
 * @param isRich the table has layouts, files and each kind of property; otherwise it has one row
 */
export async function makeDepot({ isRich = false } = {}): Promise<Depot> {
  const mark = randomUUID().slice(0, 6);
  const workspace = `Depot ${mark}`;
  const owner = { login: `ines-${mark}`, name: `Ines ${mark}` };
  const second = {
    login: `max-${mark}`,
    name: `Maximiliane Wolkenstein ${mark}`,
    email: `maximiliane.${mark}@wolkenstein.example`,
  };
  const people = (person: object) =>
    atNotion<{ workspaceIds: string[] }>("people", { ...person, workspaces: [workspace] });
  const [workspaceId = ""] = (await people({ ...owner, email: `ines.${mark}@depot.example` })).workspaceIds;
  await people(second);
  const made = async (order: object) => {
    return (await atNotion<{ id: string }>("pages", { login: owner.login, workspace, ...order })).id;
  };
  const handbook = await made({
    ...{ title: "Operations handbook", text: "What happens before a lorry leaves." },
    ...(isRich && { content: "table" }),
  });
  if (!isRich)
    await atNotion("tables", { login: owner.login, parentId: handbook, title: "Fleet", rows: ["Lorry 7"] });
  await made({ parentId: handbook, title: "Leipzig, night shift", text: "Belt 4 is for returns only." });
  const plans = await made({ title: "Plans", text: "What we want to get done." });
  await made({ parentId: plans, title: "A yard without puddles", text: "Drains first." });
  const notes = await made({ title: "Private notes", text: "Nobody else reads this." });
  return { mark, workspace, workspaceId, owner, second, handbook, plans, notes };
}

/** Adds a page to the handbook, and edits the plans. */
export async function changePages({ owner: { login }, handbook, plans }: Depot): Promise<void> {
  const added = { login, parentId: handbook, title: "Winter tyres", text: "On by November." };
  await atNotion("pages", added);
  await atNotion(`pages/${plans}/edit`, { login, text: "What we got done." });
}

/** Signs in on the consent page, picks the pages with these titles and allows access. */
export async function consentAs(
  page: Page,
  { workspaceId }: Pick<Depot, "workspaceId">,
  login: string,
  titles: readonly string[],
): Promise<void> {
  await page.waitForURL(`${NOTION_URL}/v1/oauth/authorize**`);
  await page.locator(`input[name="place"][value="${login} ${workspaceId}"]`).check();
  await page.getByRole("button", { name: "Select pages" }).click();
  for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
  for (const title of titles) await page.getByRole("checkbox", { name: title }).check();
  await page.getByRole("button", { name: "Allow access" }).click();
}

/** The protected workspaces, of one owner if it is named. */
async function workspacesOf(person: JourneyPerson, ownerId?: string): Promise<ItemView[]> {
  const rows = await person.call<{ view: ItemView }[]>("GET", "notion/get-user-workspaces", {
    ...(ownerId === undefined ? {} : { ownerId }),
  });
  return rows.map(({ view }) => view);
}

/** Waits until the workspace has this many versions and no active run. */
export async function settled(
  person: JourneyPerson,
  name: string,
  { versions = 1, ownerId }: { versions?: number; ownerId?: string } = {},
): Promise<ItemView> {
  let found: ItemView | undefined;
  const isSettled = async () => {
    found = (await workspacesOf(person, ownerId)).find((each) => each.name === name);
    if (found?.lastError) throw new Error(found.lastError.text);
    return found !== undefined && found.activeRun === null && found.versionCount >= versions;
  };
  await expect.poll(isSettled, { timeout: JOB_MS, intervals: [300] }).toBe(true);
  if (!found) throw new Error(`There is no workspace ${name}.`);
  return found;
}

/** The versions of a workspace. */
export function historyOf({ id, name }: Pick<ItemView, "id" | "name">): string {
  return `/platform/backups/notion?${new URLSearchParams({ id, name })}`;
}

/** Opens the newest version from the list of versions. */
export async function openNewest(page: Page, item: ItemView): Promise<void> {
  await page.goto(historyOf(item));
  await page
    .getByRole("link", { name: /^Open the version of/ })
    .first()
    .click();
  await page.waitForURL("**/version/**");
}

/** Opens View scope of the newest version. */
export async function openScope(page: Page): Promise<Locator> {
  await page
    .getByRole("button", { name: /^View scope/ })
    .first()
    .click();
  return page.getByRole("dialog", { name: "Backup scope" });
}

/** Presses Backup now on the list. */
export async function backUpNow(page: Page): Promise<void> {
  await page.goto(NOTION_LIST);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Backup now/ })
    .first()
    .click();
  await expect(page.getByText(/^Backup of 1 workspace is queued/)).toBeVisible();
}

/** The page of a colleague with read and write access to Notion, in a separate browser. */
export async function colleagueOf(person: JourneyPerson, browser: Browser): Promise<Page> {
  await person.call("PUT", "user/account-type", { account_type: "Organization" });
  await person.call("POST", "user/organization/name", { organization_name: "Depot" });
  const email = freshEmail();
  await person.call("POST", "user/organization-user", { email, roles: ["organization_notion_admin"] });
  await expect.poll(async () => (await mailsTo(email)).length).toBeGreaterThan(0);
  const [mail] = await mailsTo(email);
  const link = new URL(/https?:\/\/\S+\/invite\?\S+/.exec(mail?.text ?? "")?.[0] ?? "");
  const theirs = await (await browser.newContext({ baseURL: APP_URL })).newPage();
  await personOf(theirs, email).call("POST", "identity/complete-invitation", {
    ...{ email, confirmation_code: link.searchParams.get("code"), new_password: PASSWORD },
    ...{ firstName: "Jide", lastName: "Okafor" },
  });
  await personOf(theirs, email).call("POST", "identity/sign-in", { email, password: PASSWORD });
  return theirs;
}

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { unzipSync } from "fflate";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { buyConfirmed } from "./checkout-steps.ts";
import { expect, test } from "./fixtures.ts";
import { faultsOf } from "./looks.ts";
import { makeDepot } from "./notion-steps.ts";
import { atGitlab, atJira, atTrello } from "./outside.ts";
import type { JourneyPerson } from "./person.ts";
import { rawWords } from "./raw-words.ts";
import { createBranchedRepository, OWNER } from "./repositories.ts";
import { JOB_MS } from "./stack.ts";
import { connect, connectGitlab, connectJira, connectNotion, connectTrello, rowOf } from "./steps.ts";
import { walkPages } from "./walk-pages.ts";

test.describe.configure({ mode: "parallel" });

/** How a platform's item is made there and connected here. All the rest is the same for each platform. */
type Platform = {
  id: string;
  label: string;
  many: string;
  /** The call that lists the protected items. */
  lists: string;
  /** The target to choose in the dialog of a restore, where there are several. */
  target?: string;
  /** Makes an item at the platform and connects its account. Returns the item's name. */
  connect: (page: Page) => Promise<string>;
};

/** The pages that are no platform's. */
const PAGES = [
  ...[
    "/",
    "/runs",
    "/audit",
    "/subscriptions",
    "/payment-history",
    "/checkout",
    "/app-connector",
    "/contact",
  ],
  ...["/settings", "/settings/security", "/settings/payment", "/settings/storage", "/settings/reporting"],
];

const mark = () => randomUUID().slice(0, 6);

const PLATFORMS: readonly Platform[] = [
  {
    ...{ id: "github", label: "GitHub", many: "repositories", lists: "get-user-github-items" },
    async connect(page) {
      const name = `quay-${mark()}`;
      await createBranchedRepository(name);
      await connect(page);
      return name;
    },
  },
  {
    ...{ id: "gitlab", label: "GitLab", many: "projects", lists: "get-user-gitlab-projects" },
    async connect(page) {
      const name = `quay-${mark()}`;
      const { id } = await atGitlab<{ id: number }>("projects", { path: `${OWNER}/${name}` });
      await atGitlab(`projects/${id}/commits`, { count: 2 });
      await connectGitlab(page);
      return name;
    },
  },
  {
    ...{ id: "trello", label: "Trello", many: "boards", lists: "get-user-trello-boards" },
    async connect(page) {
      const name = `Quay ${mark()}`;
      await atTrello("boards", { name });
      await connectTrello(page);
      return name;
    },
  },
  {
    ...{ id: "jira", label: "Jira", many: "projects", lists: "get-user-jira-projects" },
    target: "A new project",
    async connect(page) {
      const own = mark();
      const login = `ida.${own}@meridian.example`;
      const [name, key] = [`Quay ${own}`, `Q${own.toUpperCase()}`];
      await atJira("people", { email: login, displayName: `Ida ${own}` });
      await atJira("sites/meridian/members", { login, role: "admin" });
      await atJira("sites/meridian/projects", { login, key, name, template: "kanban" });
      await atJira(`sites/meridian/projects/${key}/issues`, { login, summary: "Timber to Rostock" });
      await connectJira(page, login);
      return name;
    },
  },
  {
    ...{ id: "notion", label: "Notion", many: "workspaces", lists: "get-user-workspaces" },
    async connect(page) {
      const { owner, workspace, handbook, plans } = await makeDepot();
      await connectNotion(page, { login: owner.login, workspace, pages: [handbook, plans] });
      return workspace;
    },
  },
];

const listOf = ({ id }: Platform) => `/platform/dashboard/${id}`;

/** Protects the item, in the dialog or, where an account is one item, with its button. */
async function protect(page: Page, platform: Platform, name: string): Promise<void> {
  await page.goto(listOf(platform));
  const main = page.getByRole("main");
  const adding = main.getByRole("button", { name: new RegExp(`^(Choose others|Add ${platform.many})$`) });
  const own = main.getByRole("button", { name: "Back up this one now" });
  await expect(adding.or(own).first()).toBeVisible();
  if (platform.id === "notion") await own.click();
  else {
    await adding.first().click();
    const dialog = page.getByRole("dialog", { name: `Add ${platform.many}` });
    await dialog.getByRole("textbox").fill(name);
    await dialog.getByRole("checkbox", { name: new RegExp(name) }).check();
    await dialog.getByRole("button", { name: /^Add 1 / }).click();
  }
  await expect(rowOf(page, name)).toBeVisible();
}

/** Waits until the item has a version and no active run. */
async function settled(person: JourneyPerson, { id, lists }: Platform, name: string): Promise<ItemView> {
  let found: ItemView | undefined;
  const isSettled = async () => {
    const rows = await person.call<{ view: ItemView }[]>("GET", `${id}/${lists}`, { name });
    found = rows.find(({ view }) => view.name === name)?.view;
    if (found?.lastError) throw new Error(found.lastError.text);
    return found !== undefined && found.activeRun === null && found.versionCount > 0;
  };
  await expect.poll(isSettled, { timeout: JOB_MS, intervals: [300] }).toBe(true);
  if (!found) throw new Error(`There is no item ${name}.`);
  return found;
}

async function runsOf(person: JourneyPerson, { id }: ItemView): Promise<HistoryRow[]> {
  const input = { itemId: id, page: 0, perPage: 20 };
  const rows = await person.call<{ view: HistoryRow }[]>("POST", "user/get-items-backups", input);
  return rows.map(({ view }) => view);
}

/** Chooses the first option of every list in a dialog that has no default. */
async function chooseFirst(dialog: Locator): Promise<void> {
  for (const list of await dialog.getByRole("combobox").all()) {
    if ((await list.inputValue()) !== "") continue;
    const options = list.locator('option:not([value=""])');
    await list.selectOption((await options.first().getAttribute("value")) ?? "");
  }
}

for (const platform of PLATFORMS) {
  test(`[A-001] ${platform.label} is backed up, downloaded, restored and paid for in one browser`, async ({
    page,
    person,
  }) => {
    test.slow();
    const name = await platform.connect(page);
    await protect(page, platform, name);
    const item = await settled(person, platform, name);

    await test.step("[A-020] its version is downloaded as a ZIP, which opens", async () => {
      await page.goto(listOf(platform));
      await page.getByRole("link", { name: `View ${name}` }).click();
      await expect(page.getByText(/^verified \d/i).first()).toBeVisible({ timeout: JOB_MS });
      const download = page.waitForEvent("download");
      await page
        .getByRole("button", { name: /^Request ZIP/ })
        .first()
        .click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/\.zip$/);
      const opened = unzipSync(await readFile(await file.path()));
      expect(Object.values(opened).some((bytes) => bytes.length > 1_000)).toBe(true);
    });

    await test.step("it is restored as a new item, and the restore ends well", async () => {
      await page.getByRole("button", { name: "Restore latest good" }).first().click();
      const dialog = page.getByRole("dialog", { name: `Restore ${name}` });
      await expect(dialog).toBeVisible();
      if (platform.target !== undefined)
        await dialog.getByRole("combobox", { name: "Restore into" }).selectOption({ label: platform.target });
      const newName = dialog.getByRole("textbox", { name: "New name" });
      if (await newName.isEnabled()) await newName.fill(`${name}-again`);
      await chooseFirst(dialog);
      await dialog.getByRole("button", { name: /^Restore/ }).click();
      await expect(page.getByText("Your restore is now in process", { exact: true })).toBeVisible();
      const states = async () =>
        (await runsOf(person, item)).filter(({ type }) => type === "restore").map(({ status }) => status);
      await expect.poll(states, { timeout: JOB_MS }).toEqual(["success"]);
    });

    await test.step("a subscription is bought, and is active", () => buyConfirmed(page, platform));
  });
}

/** Connects all platforms and protects an item of each. Returns the items' names by their platforms' ids. */
async function protectAll(page: Page): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const platform of PLATFORMS) {
    const name = await platform.connect(page);
    names.set(platform.id, name);
    await protect(page, platform, name);
  }
  return names;
}

test("all platforms of one organisation stand side by side", async ({ page, person }) => {
  test.slow();
  const names = await protectAll(page);

  await test.step("[A-091] the group Integrations of the sidebar lists the five started platforms", async () => {
    const links = page.getByRole("list", { name: "Integrations" }).getByRole("link");
    await expect(links).toHaveCount(PLATFORMS.length);
    for (const { label } of PLATFORMS) await expect(links.filter({ hasText: label })).toHaveCount(1);
  });

  await test.step("[P-004] the page of each platform lists its own items", async () => {
    for (const platform of PLATFORMS) {
      await page.goto(listOf(platform));
      await expect(page.getByRole("heading", { level: 1 })).toContainText(platform.label);
      for (const [id, name] of names) await expect(rowOf(page, name)).toHaveCount(id === platform.id ? 1 : 0);
    }
  });

  await test.step("[B-233] the trial statuses of all five are read by one call", async () => {
    const statuses = await person.call<Record<string, unknown>>(
      "GET",
      "payments/get-platforms-trial-statuses",
    );
    for (const { id } of PLATFORMS) expect(statuses[id], id).toMatchObject({ trialStatus: "active" });
  });
});

test("no page of any platform shows a field, a time or a value as programs write them, or looks wrong", async ({
  page,
  person,
}) => {
  test.slow();
  if (isDeep()) test.setTimeout(5_400_000);
  const names = await protectAll(page);
  const given = ["nora_lindqvist", "asa_nystrom"];
  // The full name of a board ends with letters that Trello draws by lot.
  for (const platform of PLATFORMS) {
    const { name, fullName } = await settled(person, platform, names.get(platform.id) ?? "");
    given.push(fullName, name);
  }
  const starts = [
    ...PAGES,
    ...PLATFORMS.flatMap((platform) => [listOf(platform), `/platform/coverage/${platform.id}`]),
  ];
  const { opened, faults } = await walkPages(page, starts, async (path) => [
    ...(await rawWords(page, given)),
    ...(isDeep() ? await faultsOf(page, path) : []),
  ]);
  expect(faults).toEqual([]);
  // The histories and versions of all platforms are among them.
  expect(opened).toBeGreaterThan(starts.length + 2 * PLATFORMS.length);
});

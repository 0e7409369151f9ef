import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { ItemView } from "#core/inventory/views.ts";
import { expect, test } from "./fixtures.ts";
import { atJira } from "./outside.ts";
import type { JourneyPerson } from "./person.ts";
import { JIRA_URL, JOB_MS, sell } from "./stack.ts";
import { connect, connectJira, GITHUB_LIST, JIRA_LIST, rowOf } from "./steps.ts";

/** Accepts on the consent page, for the site of this name. */
async function consentAs(page: Page, login: string, site: string): Promise<void> {
  await page.waitForURL(`${JIRA_URL}/**authorize**`);
  await page.locator(`input[name="login"][value="${login}"]`).check();
  const option = page.locator('select[name="site"] option').filter({ hasText: site });
  await page.locator('select[name="site"]').selectOption((await option.getAttribute("value")) ?? "");
  await page.getByRole("button", { name: /^Accept/ }).click();
}

async function projectsOf(person: JourneyPerson, name = ""): Promise<ItemView[]> {
  const rows = await person.call<{ view: ItemView }[]>("GET", "jira/get-user-jira-projects", { name });
  return rows.map(({ view }) => view);
}

/** Waits until the project has a backup after `since` and no active run. */
async function settled(person: JourneyPerson, name: string, since = 0): Promise<ItemView> {
  const isSettled = async () => {
    const [project] = await projectsOf(person, name);
    return project !== undefined && project.activeRun === null && (project.lastBackupAt ?? -1) >= since;
  };
  await expect.poll(isSettled, { timeout: JOB_MS, intervals: [250] }).toBe(true);
  const [project] = await projectsOf(person, name);
  if (!project) throw new Error(`There is no project ${name}.`);
  return project;
}

/** Summary and status of each issue of a project, at Jira itself. */
async function issuesAt(key: string): Promise<string[]> {
  const answer = await fetch(`${JIRA_URL}/__sim/jira/sites/meridian/projects/${key}/dump`);
  const { issues } = (await answer.json()) as { issues: { summary: string; status: string }[] };
  return issues.map(({ summary, status }) => `${summary}: ${status}`).sort();
}

test("[A-009] [P-079] a Jira project is connected, added, backed up, viewed, restored into another project with matched columns, and deleted", async ({
  page,
  person,
}, info) => {
  test.slow();
  const mark = randomUUID().slice(0, 6);
  const login = `sofia.${mark}@meridian.example`;
  const [name, other, desk] = [`Fleet ${mark}`, `Yard ${mark}`, `Desk ${mark}`];
  const key = (letter: string) => `${letter}${mark.toUpperCase()}`;
  await atJira("people", { email: login, displayName: `Sofia ${mark}` });
  for (const site of ["meridian", "harbourworks"])
    await atJira(`sites/${site}/members`, { login, role: "admin" });
  const make = (order: object) => atJira("sites/meridian/projects", { login, ...order });
  await make({ key: key("F"), name, template: "kanban" });
  await make({ key: key("Y"), name: other, template: "scrum" });
  await make({ key: key("D"), name: desk, template: "service" });
  for (const summary of ["Timber to Rostock", "Paper to Hamburg"])
    await atJira(`sites/meridian/projects/${key("F")}/issues`, { login, summary });
  // An earlier grant: the next one opens both sites.
  await atJira("token", { login });

  await test.step("a consent for two sites leads to a choice, and one of them must be chosen", async () => {
    await page.goto(JIRA_LIST);
    await expect(page).toHaveURL(/\/app-connector\?platform=jira$/);
    await page.getByRole("radio", { name: "Europe, Germany" }).check();
    await page.getByRole("button", { name: "Save and continue" }).click();
    await page.getByRole("button", { name: "Authorize Jira" }).click();
    await consentAs(page, login, "Meridian Freight");
    await expect(page.getByRole("heading", { name: "Choose from Jira" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Connect account" })).toBeDisabled();
    await page.screenshot({ path: info.outputPath("choice.png") });
  });

  await test.step("[P-011] [P-288] [P-372] the list's address opens a chooser of the names, where one must be chosen", async () => {
    const names = JSON.stringify(["Harbour Works", "Meridian Freight"]);
    // Without an account the address leads to the same choice.
    await page.goto(`${JIRA_LIST}?responseWorkspacesNamesArray=${encodeURIComponent(names)}`);
    await expect(page.getByRole("checkbox", { name: /Harbour Works/ })).toBeVisible();
    await page.getByRole("checkbox", { name: /Meridian Freight/ }).check();
    await page.getByRole("button", { name: "Connect account" }).click();
    await page.waitForURL(`**${JIRA_LIST}**`);
    // With one the names are chosen above the list, after another consent.
    await page.goto("/app-connector?platform=jira&account=new&step=authorize&region=DE");
    await page.getByRole("button", { name: "Authorize Jira" }).click();
    await consentAs(page, login, "Harbour Works");
    await page.waitForURL("**/app-connector**choice=**");
    await page.goto(`${JIRA_LIST}?responseWorkspacesNamesArray=${encodeURIComponent(names)}`);
    const chooser = page.getByRole("dialog", { name: "Choose your Jira workspace" });
    await expect(chooser.getByRole("radio")).toHaveCount(2);
    await expect(chooser.getByRole("button", { name: /^Connect workspace/ })).toBeDisabled();
    await chooser.screenshot({ path: info.outputPath("chooser.png") });
    await chooser.getByRole("radio", { name: "Harbour Works" }).check();
    const sent = page.waitForRequest("**/api/jira/update-user-workspace");
    await chooser.getByRole("button", { name: "Connect workspace" }).click();
    expect((await sent).postDataJSON()).toEqual({ name: "Harbour Works" });
    await expect(page.getByRole("button", { name: "Account: Harbour Works" })).toBeVisible();
  });

  await test.step("[P-008] [P-009] the list reads that a storage was connected, and a message", async () => {
    await page.goto(`${JIRA_LIST}?isCloudStorageConnected=true`);
    await expect(page.getByText("Storage is connected", { exact: true })).toBeVisible();
    await page.goto(`${JIRA_LIST}?error_message=No%20site%20was%20chosen`);
    const error = page.getByRole("dialog", { name: "Error" });
    await expect(error).toContainText("No site was chosen");
    await error.getByRole("button", { name: "Close" }).last().click();
    await expect(page).not.toHaveURL(/error_message/);
  });

  await test.step("projects are added and backed up", async () => {
    await page.goto(JIRA_LIST);
    await page
      .getByRole("main")
      .getByRole("button", { name: /^(Choose others|Add projects)$/ })
      .first()
      .click();
    const adding = page.getByRole("dialog", { name: "Add projects" });
    await adding.getByRole("textbox").fill(mark);
    for (const each of [name, desk]) await adding.getByRole("checkbox", { name: new RegExp(each) }).check();
    await adding.screenshot({ path: info.outputPath("add.png") });
    await adding.getByRole("button", { name: "Add 2 projects" }).click();
    for (const each of [name, desk]) await settled(person, each);
    await expect(rowOf(page, name)).toContainText("JS/C");
    await expect(rowOf(page, desk)).toContainText("JSM");
    await page.screenshot({ path: info.outputPath("list.png"), fullPage: true });
  });

  await test.step("[P-086] the history explains how to restore, and a version shows its issues", async () => {
    await page.getByRole("link", { name: `View ${name}` }).click();
    await expect(page).toHaveURL(/projectTypeKey=software/);
    await expect(page.getByRole("columnheader", { name: "Incremental size" })).toBeVisible();
    await page.getByRole("button", { name: "How To Restore" }).click();
    const guide = page.getByRole("dialog", { name: "How to restore a Jira project" });
    await expect(guide.getByRole("listitem").first()).toBeVisible();
    await guide.screenshot({ path: info.outputPath("guide.png") });
    await guide.getByRole("button", { name: "Close" }).last().click();
    await page
      .getByRole("link", { name: /^Open the version of/ })
      .first()
      .click();
    await expect(page.getByText("Timber to Rostock").first()).toBeVisible();
    await page.screenshot({ path: info.outputPath("board.png"), fullPage: true });
    await expect(page.getByRole("textbox", { name: "Search issues" })).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: "2 issues" })).toBeVisible();
    await page.getByText("Timber to Rostock").first().click();
    const issue = page.getByRole("dialog", { name: `Timber to Rostock ${key("F")}-1` });
    await expect(issue.getByRole("heading", { name: "Column", exact: true })).toBeVisible();
    await issue.screenshot({ path: info.outputPath("issue.png") });
  });

  await test.step("[P-108] each item of a bulk restore has a target, chosen with a search", async () => {
    await page.goto(JIRA_LIST);
    for (const each of [name, desk]) await page.getByRole("checkbox", { name: `Select ${each}` }).check();
    await page.getByRole("toolbar").getByRole("button", { name: "Restore" }).click();
    await page.waitForURL("**/bulk-restore");
    await expect(page.getByRole("textbox", { name: /New name/ })).toHaveCount(0);
    await page.getByRole("button", { name: new RegExp(`^Where ${name} goes`) }).click();
    const picker = page.getByRole("dialog", { name: `Where ${name} goes` });
    await expect(picker.getByRole("radio", { name: new RegExp(desk) })).toBeVisible();
    await picker.getByRole("textbox").fill(`Yard ${mark}`);
    await expect(picker.getByRole("radio")).toHaveCount(1);
    await picker.getByRole("radio", { name: new RegExp(other) }).check();
    await picker.screenshot({ path: info.outputPath("picker.png") });
    await picker.getByRole("button", { name: "Restore there" }).click();
    await page.getByRole("button", { name: new RegExp(`^Where ${desk} goes`) }).click();
    const second = page.getByRole("dialog", { name: `Where ${desk} goes` });
    await second.getByRole("textbox").fill(mark);
    await second.getByRole("radio", { name: new RegExp(desk) }).check();
    await expect(second).toContainText("Restoring to the same project will result in duplicates.");
    await second.getByRole("button", { name: "Restore there" }).click();
    await page.screenshot({ path: info.outputPath("bulk-1.png"), fullPage: true });
    await page.getByRole("button", { name: "Continue" }).click();
  });

  await test.step("[P-112] [P-437] [P-457] Assign issues matches the columns of a software project, and a Service Management project has none", async () => {
    const line = page.getByRole("row").filter({ hasText: name });
    const without = page.getByRole("row").filter({ hasText: desk });
    await expect(without.getByRole("button", { name: /^Assign issues/ })).toHaveCount(0);
    await expect(page.getByRole("main")).toContainText(
      "Jira Service Management projects cannot match columns.",
    );
    await page.screenshot({ path: info.outputPath("bulk-2.png"), fullPage: true });
    await line.getByRole("button", { name: /^Assign issues/ }).click();
    const dialog = page.getByRole("dialog", { name: "Match Columns" });
    const backlog = dialog.getByRole("combobox", { name: "Match for Backlog" });
    await backlog.selectOption({ label: "In Progress" });
    await dialog.screenshot({ path: info.outputPath("match.png") });
    await dialog.getByRole("button", { name: "Assign issues" }).click();
    await expect(line).toContainText("4 of 4 matched");
  });

  await test.step("the issues come back in the matched column of the other project, and the report says where", async () => {
    await page
      .getByRole("row")
      .filter({ hasText: desk })
      .getByRole("button", { name: /^Remove/ })
      .click();
    const sent = page.waitForRequest("**/api/jira/restore-projects");
    await page.getByRole("button", { name: "Restore 1 item" }).click();
    const { items } = (await sent).postDataJSON() as { items: { matchedColumns: unknown[] }[] };
    expect(items[0]?.matchedColumns).toContainEqual({
      backedUpProjectColumn: { transitionId: expect.any(String), name: "Backlog" },
      restoredProjectColumn: { name: "In Progress" },
    });
    const landed = ["Paper to Hamburg: In Progress", "Timber to Rostock: In Progress"];
    await expect.poll(() => issuesAt(key("Y")), { timeout: JOB_MS }).toEqual(landed);
    const { id } = await settled(person, name);
    await page.goto(`/platform/backups/jira?${new URLSearchParams({ id, name })}`);
    await page.getByRole("link", { name: /^Report of the restore/ }).click();
    const moved = page.getByRole("table", { name: "Where things are now" });
    for (const number of [1, 2]) {
      await expect(moved).toContainText(`${key("F")}-${number}`);
      await expect(moved.getByRole("link", { name: `${key("Y")}-${number}` })).toBeVisible();
    }
    await page.screenshot({ path: info.outputPath("report.png"), fullPage: true });
  });

  await test.step("Backup now takes another version of each project", async () => {
    await page.goto(JIRA_LIST);
    const since = Date.now();
    await page
      .getByRole("main")
      .getByRole("button", { name: /^Backup now/ })
      .first()
      .click();
    await expect(page.getByText(/^Backup of 2 projects is queued/)).toBeVisible();
    for (const each of [name, desk]) await settled(person, each, since);
  });

  await test.step("a project that is deleted here is gone from the list, and stays at Jira", async () => {
    await page.getByRole("button", { name: `Delete ${desk}` }).click();
    const deleting = page.getByRole("dialog", { name: `Delete ${desk}` });
    await deleting.getByRole("textbox").fill(desk);
    await deleting.getByRole("button", { name: "Delete" }).click();
    await expect(deleting).toHaveCount(0);
    await expect(rowOf(page, desk)).toHaveCount(0);
    await expect(rowOf(page, name)).toBeVisible();
    const sites = await fetch(`${JIRA_URL}/__sim/jira/sites/meridian/projects`);
    expect(await sites.text()).toContain(key("D"));
  });
});

test("[P-121] the product's windows open from their triggers while a site is used and changed", async ({
  page,
  person,
  expectComplaint,
}, info) => {
  test.slow();
  const mark = randomUUID().slice(0, 6);
  const login = `oskar.${mark}@meridian.example`;
  const [name, key] = [`Barge ${mark}`, `B${mark.toUpperCase()}`];
  await atJira("people", { email: login, displayName: `Oskar ${mark}` });
  for (const site of ["meridian", "harbourworks"])
    await atJira(`sites/${site}/members`, { login, role: "admin" });
  await atJira("sites/meridian/projects", { login, key, name, template: "kanban" });
  await atJira(`sites/meridian/projects/${key}/issues`, { login, summary: `Cargo of ${name}` });
  await connectJira(page, login);
  const main = page.getByRole("main");

  await test.step("the windows that restore and delete a project", async () => {
    await page.goto(JIRA_LIST);
    await main
      .getByRole("button", { name: /^(Choose others|Add projects)$/ })
      .first()
      .click();
    const adding = page.getByRole("dialog", { name: "Add projects" });
    await adding.getByRole("textbox").fill(mark);
    await adding.getByRole("checkbox", { name: new RegExp(name) }).check();
    await adding.getByRole("button", { name: "Add 1 project" }).click();
    await settled(person, name);
    await page.getByRole("button", { name: `Restore ${name}`, exact: true }).click();
    const restoring = page.getByRole("dialog", { name: `Restore ${name}` });
    await expect(restoring.getByRole("combobox", { name: "Restore into" })).toBeVisible();
    await restoring.screenshot({ path: info.outputPath("restore.png") });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    const deleting = page.getByRole("dialog", { name: `Delete ${name}` });
    await expect(deleting.getByRole("button", { name: "Delete" })).toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("a storage's form, the code of an account and the way to a larger plan", async () => {
    await page.goto("/settings/storage");
    await page.getByRole("button", { name: "Connect AWS S3" }).click();
    await expect(page.getByRole("dialog", { name: "Connect AWS S3" })).toBeVisible();
    await connect(page);
    await person.call("POST", "github/change-github-user", { username: "meridian-freight" });
    await page.goto(GITHUB_LIST);
    await page.getByRole("alert").getByRole("button", { name: "Enter code" }).click();
    await expect(page.getByRole("dialog", { name: "Enter the confirmation code" })).toBeVisible();
    await page.keyboard.press("Escape");
    await sell(person, { plan: "essential", quantity: 10 });
    await page.goto(GITHUB_LIST);
    await main.getByRole("button", { name: /^Add place/ }).click();
    await expect(page.getByRole("dialog", { name: "Pro plan needed" })).toBeVisible();
  });

  await test.step("the chooser opens over the list after a consent for two sites", async () => {
    await atJira("token", { login });
    await page.goto("/app-connector?platform=jira&account=new&step=authorize&region=DE");
    await page.getByRole("button", { name: "Authorize Jira" }).click();
    await consentAs(page, login, "Harbour Works");
    await page.waitForURL("**/app-connector**choice=**");
    const names = JSON.stringify(["Harbour Works", "Meridian Freight"]);
    await page.goto(`${JIRA_LIST}?responseWorkspacesNamesArray=${encodeURIComponent(names)}`);
    await expect(page.getByRole("dialog", { name: "Choose your Jira workspace" })).toBeVisible();
  });

  await test.step("[P-229] a change to another site warns, and deletes all backups of the former one", async () => {
    const { id } = await settled(person, name);
    const history = () =>
      person.call<unknown[]>("POST", "user/get-items-backups", { itemId: id, page: 0, perPage: 20 });
    expect((await history()).length).toBeGreaterThan(0);
    await page.goto("/app-connector?platform=jira");
    await page.getByRole("button", { name: "Change account" }).click();
    const form = page.getByRole("dialog", { name: "Change account" });
    const save = form.getByRole("button", { name: "Save" });
    await expect(form).toContainText("All backups of Meridian Freight are deleted at once and for good");
    await form.getByLabel("Account name").fill("Harbour Works");
    await expect(form.getByLabel("Account name")).toHaveValue("Harbour Works");
    await expect(save).toBeDisabled();
    await form.screenshot({ path: info.outputPath("change.png") });
    await form.getByLabel("Type Meridian Freight to confirm").fill("Meridian Freight");
    await save.click();
    await consentAs(page, login, "Harbour Works");
    await page.waitForURL(`**${JIRA_LIST}**`);
    await expect(main).toContainText("Harbour Works");
    await expect(rowOf(page, name)).toHaveCount(0);
    expect(await projectsOf(person)).toEqual([]);
    expectComplaint(/status of 404/);
    await expect(history()).rejects.toThrow("err.not.found");
  });
});

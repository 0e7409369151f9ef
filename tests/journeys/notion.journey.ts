import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { accessibilityFaults } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { hold } from "./hold.ts";
import {
  backUpNow,
  changePages,
  colleagueOf,
  consentAs,
  historyOf,
  makeDepot,
  openNewest,
  openScope,
  settled,
} from "./notion-steps.ts";
import { JOB_MS, NOTION_URL } from "./stack.ts";
import { connectNotion, NOTION_LIST, rowOf } from "./steps.ts";

test("[A-010] [P-081] [P-101] [P-122] [P-123] [P-124] [P-125] [P-126] a workspace is connected with picked pages, backed up, shown with its scope, and deleted", async ({
  page,
  person,
  context,
}, info) => {
  // Backups are slow on a busy machine.
  test.slow();
  const depot = await makeDepot();
  const { workspace, owner } = depot;
  const main = page.getByRole("main");

  await test.step("the consent page lets the owner pick pages, and the workspace is protected", async () => {
    await page.goto(NOTION_LIST);
    await expect(page).toHaveURL(/\/app-connector\?platform=notion$/);
    await page.getByRole("radio", { name: "Europe, Germany" }).check();
    await page.getByRole("button", { name: "Save and continue" }).click();
    await expect(main).toContainText("The pages and databases that you pick at Notion");
    await page.getByRole("button", { name: "Authorize Notion" }).click();
    await consentAs(page, depot, owner.login, ["Operations handbook", "Plans"]);
    await page.waitForURL(`**${NOTION_LIST}**`);
    await page.screenshot({ path: info.outputPath("first.png"), fullPage: true });
    await page.getByRole("button", { name: "Back up this one now" }).click();
    // Live: the row shows its first version without a reload.
    await expect(rowOf(page, workspace)).toBeVisible();
    await settled(person, workspace);
    await expect(rowOf(page, workspace)).toContainText(/just now|second|minute/, { timeout: JOB_MS });
  });

  await test.step("[P-012] [P-013] [P-014] [P-015] [P-016] [P-017] [P-018] the page has its parts, and the help button opens the tutorial", async () => {
    await expect(page.getByRole("button", { name: `Workspace owner: ${owner.name}` })).toBeVisible();
    for (const name of ["Backup now", "External storage", "Add workspace"])
      await expect(main.getByRole("button", { name }).first()).toBeVisible();
    await page.getByRole("button", { name: "How to choose pages" }).click();
    const guide = page.getByRole("dialog", { name: "Choose what Holdfast backs up" });
    await expect(guide.getByRole("listitem")).not.toHaveCount(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await guide.getByRole("button", { name: "Close" }).last().click();
  });

  await test.step("[P-082] the search sends one request, a second after the last key", async () => {
    const asked: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname === "/api/notion/get-user-workspaces" && url.searchParams.has("name"))
        asked.push(url.search);
    });
    await page.clock.install();
    await page.goto(NOTION_LIST);
    await page.clock.pauseAt(Date.now() + 30_000);
    await page.getByRole("textbox", { name: "Search workspaces" }).pressSequentially("nothing");
    await page.clock.runFor(990);
    expect(asked).toEqual([]);
    await page.clock.runFor(20);
    await page.clock.resume();
    await expect.poll(() => asked.length).toBe(1);
    await expect(rowOf(page, workspace)).toHaveCount(0);
  });

  await test.step("Backup now takes a second version, with what changed", async () => {
    await changePages(depot);
    await backUpNow(page);
    await settled(person, workspace, { versions: 2 });
  });

  const item = await settled(person, workspace, { versions: 2 });
  await test.step("[P-030] [P-095] the history by id lists the versions, and View scope shows what one covers", async () => {
    await page.goto(`/platform/backups/notion?id=${item.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(workspace);
    await expect(page.getByRole("columnheader", { name: "Incremental size" })).toBeVisible();
    await expect(page.getByRole("button", { name: /^View scope/ })).toHaveCount(2);
    const scope = await openScope(page);
    const asked: (string | null)[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/api/versions/pages") asked.push(searchParams.get("snapshotId"));
    });
    const line = (name: RegExp) => scope.getByRole("listitem").filter({ hasText: name }).last();
    await expect(line(/Operations handbook/)).toContainText("Page");
    await expect(line(/^Plans/)).toContainText("Page");
    await expect(scope).not.toContainText("Private notes");
    await scope.getByRole("button", { name: /Operations handbook/ }).click();
    await expect(line(/Leipzig, night shift/)).toContainText("Page");
    await expect(line(/Fleet/)).toContainText("Database");
    expect(await accessibilityFaults(page)).toEqual([]);
    await scope.getByRole("textbox").fill("puddles");
    await page.keyboard.press("Enter");
    await expect(scope.getByRole("listitem")).toHaveText([/A yard without puddles/]);
    await scope.getByRole("textbox").fill("zebra");
    await page.keyboard.press("Enter");
    await expect(scope).toContainText("No Search Results");
    await scope.getByRole("textbox").fill("");
    await page.keyboard.press("Enter");
    await scope.getByRole("button", { name: /^Databases/ }).click();
    await expect(scope.getByRole("listitem")).toHaveText([/Fleet\s*Database/]);
    await expect(scope.getByRole("link", { name: "Choose at Notion" })).toBeVisible();
    await page.screenshot({ path: info.outputPath("scope.png") });
    await scope.getByRole("button", { name: "Close" }).last().click();
    await expect(scope).toHaveCount(0);
    // A dialog that closes asks for nothing more.
    expect(asked.length).toBeGreaterThan(0);
    expect(asked).not.toContain("");
    expect(asked).not.toContain(null);
  });

  await test.step("a version without a list says so", async () => {
    const none = { status: "success", result: { rows: [], next: null, isPaused: false } };
    await page.route("**/api/versions/pages?**", (route) => route.fulfill({ json: none }));
    await page.reload();
    const scope = await openScope(page);
    await expect(scope).toContainText("The list of backup scope not available.");
    await page.unroute("**/api/versions/pages?**");
    await scope.getByRole("button", { name: "Close" }).last().click();
  });

  await test.step("a workspace that is deleted here is gone from the list, and stays at Notion", async () => {
    await page.goto(NOTION_LIST);
    await page.getByRole("button", { name: `Delete ${workspace}` }).click();
    const deleting = page.getByRole("dialog", { name: `Delete ${workspace}` });
    await deleting.getByRole("textbox").fill(workspace);
    await deleting.getByRole("button", { name: "Delete" }).click();
    await expect(deleting).toHaveCount(0);
    await expect(rowOf(page, workspace)).toHaveCount(0);
    const site = await context.request.get(NOTION_URL);
    expect(await site.text()).toContain(workspace);
  });
});

test("a version is read as pages and tables, compared, downloaded, and restored in part", async ({
  page,
  person,
  context,
}, info) => {
  test.slow();
  const depot = await makeDepot({ isRich: true });
  const { workspace, owner } = depot;
  const main = page.getByRole("main");
  await connectNotion(page, { login: owner.login, workspace, pages: [depot.handbook, depot.plans] });
  await page.goto(NOTION_LIST);
  await page.getByRole("button", { name: "Back up this one now" }).click();
  await settled(person, workspace);
  await changePages(depot);
  await backUpNow(page);
  const item = await settled(person, workspace, { versions: 2 });

  await test.step("a version opens as pages beside their tree, and a database as a table in its layouts", async () => {
    await openNewest(page, item);
    const tree = page.getByRole("navigation", { name: "Pages of this version" });
    await test.step("what is unfolded while a page opens stays so", async () => {
      const opened = await hold(page, (url) => url.searchParams.has("part"));
      await tree.getByRole("link", { name: /Operations handbook/ }).click();
      await opened.begun;
      await tree.getByRole("button", { name: /^Pages below .*Operations handbook/ }).click();
      await expect(tree.getByRole("link", { name: /Leipzig, night shift/ })).toBeVisible();
      await opened.release();
      await page.waitForURL("**part=**");
      await page.unrouteAll({ behavior: "wait" });
    });
    await expect(page.getByRole("heading", { name: /Operations handbook/ })).toBeVisible();
    await expect(main).toContainText("What happens before a lorry leaves");
    const fleet = main.getByRole("region", { name: "Fleet", exact: true });
    await expect(fleet.getByRole("columnheader", { name: "Lorry" })).toBeVisible();
    await expect(fleet.getByRole("link", { name: "Lorry 12" })).toBeVisible();
    await expect(fleet).toContainText("4 rows and 3 columns in this version");
    await page.screenshot({ path: info.outputPath("page.png"), fullPage: true });
    await tree.getByRole("link", { name: /Leipzig, night shift/ }).click();
    await expect(main).toContainText("Belt 4 is for returns only.");
    const download = page.waitForEvent("download");
    await main.getByRole("link", { name: "Markdown" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("Leipzig, night shift.md");
    expect(readFileSync(await file.path(), "utf8")).toContain("Belt 4 is for returns only.");
    await tree
      .getByRole("link", { name: /Lorries|Fleet/ })
      .first()
      .click();
    const layouts = page.getByRole("navigation", { name: "Layout" });
    await layouts.getByRole("link", { name: "All lorries" }).click();
    await expect(page.getByRole("columnheader", { name: "Lorry" })).toBeVisible();
    await expect(main).toContainText("Lorry 12");
    await page.screenshot({ path: info.outputPath("table.png"), fullPage: true });
    await layouts.getByRole("link", { name: "Inspections" }).click();
    await expect(main).toContainText("Only rows that pass the filter of this layout are shown.");
    await layouts.getByRole("link", { name: "Cards" }).click();
    await expect(main.getByRole("link", { name: /Lorry|Таможня/ }).first()).toContainText("Lorry 7");
    await layouts.getByRole("link", { name: "By status" }).click();
    await expect(page.getByRole("region", { name: /On the road/ })).toBeVisible();
    await page.screenshot({ path: info.outputPath("by-status.png"), fullPage: true });
    await page
      .getByRole("link", { name: /Lorry 7/ })
      .first()
      .click();
    await expect(main).toContainText("New tyres for Lorry 7.");
  });

  await test.step("two versions are compared page by page", async () => {
    await openNewest(page, item);
    await page.getByRole("link", { name: "Compare with the version before" }).click();
    await page.waitForURL("**/compare?**");
    await expect(main).toContainText("Winter tyres");
    await page.getByRole("link", { name: "Plans", exact: true }).first().click();
    await expect(main).toContainText("What we got done.");
    await page.screenshot({ path: info.outputPath("compare.png"), fullPage: true });
  });

  await test.step("the ZIP has the pages as Markdown and the tables as CSV", async () => {
    await page.goto(historyOf(item));
    await expect(page.getByText(/^verified \d/).first()).toBeVisible({ timeout: JOB_MS });
    const zip = page.waitForEvent("download");
    await page
      .getByRole("button", { name: /^Request ZIP/ })
      .first()
      .click();
    const folder = info.outputPath("zip");
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, "workspace.zip");
    await (await zip).saveAs(file);
    const names = execFileSync("unzip", ["-Z1", file]).toString();
    expect(names).toMatch(/Leipzig, night shift.*\.md/);
    expect(names).toMatch(/\.csv/);
  });

  await test.step("a page is restored below one that exists, and the original stays", async () => {
    await openNewest(page, item);
    const tree = page.getByRole("navigation", { name: "Pages of this version" });
    await tree
      .getByRole("link", { name: /^.{0,4}Plans/ })
      .first()
      .click();
    await page.waitForURL("**part=**");
    await page.getByRole("button", { name: "Restore page" }).click();
    const dialog = page.getByRole("dialog", { name: /^Restore / });
    await dialog
      .getByRole("combobox", { name: "Where it goes" })
      .selectOption({ label: "Operations handbook" });
    await dialog.screenshot({ path: info.outputPath("restore-page.png") });
    await dialog.getByRole("button", { name: /^Restore into/ }).click();
    await expect(page.getByText("Your restore is now in process")).toBeVisible();
    // Below the page that was chosen, beside what was there.
    const below = async () => {
      const dump = await context.request.get(`${NOTION_URL}/__sim/notion/things/${depot.handbook}/dump`);
      return JSON.stringify(await dump.json());
    };
    await expect.poll(below, { timeout: JOB_MS }).toContain("A yard without puddles");
    await settled(person, workspace, { versions: 2 });
    expect(await below()).toContain("Leipzig, night shift");
    const plans = await context.request.get(`${NOTION_URL}/__sim/notion/things/${depot.plans}/dump`);
    expect(await plans.text()).toContain("A yard without puddles");
    await page.goto(historyOf(item));
    await page.getByRole("link", { name: /^Report of the restore/ }).click();
    await expect(main).toContainText("Plans");
    await page.screenshot({ path: info.outputPath("report.png"), fullPage: true });
  });
});

test("[P-014] [P-134] a second owner of the workspace is added, and choosing an owner loads their list", async ({
  page,
  person,
}, info) => {
  test.slow();
  const depot = await makeDepot();
  const { workspace, owner, second } = depot;
  await connectNotion(page, { login: owner.login, workspace, pages: [depot.handbook] });
  await page.goto(NOTION_LIST);
  await page.getByRole("button", { name: "Back up this one now" }).click();
  await settled(person, workspace);
  await page.getByRole("main").getByRole("button", { name: "Add workspace" }).first().click();
  const adding = page.getByRole("dialog", { name: "Add workspace" });
  await expect(adding).toContainText("already added");
  await adding.screenshot({ path: info.outputPath("add.png") });
  await adding.getByRole("link", { name: "Connect another account" }).click();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("button", { name: "Authorize Notion" }).click();
  await consentAs(page, depot, second.login, ["Plans"]);
  await page.waitForURL(`**${NOTION_LIST}**`);

  const select = page.getByRole("button", { name: /^Workspace owner: / });
  await page.goto(NOTION_LIST);
  await select.click();
  await page.screenshot({ path: info.outputPath("owners.png") });
  const option = page.getByRole("menuitemradio", { name: /Maximiliane/ });
  await expect(option).toContainText([...second.name].slice(0, 20).join(""));
  await expect(option).not.toContainText([...second.name].slice(0, 21).join(""));
  await expect(option).toContainText(second.email.slice(0, 20));
  await expect(option).not.toContainText(second.email.slice(0, 21));
  const asked = page.waitForRequest((request) => /account=/.test(request.url()));
  await option.click();
  await asked;
  await expect(select).toHaveAccessibleName(`Workspace owner: ${second.name}`);
  await expect(rowOf(page, workspace)).toHaveCount(0);
});

test("[P-230] a change of the account warns, and the next backup covers the pages that are picked then", async ({
  page,
  person,
}, info) => {
  test.slow();
  const depot = await makeDepot();
  const { workspace, owner } = depot;
  await connectNotion(page, { login: owner.login, workspace, pages: [depot.handbook] });
  await page.goto(NOTION_LIST);
  await page.getByRole("button", { name: "Back up this one now" }).click();
  await settled(person, workspace);
  await page.goto("/app-connector?platform=notion");
  await page.getByRole("button", { name: "Change account" }).click();
  const change = page.getByRole("dialog", { name: "Change account" });
  await expect(change).toContainText("takes the place of what is backed up");
  const goOn = change.getByRole("button", { name: "Continue at Notion" });
  await expect(goOn).toBeDisabled();
  await change.screenshot({ path: info.outputPath("change.png") });
  await change.getByRole("textbox").fill(owner.name);
  await goOn.click();
  await consentAs(page, depot, owner.login, ["Plans"]);
  await page.waitForURL(`**${NOTION_LIST}**`);
  await backUpNow(page);
  const item = await settled(person, workspace, { versions: 2 });
  await page.goto(historyOf(item));
  const scope = await openScope(page);
  await expect(scope.getByRole("listitem").first()).toContainText("Plans");
  await expect(scope).not.toContainText("Operations handbook");
});

test("[P-243] [P-244] the reminder is closed for a day, and comes back after it", async ({
  page,
  person: _,
}) => {
  const { owner, workspace, plans } = await makeDepot();
  await connectNotion(page, { login: owner.login, workspace, pages: [plans] });
  const reminder = page.getByRole("region", { name: "Reminder" });
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.goto(NOTION_LIST);
  await expect(reminder).toContainText("Pages that you add in Notion later must be shared");
  await reminder.getByRole("button", { name: "Close for a day" }).click();
  await expect(reminder).toHaveCount(0);
  const isShownAfter = async (hours: number) => {
    await page.clock.setSystemTime(now + hours * 3_600_000 + 60_000);
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Notion");
    await page.clock.runFor(1_000);
    return reminder.isVisible();
  };
  expect(await isShownAfter(0)).toBe(false);
  expect(await isShownAfter(23)).toBe(false);
  expect(await isShownAfter(24)).toBe(true);
});

test("[P-031] [P-438] versions that cannot be loaded lead back to the list with a message", async ({
  page,
  person: _,
  expectComplaint,
}) => {
  expectComplaint(/status of 404/);
  const { owner, workspace, plans } = await makeDepot();
  await connectNotion(page, { login: owner.login, workspace, pages: [plans] });
  await page.goto("/platform/backups/notion?id=itm_missing");
  await page.waitForURL(`**${NOTION_LIST}`);
  await expect(page.getByText(/not found|could not/i).first()).toBeVisible();
});

test("[P-019] [P-302] an invited admin can back up, but not add a workspace, and sees no help button", async ({
  page,
  person,
  browser,
}) => {
  const { owner, workspace, plans } = await makeDepot();
  await connectNotion(page, { login: owner.login, workspace, pages: [plans] });
  await page.goto(NOTION_LIST);
  await page.getByRole("button", { name: "Back up this one now" }).click();
  await settled(person, workspace);
  const theirs = await colleagueOf(person, browser);
  await theirs.goto(NOTION_LIST);
  await expect(theirs.getByRole("link", { name: workspace, exact: true })).toBeVisible();
  await expect(theirs.getByRole("button", { name: /^Backup now/ }).first()).toBeEnabled();
  await expect(theirs.getByRole("button", { name: "Add workspace" })).toHaveCount(0);
  await expect(theirs.getByRole("button", { name: "How to choose pages" })).toHaveCount(0);
  await theirs.context().close();
});

test("[P-302] an invited admin is told that the owner connects Notion, and cannot", async ({
  page,
  person,
  browser,
}) => {
  // The trial runs on without the account, so the colleague has the right to everything else.
  const { owner, workspace, plans } = await makeDepot();
  await connectNotion(page, { login: owner.login, workspace, pages: [plans] });
  const theirs = await colleagueOf(person, browser);
  const [account] = await person.call<{ id: string }[]>("GET", "notion/get-notion-users");
  await person.call("DELETE", "notion/remove-account", { ownerId: account?.id });
  await theirs.goto("/app-connector?platform=notion");
  const main = theirs.getByRole("main");
  await expect(main).toContainText("Only the owner of the organisation connects Notion");
  await expect(main.getByRole("button", { name: /Authorize|Save and continue/ })).toHaveCount(0);
  await theirs.goto("/app-connector");
  await expect(theirs.getByRole("radio", { name: "Notion" })).toBeDisabled();
  await theirs.context().close();
});

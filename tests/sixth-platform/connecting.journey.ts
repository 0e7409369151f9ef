import { randomUUID } from "node:crypto";
import { expect, test } from "#tests/journeys/fixtures.ts";
import { DROPBOX_URL } from "#tests/journeys/stack.ts";
import { rowOf } from "#tests/journeys/steps.ts";
import { consent, historyPath, LIST, look, makeBook, settled } from "./steps.ts";

test("a platform that is one folder is offered, connected with two of its sites, and its items are backed up", async ({
  page,
  person,
}, info) => {
  test.slow();
  const mark = randomUUID().slice(0, 4);
  const [name, other] = [`Handbook ${mark}`, `Dock ${mark}`];
  await makeBook(name);
  await makeBook(other, "Harbour Works");

  await test.step("sign-up offers it", async () => {
    const guest = await page.context().browser()?.newPage();
    if (!guest) throw new Error("There is no browser.");
    await guest.goto("/auth/sign-up");
    await expect(guest.getByRole("checkbox", { name: "Almanac" })).toBeVisible();
    await expect(guest.getByRole("complementary")).toContainText("AlmanacBooks");
    await guest.close();
  });

  await test.step("the connector asks for a region, and the consent ends in a choice of sites", async () => {
    await page.goto("/app-connector");
    await page.getByRole("radio", { name: "Almanac" }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("radio", { name: "Europe, Germany" }).check();
    await page.getByRole("button", { name: "Save and continue" }).click();
    await page.getByRole("button", { name: "Authorize Almanac" }).click();
    await consent(page);
    await expect(page.getByRole("heading", { name: "Choose from Almanac" })).toBeVisible();
    await expect(page.getByRole("checkbox")).toHaveCount(3);
    await page.getByRole("checkbox", { name: /Meridian Freight/ }).check();
    await page.getByRole("checkbox", { name: /Harbour Works/ }).check();
    await look(page, info, "choose");
    await page.getByRole("button", { name: "Connect 2 accounts" }).click();
    await page.waitForURL(`**${LIST}**`);
  });

  await test.step("books of a site are added, and the first backup is watched", async () => {
    await page
      .getByRole("main")
      .getByRole("button", { name: /^(Choose others|Add books)$/ })
      .first()
      .click();
    const adding = page.getByRole("dialog", { name: "Add books" });
    await adding.getByRole("textbox").fill(mark);
    await adding.getByRole("checkbox", { name: new RegExp(name) }).check();
    await look(page, info, "add");
    await adding.getByRole("button", { name: "Add 1 book" }).click();
    await expect(rowOf(page, name)).toBeVisible();
    await settled(person, name);
    await expect(rowOf(page, name)).toContainText("Protected", { timeout: 30_000 });
    await look(page, info, "list");
  });

  await test.step("the list is searched, and Backup now takes a second version", async () => {
    await page.getByRole("textbox", { name: "Search books" }).fill("nothing");
    await expect(rowOf(page, name)).toHaveCount(0);
    await page.getByRole("textbox", { name: "Search books" }).fill("");
    await page.getByRole("button", { name: "Backup now", exact: true }).click();
    await settled(person, name, 2);
  });

  await test.step("the history tells both versions", async () => {
    const item = await settled(person, name, 2);
    await page.goto(historyPath(item));
    await expect(page.getByRole("link", { name: /^Open the version of/ })).toHaveCount(2);
    await look(page, info, "history");
  });

  await test.step("the other site stands beside it", async () => {
    await page.goto("/app-connector?platform=almanac");
    await expect(page.getByText("Harbour Works").first()).toBeVisible();
    await look(page, info, "accounts");
  });

  await test.step("another way of granting access is added to one of them, and renewed by itself", async () => {
    await page.getByRole("link", { name: "Manage Meridian Freight" }).click();
    const access = page.getByRole("region", { name: "Access" });
    await expect(access.getByRole("listitem")).toHaveCount(2);
    await expect(access.getByRole("listitem").nth(1)).toContainText("Not granted");
    await access.getByRole("button", { name: "Grant Readers" }).click();
    await consent(page);
    await page.waitForURL(`**${LIST}**`);
    await page.goto("/app-connector?platform=almanac");
    await page.getByRole("link", { name: "Manage Meridian Freight" }).click();
    await expect(access.getByRole("listitem")).toContainText([/Books.*Granted/, /Readers.*Granted/]);
    await expect(access.getByRole("button", { name: "Renew Readers" })).toBeVisible();
    await look(page, info, "access");
  });

  await test.step("it is among the rights of colleagues and what is copied to a storage", async () => {
    await person.call("PUT", "user/account-type", { account_type: "Organization" });
    await page.goto("/settings/users");
    await page.getByRole("textbox", { name: "Organisation name" }).fill("Meridian");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Invite new user" }).click();
    await expect(page.getByRole("checkbox", { name: /Almanac/ })).toHaveCount(2);
    await look(page, info, "rights");
    await page.goto("/settings/storage");
    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Connect Dropbox" }).click();
    const tab = await opened;
    await tab.waitForURL(`${DROPBOX_URL}/oauth2/authorize**`);
    await tab.locator('input[name="login"]').first().check();
    await tab.getByRole("button", { name: /^Allow/ }).click();
    await tab.waitForURL("**/settings/storage**");
    await tab.close();
    await page.getByRole("checkbox", { name: "Almanac" }).check();
    await page.getByRole("button", { name: /^Save/ }).click();
    await expect(page.getByText("External storage settings saved")).toBeVisible();
    await look(page, info, "storage");
  });

  await test.step("the dashboard names both sites", async () => {
    await page.goto("/");
    await expect(page.getByRole("main")).toContainText("Meridian Freight, Harbour Works · 1 book");
    await look(page, info, "home");
  });
});

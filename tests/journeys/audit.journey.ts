import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import type { JourneyPerson } from "./person.ts";
import { addAuditEntries, startPlan } from "./stack.ts";

const DAY = 86_400_000;

/** Starts Pro and adds sixty lines about backups and two about people. */
async function fillTrail(person: JourneyPerson): Promise<void> {
  await startPlan(person, { plan: "pro", quantity: 10, endsAt: null });
  await addAuditEntries(person, { count: 60, action: "backup-now", platform: "github", subject: "octo/api" });
  await addAuditEntries(person, { count: 2, action: "invite-user", subject: '=HYPERLINK("x")' });
}

const linesOf = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });

test("[B-024] [B-095] on Pro a page of the audit trail has fifty lines, and none is hidden", async ({
  page,
  person,
}) => {
  await fillTrail(person);
  const lines = linesOf(page);
  await page.goto("/audit");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit trail");
  await expect(lines).toHaveCount(50);
  await expect(lines.first()).toContainText("Runa Holm");
  await expect(lines.filter({ hasText: "octo/api" }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Hidden, Pro plan/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=1/);
  await expect(lines.filter({ hasText: "Started a backup" }).first()).toBeVisible();
  await expect.poll(() => lines.count()).toBeLessThan(50);
});

test("the audit trail is narrowed by filters, followed live, and taken along as a file", async ({
  page,
  person,
}) => {
  await fillTrail(person);
  const lines = linesOf(page);
  await page.goto("/audit");

  await test.step("a date is printed once a day", async () => {
    const dates = page.locator(".audit-table tbody .t-date").filter({ hasNot: page.locator(".sr") });
    const days = new Set(await dates.allInnerTexts());
    expect(await dates.count()).toBe(days.size);
  });

  await test.step("filters say how many lines they have, narrow it, and can be cleared", async () => {
    await expect(page.getByRole("button", { name: "Backups 60", exact: true })).toBeVisible();
    // A kind of action that nobody did yet is not offered.
    await expect(page.getByRole("button", { name: /^Restores/ })).toHaveCount(0);
    await page.getByRole("button", { name: "People and rights 2", exact: true }).click();
    await expect(lines.filter({ hasText: "Invited a user" })).toHaveCount(2);
    await expect(lines.filter({ hasText: "Started a backup" })).toHaveCount(0);
    await page.getByLabel("Platform", { exact: true }).selectOption("github");
    await expect(page.getByText("No line matches these filters.")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Person", { exact: true }).selectOption("holdfast");
    await expect(page.getByText("No line matches these filters.")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Search person, object, address").fill("octo/api 60");
    await page.keyboard.press("Enter");
    await expect(page.getByText("1 line matches")).toBeVisible();
    await page.goto("/audit");
  });

  await test.step("[B-156] [B-258] the call has all fields of an action", async () => {
    type Trail = { actions: Record<string, unknown>[]; totalItemsNumber: number };
    const trail = await person.call<Trail>("GET", "user/actions-history", { page: "0", perPage: "100" });
    expect(trail.totalItemsNumber).toBeGreaterThanOrEqual(62);
    const names = ["id", "type", "platform", "version", "date", "status", "ip", "name", "isProPlanAction"];
    for (const name of names) expect(trail.actions[0]).toHaveProperty(name);
    expect(new Set(trail.actions.map(({ status }) => status))).toEqual(new Set(["success"]));
  });

  await test.step("followed, the trail shows new lines by itself, and a page of the past ends it", async () => {
    await page.goto("/audit");
    await page.getByText("Follow live", { exact: true }).click();
    await expect(page).toHaveURL(/follow=1/);
    await expect(page.getByText("New lines appear here by themselves.")).toBeVisible();
    await person.call("PUT", "user/account-type", { account_type: "Organization" });
    await expect(page.getByText("1 new line since you began to follow.")).toBeVisible({ timeout: 20_000 });
    await expect(lines.first()).toContainText("Set the account type");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Next" }).click();
    await expect(page).toHaveURL(/audit\?page=1$/);
    await expect(page.getByRole("radio", { name: "List" })).toBeChecked();
  });

  await test.step("the file has every line, and no cell that a spreadsheet would run", async () => {
    await page.getByRole("button", { name: "People and rights" }).click();
    await expect(page).toHaveURL(/group=people/);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^audit-trail-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), "utf8");
    expect(text.split("\r\n")[0]).toBe(
      "date,person,action,object,platform,version,version taken at,address,result",
    );
    expect(text).toContain(`Runa Holm,Invited a user,"'=HYPERLINK(""x"") 1",,,,,success`);
    expect(text).not.toContain("octo/api");
  });
});

test("without the Pro plan, lines about apps are hidden and ask for it", async ({ page, person }) => {
  await startPlan(person, { plan: "essential", quantity: 10, endsAt: Date.now() + 30 * DAY });
  await addAuditEntries(person, {
    count: 3,
    action: "backup-now",
    platform: "github",
    subject: "secret/name",
  });
  await page.goto("/audit");
  const hidden = page.getByRole("button", { name: /^Hidden, Pro plan/ });

  await test.step("[B-097] they keep their time only, and the server sends no text", async () => {
    await expect(hidden).toHaveCount(3);
    expect(await page.content()).not.toContain("secret/name");
    const { actions } = await person.call<{ actions: Record<string, unknown>[] }>(
      "GET",
      "user/actions-history",
      {},
    );
    const rows = actions.filter(({ platform }) => platform !== null);
    expect(rows).toHaveLength(3);
    for (const row of rows)
      expect(row).toMatchObject({ name: "", text: "", subject: null, isProPlanAction: false });
    await expect(page.getByRole("cell", { name: "Signed in" }).first()).toBeVisible();
  });

  await test.step("a filter finds none of them", async () => {
    const found = await person.call<{ totalItemsNumber: number }>("GET", "user/actions-history", {
      q: "secret",
    });
    expect(found.totalItemsNumber).toBe(0);
  });

  await test.step("the file needs the plan", async () => {
    await expect(page.getByRole("button", { name: /^Export CSV/ })).toHaveAttribute("aria-disabled", "true");
    expect((await page.request.get("/audit/export.csv")).status()).toBe(403);
  });

  await test.step("[B-098] a hidden line opens the upgrade prompt", async () => {
    await hidden.first().click();
    await expect(page.getByRole("dialog", { name: "Pro plan needed" })).toBeVisible();
    await page.getByRole("button", { name: "Close" }).last().click();
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

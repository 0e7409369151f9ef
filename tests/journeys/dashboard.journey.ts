import { randomUUID } from "node:crypto";
import { accessibilityFaults } from "./accessibility.ts";
import { buyByCall } from "./checkout-steps.ts";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { APP_URL, addFailedDays, loseConnection } from "./stack.ts";
import { addRepositories, connect, itemsOf, waitForBackup } from "./steps.ts";

test("the dashboard tells how everything is protected, and follows what happens", async ({
  page,
  person,
}) => {
  const [first, second] = [0, 1].map(() => `board-${randomUUID().slice(0, 4)}`) as [string, string];
  await createRepository(`nora-lindqvist/${first}`);
  await createRepository(`nora-lindqvist/${second}`);
  await connect(page);
  const block = page.getByRole("region", { name: "GitHub" });

  await test.step("[B-087] [B-090] [B-092] [B-093] a connected platform without items has its card, and the button leads to the connector", async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard overview");
    await expect(page.getByRole("heading", { name: "Your Protected Apps" })).toBeVisible();
    await expect(page.getByText("Nothing is protected yet").first()).toBeVisible();
    await expect(block.getByText("Trial period")).toBeVisible();
    await expect(block.getByText("0 of 10 items")).toBeVisible();
    await expect(block.getByText("30 days, every 24 hours")).toBeVisible();
    await page.getByRole("link", { name: "Add platform" }).click();
    await expect(page).toHaveURL(`${APP_URL}/app-connector`);
    await page.goto("/");
  });

  const fact = (label: string) => page.locator(".info-cards > div").filter({ hasText: label });
  await test.step("live events count without a reload", async () => {
    await expect(fact("Total protected objects")).toContainText("of 0 chosen");
    await addRepositories(person, "nora-lindqvist", [first]);
    await waitForBackup(person, first);
    await expect(fact("Total protected objects")).toContainText("of 1 chosen");
    await expect(page.getByText("1 of 1 items backed up in the last 26 hours")).toBeVisible();
    await expect(block.getByRole("listitem").filter({ hasText: first })).toContainText("Success");
  });

  await addRepositories(person, "nora-lindqvist", [second]);
  await waitForBackup(person, second);
  await page.goto("/");
  await test.step("[B-083] [B-084] [B-085] [B-086] four cards tell the objects, the status, the last backup and the storage", async () => {
    await expect(fact("Total protected objects").locator("dd").first()).toHaveText("2");
    await expect(fact("Status")).toContainText("Service Online");
    await expect(fact("Last backup")).toContainText(`GitHub · ${second}`);
    await expect(fact("External storage")).toContainText("None");
  });

  await test.step("[B-088] [B-089] [B-094] a platform has its doughnut and its recent activity", async () => {
    await expect(block.getByRole("img", { name: "2 of 2 protected" })).toBeVisible();
    await expect(block.getByRole("heading", { name: /^Recent Activity/ })).toBeVisible();
    const rows = block.getByRole("listitem").filter({ hasText: "Backup" });
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText(second);
  });

  await test.step("[B-158] [B-161] [B-255] [B-256] the calls tell the same", async () => {
    type Dashboard = { platforms_items_count: Record<string, Record<string, object>> };
    const { platforms_items_count } = await person.call<Dashboard>("GET", "user/dashboard", {});
    expect(platforms_items_count.github?.repos).toEqual({ allItems: 2, backupedItems: 2 });
    const activity = await person.call<object[]>("GET", "user/dashboard/recent-activity", {
      platform: "github",
    });
    expect(activity[0]).toMatchObject({
      name: second,
      type: "backup",
      status: "succeeded",
      platform: "github",
    });
    expect(activity[0]).toHaveProperty("date");
  });

  await test.step("[B-265] a purchase made elsewhere reaches the open dashboard by a live message", async () => {
    const heard: string[] = [];
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => heard.push(String(payload))),
    );
    await page.goto("/");
    await expect(block.getByText("2 of 10 items")).toBeVisible();
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    await buyByCall(person, { platform: "github", priceId: "github.essential.month", quantity: 50 });
    await expect(block.getByText("2 of 50 items")).toBeVisible();
    expect(heard.some((text) => text.includes("updateDashboardPlatformItemsAmount"))).toBe(true);
    expect(loads).toBe(0);
  });

  await test.step("a day is read in the line below, by arrow keys", async () => {
    const days = page.getByRole("slider", { name: /^Days of GitHub/ });
    await days.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(page.locator(".readout")).toContainText("GitHub");
    await expect(page.locator(".readout")).toContainText("no backup");
    await page.getByRole("button", { name: "What the marks mean" }).click();
    await expect(page.getByText("one run a day")).toBeVisible();
    await expect(page.getByText("after a retry")).toBeHidden();
  });
});

test("the dashboard names a lost account, and folds its platforms on a phone", async ({ page, person }) => {
  const name = `board-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  await waitForBackup(person, name);
  const block = page.getByRole("region", { name: "GitHub" });

  await test.step("a lost account is named and leads to the connection", async () => {
    const [item] = await itemsOf(person);
    await addFailedDays(item!.id, 2);
    await loseConnection(person);
    await page.goto("/");
    const attention = page.getByRole("region", { name: "Needs attention" });
    await expect(attention.getByText("GitHub no longer accepts our access.")).toBeVisible();
    await attention.getByRole("link", { name: "Reconnect nora-lindqvist" }).click();
    await expect(page).toHaveURL(/\/app-connector\?platform=github&step=authorize/);
  });

  await test.step("on a phone a platform is one line that opens", async () => {
    await page.setViewportSize({ width: 375, height: 800 });
    await page.goto("/");
    const fold = block.getByRole("button", { name: /^GitHub/ });
    await expect(fold).toHaveAttribute("aria-expanded", "true");
    await fold.click();
    await expect(block.getByRole("img")).toBeHidden();
    await fold.click();
    await expect(block.getByRole("img", { name: "1 of 1 protected" })).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { createRepository, fault } from "./outside.ts";
import { JOB_MS } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST, waitForBackup } from "./steps.ts";

const pillOf = (page: Page) => page.getByRole("banner").getByRole("link", { name: /%|back/ });

test("a backup is followed on the page of all runs: opened from the pill, seen at work, and ended without a reload", async ({
  page,
  person,
}) => {
  // Backups are slow on a busy machine.
  test.slow();
  const name = `runs-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await page.goto("/runs");
  await expect(page.getByText("Nothing is running. No backup is planned.")).toBeVisible();

  await page.goto(GITHUB_LIST);
  await fault({ match: { path: `${name}\\.git/` }, times: 1, action: { kind: "latency", ms: 12_000 } });
  await addRepositories(person, "nora-lindqvist", [name]);
  await test.step("[P-189] the pill names the only run", async () => {
    await expect(page.getByRole("banner").getByRole("link", { name })).toBeVisible({ timeout: JOB_MS });
  });
  await page.getByRole("banner").getByRole("link", { name }).click();
  await page.waitForURL("**/runs");

  const bar = page.getByRole("progressbar", { name: `The whole run of ${name}` });
  await expect(bar).toBeVisible();
  await expect(page.getByText("0 of 1 item of this round is done")).toBeVisible();
  await expect(page.getByText("1 running", { exact: true })).toBeVisible();
  const round = page.getByRole("slider", { name: /^Items of the round: 1 running/ });
  await round.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText(new RegExp(`^${name}: `))).toBeVisible();

  await test.step("its end is shown without a reload", async () => {
    const row = page
      .getByRole("table", { name: /ended today/ })
      .getByRole("row")
      .filter({ hasText: name });
    await expect(row.getByText("Success")).toBeVisible({ timeout: JOB_MS });
    await expect(bar).toHaveCount(0);
    await expect(page.getByText("1 of 1 item of this round is done")).toBeVisible();
    await expect(page.getByText(/^Nothing is running\. The next backup is due /)).toBeVisible();
  });
  await test.step("[P-193] the pill tells it and leaves", async () => {
    await expect(pillOf(page)).toHaveText("1 backed up");
    await expect(pillOf(page)).toHaveCount(0);
  });
  await waitForBackup(person, name);
  await page.getByRole("table").getByRole("link", { name }).first().click();
  await page.waitForURL("**/platform/backups/github?id=*");
});

test("the page of all runs has no known accessibility faults, wide and narrow, light and dark", async ({
  page,
  person,
}) => {
  test.slow();
  const [slow, quick] = ["slow", "quick"].map((word) => `${word}-${randomUUID().slice(0, 4)}`) as [
    string,
    string,
  ];
  for (const name of [slow, quick]) await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await fault({ match: { path: `${slow}\\.git/` }, times: 1, action: { kind: "latency", ms: 120_000 } });
  await addRepositories(person, "nora-lindqvist", [slow, quick]);
  await waitForBackup(person, quick);
  await page.goto("/runs");
  await expect(page.getByRole("progressbar", { name: `The whole run of ${slow}` })).toBeVisible();
  const faults: string[] = [];
  for (const width of [1280, 375]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      faults.push(...(await accessibilityFaults(page)));
    }
  }
  expect(faults).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});

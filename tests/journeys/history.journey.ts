import { randomUUID } from "node:crypto";
import type { Locator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { atGithub, createRepository } from "./outside.ts";
import { addFailedDays, GITHUB_URL } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST, historyUrl, waitForBackup } from "./steps.ts";

test("[P-001] [P-020] one item's versions are listed, and new ones appear on top", async ({
  page,
  person,
}) => {
  const name = `book-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  const item = await waitForBackup(person, name);
  // The page shows the name in the query, not the item's name.
  const shown = `${name}-shown`;
  const dialog = page.getByRole("dialog", { name: /^Restore / });

  await test.step("[P-022] [P-026] [P-103] run=true opens the restore dialog, once", async () => {
    const asked = page.waitForRequest((request) => request.url().endsWith("/api/user/get-items-backups"));
    await page.goto(historyUrl({ id: item.id, name: `${shown}::private` }, { run: "true" }));
    expect((await asked).postDataJSON()).toMatchObject({ itemId: item.id, page: 0, perPage: 10 });
    await expect(dialog).toBeVisible();
    await expect(page).not.toHaveURL(/run=/);
    await page.keyboard.press("Escape");
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(shown);
    await expect(dialog).toHaveCount(0);
  });
  const table = page.getByRole("table", { name: /^Versions of .*, newest first$/ });
  const entries = table.getByRole("row").filter({ hasText: /Backup|Restore/ });
  await test.step("[P-021] [P-027] [P-085] [P-088] [P-089] the page shows the item and links to its platform", async () => {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(new RegExp(`^${shown}\\s*PVT$`));
    await expect(page.getByRole("main").getByRole("img", { name: "GitHub" })).toBeVisible();
    const visit = page.getByRole("link", { name: "Visit GitHub" }).last();
    await expect(visit).toHaveAttribute("href", `${GITHUB_URL}/nora-lindqvist/${name}`);
    await expect(visit).toHaveAttribute("target", "_blank");
  });
  await test.step("[P-093] [P-094] [P-098] [P-099] [P-100] a version shows type, size and status, and can be downloaded", async () => {
    await expect(entries).toHaveCount(1);
    await expect(entries.first()).toContainText(/Backup\s*[\d.]+\s(B|KB)\s*Success/);
    await expect(entries.first().getByRole("button", { name: /^Request ZIP/ })).toBeVisible();
    await expect(entries.first().getByRole("button", { name: /^Restore/ })).toBeVisible();
  });
  await test.step("[P-201] [P-204] a new version appears on top of the open page and can be restored", async () => {
    const addressOf = (row: Locator) =>
      row.getByRole("link", { name: /^Open the version of/ }).getAttribute("href");
    const older = await addressOf(entries.first());
    await atGithub(`repos/nora-lindqvist/${name}/commits`, { count: 3 });
    await person.call("POST", "github/backup-now", { repoName: `nora-lindqvist/${name}` });
    await expect(entries).toHaveCount(2);
    await expect.poll(() => addressOf(entries.first())).not.toBe(older);
    await expect(entries.first().getByText("Success")).toBeVisible();
    const restore = entries.first().getByRole("button", { name: /^Restore/ });
    await expect(restore).toBeVisible();
    await expect(restore).not.toHaveAttribute("aria-disabled", "true");
    expect(await addressOf(entries.last())).toBe(older);
  });
  await test.step("[P-102] run=true opens the dialog for the first of several versions", async () => {
    await page.goto(historyUrl({ id: item.id, name }, { run: "true" }));
    await expect(dialog).toContainText("latest good");
    await page.keyboard.press("Escape");
  });
  await test.step("[P-084] the back link leads to the list, and View from there to the history", async () => {
    await page.getByRole("link", { name: "All repositories" }).first().click();
    await page.waitForURL(`**${GITHUB_LIST}**`);
    await page.getByRole("link", { name: `View ${name}` }).click();
    await page.waitForURL(`**/platform/backups/github?**id=${item.id}**`);
    await expect(entries).toHaveCount(2);
  });
  await test.step("[P-206] after signing out the browser stores nothing of a history", async () => {
    await page.getByRole("button", { name: /account menu/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/auth/login**");
    await page.goBack();
    await page.waitForURL("**/auth/login**");
    await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
    await expect(entries).toHaveCount(0);
  });
});

test("[P-090] [P-091] a long history is paged by the server, newest first", async ({ page, person }) => {
  const name = `long-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  const item = await waitForBackup(person, name);
  await addFailedDays(item.id, 10);
  await page.goto(historyUrl(item));
  const table = page.getByRole("table", { name: `Versions of ${name}, newest first` });
  const entries = table.getByRole("row").filter({ has: page.locator(".v-time") });
  await expect(page.getByText("Showing 1 to 10 of 11")).toBeVisible();
  await expect(entries).toHaveCount(10);
  await expect(table.getByRole("columnheader", { name: "Date" })).toHaveAttribute("aria-sort", "descending");
  const dates = await entries.evaluateAll((rows) =>
    rows.map((row) => {
      const [date, time] = row.querySelectorAll("td");
      return Date.parse(`${date?.textContent} 2026 ${time?.textContent}`);
    }),
  );
  expect(dates).toEqual([...dates].sort((a, b) => b - a));
  expect(new Set(dates).size).toBe(10);
  const asked = page.waitForRequest(
    (request) => request.url().endsWith("/api/user/get-items-backups") && request.postDataJSON().page === 1,
  );
  await page.getByRole("button", { name: "Next" }).click();
  expect((await asked).postDataJSON()).toMatchObject({ perPage: 10 });
  await expect(page.getByText("Showing 11 to 11 of 11")).toBeVisible();
  await expect(entries).toHaveCount(1);
  await test.step("[P-029] without an item the page redirects to the dashboard", async () => {
    await page.goto("/platform/backups/github?name=nothing");
    await page.waitForURL((url) => url.pathname === "/");
  });
});

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { APP_URL } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST, waitForBackup } from "./steps.ts";

test("without scripts lists are filtered and searched, and keep the rest of their address", async ({
  browser,
  page,
  person,
}) => {
  const names = ["kept", "other"].map((word) => `${word}-${randomUUID().slice(0, 4)}`);
  for (const name of names) await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", names);
  const { id } = await waitForBackup(person, names[0]!);
  const pausing = { reposIds: [{ id }], is_daily_backed_up: false };
  await person.call("PUT", "github/update-daily-backup-items-statuses", pausing);
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: APP_URL, storageState });
  const plain = await context.newPage();

  await test.step("a filter of items, then a search among them", async () => {
    await plain.goto(`${GITHUB_LIST}?sort=-name`);
    const rows = plain.getByRole("link", { name: /^View / });
    await expect(rows).toHaveCount(2);
    await plain.getByRole("button", { name: "Paused 1" }).click();
    await expect(rows).toHaveCount(1);
    await expect(rows).toHaveAccessibleName(`View ${names[0]}`);
    await search(plain, "Search repositories", names[1]!);
    await expect(rows).toHaveCount(0);
    expect(queryOf(plain)).toEqual({ sort: "-name", filter: "paused", q: names[1] });
    await expect(plain.getByRole("button", { name: /^Paused/ })).toHaveAttribute("aria-pressed", "true");
    await plain.getByRole("button", { name: /^All/ }).click();
    await expect(rows).toHaveAccessibleName(`View ${names[1]}`);
  });

  await test.step("the audit trail by kind of action, then by platform", async () => {
    await plain.goto("/audit");
    await plain.getByRole("button", { name: /^Sign-ins/ }).click();
    await plain.getByLabel("Platform").selectOption("github");
    await plain.getByRole("button", { name: "Apply filters" }).click();
    expect(queryOf(plain)).toEqual({ group: "sign-ins", platform: "github" });
    await expect(plain.getByLabel("Platform")).toHaveValue("github");
  });
  await context.close();
});

async function search(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label);
  await field.fill(text);
  await field.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("q") === text);
}

/** The address's query without empty values. */
function queryOf(page: Page): Record<string, string> {
  const search = new URL(page.url()).searchParams;
  return Object.fromEntries([...search].filter(([, value]) => value !== ""));
}

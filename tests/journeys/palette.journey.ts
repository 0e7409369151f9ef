import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { atGithub, createRepository } from "./outside.ts";
import { waitForCheck } from "./repositories.ts";
import { addRepositories, connect, GITHUB_LIST, waitForBackup } from "./steps.ts";

test("the palette finds an item, backs it up, opens its newest version and its restore, with the keyboard", async ({
  page,
  person,
}) => {
  const name = `palette-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await atGithub(`repos/nora-lindqvist/${name}/files`, {
    files: [{ path: "forms/login-button.tsx", base64: btoa("blue") }],
  });
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  const { id, lastBackupAt } = await waitForBackup(person, name);
  await page.goto("/settings");

  const field = page.getByRole("combobox");
  await openPalette(page, "Find an item, a page or a command");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.type(name);
  const item = page.getByRole("option", { name: new RegExp(`^${name}`) });
  await expect(item).toHaveAttribute("aria-selected", "true");
  await expect(field).toHaveAttribute("aria-activedescendant", (await item.getAttribute("id")) ?? "");
  await page.keyboard.press("Enter");
  await expect(field).toHaveAccessibleName("Choose a version or a command");
  await expect(page.getByRole("group", { name: "Newest versions" }).getByRole("option")).toHaveCount(1);
  expect(await accessibilityFaults(page)).toEqual([]);

  await test.step("Backup now runs, and is not offered again", async () => {
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page.getByText(`Backup of ${name} is queued`)).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await waitForBackup(person, name, (found) => found.lastBackupAt !== lastBackupAt);
    await openPalette(page, "Find an item, a page or a command");
    await page.keyboard.type("backup now");
    await page.keyboard.press("Enter");
    await expect(field).toHaveAccessibleName("Which item shall be backed up now?");
    await page.keyboard.type(name);
    await expect(item).toHaveAttribute("aria-disabled", "true");
    await expect(item).toContainText("again in");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
  });

  await test.step("Escape leads back and then closes", async () => {
    await page.keyboard.press("Escape");
    await expect(field).toHaveAccessibleName("Find an item, a page or a command");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("Restore opens the item's dialog", async () => {
    await openPalette(page, "Find an item, a page or a command");
    await page.keyboard.type("restore");
    await expect(page.getByRole("option", { name: "Restore…" })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await page.keyboard.type(name);
    await expect(item).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: `Restore ${name}` })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("the newest version opens, by pointer too", async () => {
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.keyboard.type(name);
    await item.click();
    await page.getByRole("option", { name: /newest$/ }).click();
    await page.waitForURL("**/version/**");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  });

  await test.step("a name inside the newest version is found, and opens where it is seen", async () => {
    await waitForCheck(person, { id });
    await openPalette(page, "Find an item, a page or a command");
    await page.keyboard.type("LOGIN");
    const offer = page.getByRole("option", { name: "Find “LOGIN” inside versions" });
    await expect(offer).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(field).toHaveAccessibleName("Find a card, an issue, a page or a file");
    const file = page.getByRole("option", { name: `login-button.tsx ${name}/forms file` });
    await expect(file).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("status")).toHaveText("1 name found inside the newest version of 1 item.");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/version/files?**path=forms%2Flogin-button.tsx**");
    await expect(page.getByText("blue")).toBeVisible();
  });
});

test("? lists the shortcuts, which act outside of fields and can be turned off; arrow keys move between rows", async ({
  page,
  person,
}) => {
  const names = [0, 1].map((at) => `keys-${at}-${randomUUID().slice(0, 4)}`);
  for (const name of names) await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", names);
  await page.goto(GITHUB_LIST);
  const [first, second] = names.map((name) => page.getByRole("link", { name: `View ${name}` }));
  await first?.focus();
  await page.keyboard.press("ArrowDown");
  await expect(second!).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(second!).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(first!).toBeFocused();
  await page.keyboard.press("/");
  const search = page.getByRole("textbox", { name: "Search repositories" });
  await expect(search).toBeFocused();
  await page.keyboard.type("?g");
  await expect(search).toHaveValue("?g");
  // Else the search, a second later, would open the list again.
  await search.fill("");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.waitForURL((url) => url.pathname === "/");
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await keys.getByRole("switch", { name: /^Shortcuts of single keys/ }).click();
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);
  await page.keyboard.press("?");
  await openPalette(page, "Find an item, a page or a command");
  await page.keyboard.type("shortcuts");
  await page.keyboard.press("Enter");
  await expect(keys.getByRole("switch")).not.toBeChecked();
});

test("what is typed while the palette is still loading is in its field, and does not act on the page", async ({
  page,
  person: _signedIn,
}) => {
  await connect(page);
  await page.goto("/settings");
  const { promise: isLetIn, resolve: letIn } = Promise.withResolvers<void>();
  const wanted = page.waitForRequest(/\/palette-[^/]+\.js$/);
  await page.route(/\/palette-[^/]+\.js$/, async (route) => {
    await isLetIn;
    await route.continue();
  });
  await page.getByLabel("First name").focus();
  const before = await page.getByLabel("First name").inputValue();
  await page.keyboard.press("ControlOrMeta+k");
  await wanted;
  await page.keyboard.type("audx");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("it");
  letIn();
  const field = page.getByRole("dialog").getByRole("combobox");
  await expect(field).toHaveValue("audit");
  await expect(page.getByRole("option", { name: "Audit" }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("First name")).toHaveValue(before);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(field).toHaveValue("");
});

async function openPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name })).toBeFocused();
}

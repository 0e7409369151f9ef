import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "#tests/journeys/fixtures.ts";
import { rowOf } from "#tests/journeys/steps.ts";
import {
  bookAt,
  connectSite,
  historyPath,
  LIST,
  look,
  makeBook,
  openNewest,
  protectBooks,
  settled,
} from "./steps.ts";

/** Chooses an item of the account. Its full name ends with its id. */
async function chooseTarget(dialog: Locator, name: string): Promise<void> {
  const into = dialog.getByRole("combobox", { name: "Restore into" });
  const option = into.locator("option").filter({ hasText: `${name} (` });
  await into.selectOption(await option.getAttribute("value"));
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: /^Restore / });

test("a version is restored into a new book and into one that exists, by what people answer, and a part of it too", async ({
  page,
  person,
}, info) => {
  test.slow();
  const mark = randomUUID().slice(0, 4);
  const [name, target] = [`Source ${mark}`, `Target ${mark}`];
  const id = await makeBook(name);
  await makeBook(target);
  await connectSite(person, page);
  await protectBooks(person, [id]);
  const item = await settled(person, name);
  const rowsOf = async (book: string) => (await bookAt(book))?.rows.length;

  await test.step("a new book is asked for who may see it", async () => {
    await page.goto(historyPath(item));
    await page.getByRole("button", { name: "Restore latest good" }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole("combobox", { name: "Restore into" }).selectOption({ label: "A new book" });
    await dialog.getByRole("textbox", { name: "New name" }).fill(`${name} again`);
    await dialog.getByRole("combobox", { name: "Who may see the new book" }).selectOption("site");
    await look(page, info, "restore-new");
    await dialog.getByRole("button", { name: /^Restore into/ }).click();
    await expect(page.getByText("Your restore is now in process")).toBeVisible();
    await expect.poll(async () => (await bookAt(`${name} again`))?.rows.length, { timeout: 60_000 }).toBe(10);
    await settled(person, name);
  });

  await test.step("into a book that exists columns are matched, and a place must be chosen", async () => {
    await page.goto(historyPath(item));
    await page.getByRole("button", { name: "Restore latest good" }).click();
    const dialog = dialogOf(page);
    await chooseTarget(dialog, target);
    await expect(dialog.getByRole("heading", { name: "Columns of the registers" })).toBeVisible();
    const submit = dialog.getByRole("button", { name: /^Restore into/ });
    await expect(submit).toHaveAttribute("aria-disabled", "true");
    await look(page, info, "restore-existing");
    await dialog
      .getByRole("combobox", { name: "Where it goes" })
      .selectOption({ label: "At the top of the book" });
    await dialog.getByRole("textbox", { name: "Words before the restored titles" }).fill("Back: ");
    const before = (await rowsOf(target)) ?? 0;
    await submit.click();
    await expect.poll(() => rowsOf(target), { timeout: 60_000 }).toBe(before + 10);
    await settled(person, name);
  });

  await test.step("a page and a row are restored from where they are read", async () => {
    await openNewest(page, item);
    await page.getByRole("button", { name: /^Restore page/ }).click();
    await look(page, info, "restore-page");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Berths", exact: true }).first().click();
    await page.getByRole("link", { name: "North 2" }).first().click();
    await page.getByRole("button", { name: /^Restore row/ }).click();
    const dialog = dialogOf(page);
    await chooseTarget(dialog, target);
    await look(page, info, "restore-row");
  });

  await test.step("the history reports what came back", async () => {
    await page.goto(historyPath(item));
    await page.screenshot({ path: info.outputPath("history.png"), fullPage: true });
  });

  await test.step("several books are restored together", async () => {
    await page.goto(LIST);
    await rowOf(page, name).getByRole("checkbox").first().check();
    await page.getByRole("toolbar").getByRole("button", { name: "Restore" }).click();
    await page.waitForURL("**/bulk-restore");
    await look(page, info, "bulk");
  });
});

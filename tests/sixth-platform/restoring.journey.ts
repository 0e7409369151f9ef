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
  rowsAt,
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
  const targetId = await makeBook(target);
  await connectSite(person, page);
  await protectBooks(person, [id, targetId]);
  const item = await settled(person, name);
  await settled(person, target);
  // What the versions hold: the walk adds to the target.
  const kept = { [name]: await rowsAt(name), [target]: await rowsAt(target) };
  expect(kept[name]).toHaveLength(10);
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
    await expect.poll(() => rowsAt(`${name} again`), { timeout: 60_000 }).toEqual(kept[name]);
    // The default is "private".
    expect((await bookAt(`${name} again`))?.sharing).toBe("site");
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

  await test.step("a page is restored from where it is read, with what is below it", async () => {
    await openNewest(page, item);
    await page.getByRole("button", { name: "Restore page" }).click();
    const dialog = dialogOf(page);
    await chooseTarget(dialog, target);
    const planned = page.waitForResponse("**/api/versions/restore-plan?**");
    await dialog.getByRole("combobox", { name: "Where it goes" }).selectOption({ index: 1 });
    await planned;
    await look(page, info, "restore-page");
    const before = (await bookAt(target))?.pages.length ?? 0;
    await dialog.getByRole("button", { name: /^Restore into/ }).click();
    await expect.poll(async () => (await bookAt(target))?.pages.length, { timeout: 60_000 }).toBe(before + 4);
    await settled(person, name);
  });

  await test.step("a row is restored into the register whose columns are chosen", async () => {
    await openNewest(page, item);
    await page.getByRole("link", { name: "Berths", exact: true }).first().click();
    await page.getByRole("link", { name: "North 2" }).first().click();
    await page.getByRole("button", { name: "Restore row" }).click();
    const dialog = dialogOf(page);
    await chooseTarget(dialog, target);
    const place = dialog.getByRole("combobox", { name: "Where it goes" });
    await place.selectOption({ label: "At the top of the book" });
    const planned = page.waitForResponse("**/api/versions/restore-plan?**");
    await dialog.getByRole("combobox", { name: /^Match for Berths · Captain/ }).selectOption("");
    await expect(dialog.getByText("7 of 8 matched")).toBeVisible();
    await planned;
    await look(page, info, "restore-row");
    const before = (await rowsOf(target)) ?? 0;
    await dialog.getByRole("button", { name: /^Restore into/ }).click();
    await expect.poll(() => rowsOf(target), { timeout: 60_000 }).toBe(before + 1);
    await settled(person, name);
  });

  await test.step("the history reports each restore", async () => {
    await page.goto(historyPath(item));
    const reports = page.getByRole("link", { name: /^Report of the restore/ });
    await expect(reports).toHaveCount(4);
    await reports.first().click();
    await expect(
      page.getByText(`was added to the book ${target} as North 2. Only this part was restored.`),
    ).toBeVisible();
    await look(page, info, "report-part");
    await page.goBack();
    await reports.last().click();
    await expect(page.getByRole("table", { name: "What came back" })).toContainText("Book");
    await expect(page.getByText("The original was not touched.")).toBeVisible();
    await look(page, info, "report");
  });

  await test.step("several books are restored together, each into a new one", async () => {
    await page.goto(LIST);
    for (const each of [name, target]) await rowOf(page, each).getByRole("checkbox").first().check();
    await page.getByRole("toolbar").getByRole("button", { name: "Restore" }).click();
    await page.waitForURL("**/bulk-restore");
    await expect(page.getByRole("textbox", { name: `New name of ${target}` })).toBeVisible();
    await look(page, info, "bulk");
    await page.getByRole("button", { name: "Continue" }).click();
    const restore = page.getByRole("button", { name: "Restore 2 items", exact: true });
    await look(page, info, "bulk-check");
    await restore.click();
    await expect(page.getByText("Your restores are now in process", { exact: true })).toBeVisible();
    for (const each of [name, target]) {
      await expect.poll(() => rowsAt(`${each}_restored`), { timeout: 60_000 }).toEqual(kept[each]);
      expect((await bookAt(`${each}_restored`))?.sharing).toBe("private");
    }
  });
});

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "#tests/journeys/fixtures.ts";
import {
  atAlmanac,
  bookAt,
  connectSite,
  expectPainted,
  historyPath,
  look,
  makeBook,
  openNewest,
  protectBooks,
  settled,
} from "./steps.ts";

test("pages and tables of a version are read, searched and compared, and the ZIP shows them from the disk", async ({
  page,
  person,
  context,
  expectComplaint,
}, info) => {
  // The file that is no picture.
  expectComplaint(/status of 404/);
  test.slow();
  const name = `Harbour ${randomUUID().slice(0, 4)}`;
  const id = await makeBook(name);
  const files = [{ name: "odd.png", text: "This is no picture." }];
  await atAlmanac(`almanac/books/${id}/pages`, { title: "Odd", text: "A file of a wrong name.", files });
  await connectSite(person, page);
  await protectBooks(person, [id]);
  const item = await settled(person, name);
  await openNewest(page, item);
  const tree = page.getByRole("navigation", { name: "Pages of this version" });

  await test.step("the first page is open beside the tree, with its picture, properties and comments", async () => {
    await expect(page.getByRole("heading", { name: /Welcome aboard/ })).toBeVisible();
    await expectPainted(page.getByRole("img", { name: "harbour.png" }));
    await expect(page.getByText("Since six.")).toBeVisible();
    await expect(page.getByText("The diesel starts after 11 seconds.")).toBeHidden();
    await page.getByText("If the power fails").click();
    await expect(page.getByText("The diesel starts after 11 seconds.")).toBeVisible();
    await look(page, info, "page");
  });

  await test.step("a file that turns out to be no picture is not shown, and the next page's picture is", async () => {
    await tree.getByRole("link", { name: "Odd" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Odd" })).toBeVisible();
    await expect(page.getByRole("link", { name: "odd.png" }).first()).toBeVisible();
    await expect(page.getByRole("img", { name: "odd.png" })).toHaveCount(0);
    await tree.getByRole("link", { name: /Welcome aboard/ }).click();
    await expectPainted(page.getByRole("img", { name: "harbour.png" }));
  });

  await test.step("a page below is reached by unfolding the tree, which stays as it is", async () => {
    await tree.getByRole("button", { name: /Welcome aboard/ }).click();
    await tree.getByRole("link", { name: /The quay/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: /The quay/ })).toBeVisible();
    await tree.getByRole("link", { name: "Duties" }).click();
    await expect(page.getByRole("heading", { name: "Duties" })).toBeVisible();
    await expect(tree.getByRole("link", { name: /The quay/ })).toBeVisible();
    await look(page, info, "table-in-pages");
    await page.getByRole("link", { name: "Open the gate" }).click();
    await expect(page.getByText("The key hangs at the door.")).toBeVisible();
    await look(page, info, "row-in-pages");
  });

  await test.step("pages are found by their titles", async () => {
    await page.getByRole("textbox", { name: "Search pages" }).fill("rope");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main").getByRole("link", { name: /Ropes & fenders/ })).toBeVisible();
    await look(page, info, "search");
  });

  await test.step("a register is a table in five layouts", async () => {
    await page.goBack();
    await openNewest(page, item);
    await page.getByRole("link", { name: "Berths", exact: true }).first().click();
    const layouts = page.getByRole("navigation", { name: "Layout" });
    await expect(page.getByRole("columnheader")).toHaveText([
      ...["Title", "State", "Depth", "Booked", "Paid", "Captain", "Photo", "Next to"],
    ]);
    await look(page, info, "table");
    await layouts.getByRole("link", { name: "At a glance" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: "North 1" })).toContainText("Free");
    await look(page, info, "list");
    await layouts.getByRole("link", { name: "Photos" }).click();
    await expectPainted(page.locator(".row-gallery img").first());
    await look(page, info, "gallery");
    await layouts.getByRole("link", { name: "Bookings" }).click();
    await expect(page.getByRole("region", { name: "November 2026" })).toContainText("North 1");
    await look(page, info, "calendar");
    await layouts.getByRole("link", { name: "By state" }).click();
    await expect(page.getByRole("region", { name: "Free" })).toContainText("North 1");
    await look(page, info, "board");
    await page.getByRole("link", { name: "North 1" }).first().click();
    await expect(page.getByText("Repainted.")).toBeVisible();
    await look(page, info, "row");
  });

  await test.step("every record is listed too", async () => {
    await openNewest(page, item);
    await page.getByRole("link", { name: /^All records/ }).click();
    await expect(page.getByRole("main")).toContainText("Welcome aboard");
    await look(page, info, "records");
  });

  await test.step("two versions are compared page by page and row by row", async () => {
    const book = await bookAt(name);
    const of = (all: { id: string; title: string }[] | undefined, title: string) =>
      all?.find((one) => one.title === title)?.id ?? "";
    const at = `almanac/books/${id}`;
    await atAlmanac(`${at}/pages/${of(book?.pages, "The quay")}/edit`, { text: "The quay is closed." });
    await atAlmanac(`${at}/rows/${of(book?.rows, "North 1")}/edit`, { title: "North one" });
    await atAlmanac(`${at}/pages`, { title: "Winter", text: "Ice on the ropes." });
    await person.call("POST", "almanac/backup-now", { bookId: item.id });
    await settled(person, name, 2);
    await openNewest(page, item);
    await page.getByRole("link", { name: "Compare with the version before" }).click();
    await page.waitForURL("**/compare?**");
    await expect(page.getByRole("main")).toContainText("Winter");
    await look(page, info, "compare");
    await page.getByRole("link", { name: "The quay", exact: true }).first().click();
    await expect(page.getByRole("main")).toContainText("The quay is closed.");
    await look(page, info, "compare-page");
  });

  await test.step("the ZIP opens from the disk: the same pages and tables, and nothing is asked of the network", async () => {
    await page.goto(historyPath(item));
    await expect(page.getByText(/^verified \d/).first()).toBeVisible({ timeout: 60_000 });
    const zip = page.waitForEvent("download");
    await page
      .getByRole("button", { name: /^Request ZIP/ })
      .first()
      .click();
    const folder = info.outputPath("zip");
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, "book.zip");
    await (await zip).saveAs(file);
    execFileSync("unzip", ["-q", file, "-d", folder]);
    const found = execFileSync("find", [folder, "-name", "index.html"]).toString().trim().split("\n");
    const opened = await context.newPage();
    const asked: string[] = [];
    opened.on("request", (request) => asked.push(request.url()));
    await opened.goto(pathToFileURL(found[0] ?? "").href);
    await expect(opened.getByRole("heading", { level: 1 })).toContainText(name);
    await expect(opened.getByText("Welcome aboard").first()).toBeVisible();
    await opened.getByRole("button", { name: "Pages below Welcome aboard" }).click();
    await opened.getByRole("button", { name: /^(?!Pages below).*The quay/ }).click();
    await expect(opened.getByText("The quay is closed.")).toBeVisible();
    await look(opened, info, "zip");
    await opened.getByText("Berths", { exact: true }).first().click();
    await expect(opened.getByText("North one").first()).toBeVisible();
    await look(opened, info, "zip-table");
    expect(asked.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
    await opened.close();
  });
});

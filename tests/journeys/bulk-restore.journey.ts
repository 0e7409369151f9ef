import { randomUUID } from "node:crypto";
import { expect, test } from "./fixtures.ts";
import { OWNER, protect } from "./repositories.ts";
import { connect, GITHUB_LIST, rowOf } from "./steps.ts";

test("several repositories are selected in the list, named on one page and restored together", async ({
  page,
  person,
}, info) => {
  const shot = (name: string) => page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true });
  const mark = randomUUID().slice(0, 4);
  const names = [`quay-${mark}`, `crane-${mark}`];
  await connect(page);
  for (const name of names) await protect(person, name);
  await page.goto(GITHUB_LIST);
  for (const name of names) await rowOf(page, name).getByRole("checkbox").first().check();
  await test.step("[P-034] [P-037] [P-073] [P-117] [P-120] Restore opens the page, which links back and to GitHub", async () => {
    await page.getByRole("toolbar").getByRole("button", { name: "Restore" }).click();
    await expect(page).toHaveURL(/\/bulk-restore$/);
    await expect(page.getByRole("link", { name: "Back to All Repositories" })).toHaveAttribute(
      "href",
      "/platform/dashboard/github",
    );
    const visit = page.getByRole("link", { name: "Visit GitHub" });
    await expect(visit).toHaveAttribute("href", "https://github.com");
    await expect(visit).toHaveAttribute("target", "_blank");
    expect(await page.evaluate(() => localStorage.getItem("githubUser"))).toContain(OWNER);
  });

  const next = page.getByRole("button", { name: "Continue" });
  const step = page.locator('[aria-current="step"]');
  const name = page.getByRole("textbox", { name: `New name of ${names[0]}` });
  await test.step("[P-104] [P-105] [P-106] [P-107] [P-114] the first of two steps requests versions and names", async () => {
    await expect(step).toHaveText("1Versions and names");
    await expect(page.getByRole("row")).toHaveCount(1 + names.length);
    for (const each of names) {
      const version = page.getByRole("combobox", { name: `Version of ${each}` });
      await expect(version.getByRole("option").first()).toHaveText(/^\d+ \w+ \d\d:\d\d, [\d.]+\s(B|KB)$/);
      await expect(page.getByRole("textbox", { name: `New name of ${each}` })).toHaveValue(
        `${each}_restored`,
      );
    }
    await expect(next).not.toHaveAttribute("aria-disabled", "true");
    await shot("choose");
    await name.fill("");
    await expect(next).toContainText("name each item");
    await name.fill(`again-${mark}`);
  });
  await test.step("[P-109] [P-116] an item is removed and added again", async () => {
    await page.getByRole("button", { name: `Remove ${names[1]} from this restore` }).click();
    await expect(page.getByRole("combobox", { name: /^Version of/ })).toHaveCount(1);
    await page.getByRole("button", { name: "Add items" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("checkbox", { name: new RegExp(names[1] ?? "") }).check();
    await shot("add");
    await dialog.getByRole("button", { name: "Add 1" }).click();
    await expect(page.getByRole("combobox", { name: `Version of ${names[1]}` })).toBeVisible();
  });

  const costs: number[] = [];
  page.on("response", async (answer) => {
    if (!answer.url().includes("/api/versions/restore-plan?")) return;
    const { result } = (await answer.json()) as { result: { cost: { calls: number } } };
    costs.push(result.cost.calls);
  });
  const restore = page.getByRole("button", { name: "Restore 2 items", exact: true });
  const versionOf = (each: string) =>
    page
      .getByRole("combobox", { name: `Version of ${each}` })
      .locator("option:checked")
      .textContent();
  const chosen = await Promise.all(names.map(versionOf));
  await next.click();
  await test.step("[P-110] [P-111] [P-115] the second step shows a summary and requests e-mail addresses", async () => {
    await expect(step).toHaveText("2Check and restore");
    for (const [at, to] of [`again-${mark}`, `${names[1]}_restored`].entries()) {
      const cells = page.getByRole("row").filter({ hasText: to }).getByRole("cell");
      const [date = ""] = (chosen[at] ?? "").split(",");
      // The name has the mark of a private repository; the last cell removes the item.
      await expect(cells).toHaveText([`${names[at]}PVT`, date, to, ""]);
    }
    await expect(page.getByLabel("Notify by e-mail")).toHaveValue("");
    await expect(restore).not.toHaveAttribute("aria-disabled", "true");
  });
  await expect(page.getByText("2 new repositories will be created")).toBeVisible();
  const cost = page.getByText(/^About \d+ calls to GitHub, .* at its limits\.$/);
  await expect(cost).toBeVisible();
  // The page has read the responses; this listener may still be reading them.
  await expect.poll(() => costs.length).toBe(2);
  await expect(cost).toContainText(`About ${(costs[0] ?? 0) + (costs[1] ?? 0)} calls`);
  await test.step("[P-113] [P-239] Back returns to the first step with the entered values", async () => {
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await expect(step).toHaveText("1Versions and names");
    await expect(name).toHaveValue(`again-${mark}`);
    expect(await Promise.all(names.map(versionOf))).toEqual(chosen);
  });
  await page.setViewportSize({ width: 375, height: 800 });
  await shot("choose-375");
  await next.click();
  await shot("check-375");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "dark" });
  await shot("check");
  await test.step("[P-240] [P-241] [P-242] the restores start, the selection is cleared, and the page leads to the dashboard", async () => {
    await restore.click();
    await expect(page.getByText("Your restores are now in process", { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/:\d+\/$/);
    expect(await page.evaluate(() => localStorage.getItem("selectedItem"))).toBeNull();
  });
});

test("[P-035] [P-036] without the platform or the items in the browser's storage the page redirects to the dashboard", async ({
  page,
  person,
}) => {
  const mark = randomUUID().slice(0, 4);
  const names = [`mole-${mark}`, `pier-${mark}`];
  await connect(page);
  for (const name of names) await protect(person, name);
  await page.goto(GITHUB_LIST);
  for (const name of names) await rowOf(page, name).getByRole("checkbox").first().check();
  await page.getByRole("toolbar").getByRole("button", { name: "Restore" }).click();
  const versions = page.getByRole("combobox", { name: /^Version of/ });
  await expect(versions).toHaveCount(2);
  for (const key of ["bulkPlatform", "selectedItem"]) {
    // The open page would write its key again, so this removes the key on another page.
    await page.goto("/");
    const value = await page.evaluate((name) => localStorage.getItem(name), key);
    expect(value).not.toBeNull();
    await page.evaluate((name) => localStorage.removeItem(name), key);
    await page.goto("/bulk-restore");
    await expect(page).toHaveURL(/:\d+\/$/);
    await page.evaluate(([name, text]) => localStorage.setItem(name ?? "", text ?? ""), [key, value]);
    await page.goto("/bulk-restore");
    await expect(versions).toHaveCount(2);
    await expect(page).toHaveURL(/\/bulk-restore$/);
  }
});

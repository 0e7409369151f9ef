import { randomUUID } from "node:crypto";
import { expect, test } from "./fixtures.ts";
import { OWNER, protect } from "./repositories.ts";
import { connect, GITHUB_LIST, rowOf } from "./steps.ts";

test("[P-034] [P-037] [P-073] [P-104] [P-105] [P-106] [P-107] [P-109] [P-110] [P-111] [P-113] [P-114] [P-115] [P-116] [P-117] [P-120] [P-239] [P-240] [P-242] several repositories are chosen in the list, named on one page and restored together", async ({
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
  await page.getByRole("toolbar").getByRole("button", { name: "Restore" }).click();
  await expect(page).toHaveURL(/\/bulk-restore$/);
  await expect(page.getByRole("link", { name: "Back to All Repositories" })).toHaveAttribute(
    "href",
    "/platform/dashboard/github",
  );
  await expect(page.getByRole("link", { name: "Visit GitHub" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("githubUser"))).toContain(OWNER);

  const next = page.getByRole("button", { name: "Continue" });
  await expect(next).not.toHaveAttribute("aria-disabled", "true");
  await shot("choose");
  const name = page.getByRole("textbox", { name: `New name of ${names[0]}` });
  await name.fill("");
  await expect(next).toContainText("name each item");
  await name.fill(`again-${mark}`);
  await page.getByRole("button", { name: `Remove ${names[1]} from this restore` }).click();
  await expect(page.getByRole("combobox", { name: /^Version of/ })).toHaveCount(1);
  await page.getByRole("button", { name: "Add items" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: new RegExp(names[1] ?? "") }).check();
  await shot("add");
  await dialog.getByRole("button", { name: "Add 1" }).click();
  await expect(page.getByRole("combobox", { name: /^Version of/ })).toHaveCount(2);

  const costs: number[] = [];
  page.on("response", async (answer) => {
    if (!answer.url().includes("/api/versions/restore-plan?")) return;
    const { result } = (await answer.json()) as { result: { cost: { calls: number } } };
    costs.push(result.cost.calls);
  });
  await next.click();
  await expect(page.getByText("2 new repositories will be created")).toBeVisible();
  const cost = page.getByText(/^About \d+ calls to GitHub, .* at its limits\.$/);
  await expect(cost).toBeVisible();
  expect(costs).toHaveLength(2);
  await expect(cost).toContainText(`About ${(costs[0] ?? 0) + (costs[1] ?? 0)} calls`);
  await page.getByRole("button", { name: "Back" }).click();
  await expect(name).toHaveValue(`again-${mark}`);
  await page.setViewportSize({ width: 375, height: 800 });
  await shot("choose-375");
  await next.click();
  await shot("check-375");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "dark" });
  await shot("check");
  await page.getByRole("button", { name: "Restore 2 items" }).click();
  await expect(page.getByText("Your restores are now in process")).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  expect(await page.evaluate(() => localStorage.getItem("selectedItem"))).toBeNull();
});

test("[P-035] [P-036] without the platform or the items in the browser's storage the page leads to the dashboard", async ({
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
    // The page itself writes what it works on whenever that changes, so the key is taken away elsewhere.
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

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { addRepositories, connect, GITHUB_LIST, historyUrl, rowOf, waitForBackup } from "./steps.ts";

type Refusal = { status: "failure" | "warning"; message: string; code?: string };

/** Fails the next calls of a path with an error response. */
async function refuse(page: Page, path: string, refusal: Refusal): Promise<void> {
  await page.route(`**/api/github/${path}**`, (route) =>
    route.fulfill({ status: 403, json: { result: null, code: "err.request.invalid", ...refusal } }),
  );
}

test("[P-415] [P-416] [P-422] [P-431] a refusal shows a dialog with the server's sentence, and a limit leads to the subscription", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of (403|404)/);
  const name = `refused-${randomUUID().slice(0, 4)}`;
  const spare = `${name}-spare`;
  for (const each of [name, spare]) await createRepository(`nora-lindqvist/${each}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  const item = await waitForBackup(person, name);
  await page.goto(GITHUB_LIST);

  await refuse(page, "update-daily-backup-items-statuses", {
    status: "failure",
    message: "The switch is stuck",
  });
  await rowOf(page, name).getByRole("switch").click();
  const error = page.getByRole("dialog", { name: "Error" });
  await expect(error).toContainText("The switch is stuck.");
  await error.getByRole("button", { name: "Close" }).last().click();
  await expect(error).toHaveCount(0);
  await expect(rowOf(page, name).getByRole("switch")).toBeChecked();

  await refuse(page, "delete-repos", { status: "warning", message: "Wait for the restore." });
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  const deletion = page.getByRole("dialog", { name: `Delete ${name}` });
  await deletion.getByRole("textbox").fill(name);
  await deletion.getByRole("button", { name: "Delete" }).click();
  const warning = page.getByRole("dialog", { name: "Warning" });
  await expect(warning).toContainText("Wait for the restore.");
  await expect(warning.getByRole("button", { name: "Edit subscription" })).toHaveCount(0);
  await warning.getByRole("button", { name: "Close" }).last().click();

  const limit = "You have reached the backup limit on your current subscription.";
  await refuse(page, "add-github-repos", { status: "warning", message: limit, code: "err.item.limit" });
  await page.getByRole("button", { name: "Add repositories" }).first().click();
  const adding = page.getByRole("dialog", { name: "Add repositories" });
  await adding.getByRole("textbox").fill(spare);
  await adding.getByRole("checkbox", { name: spare }).check();
  await adding.getByRole("button", { name: "Add 1 repository" }).click();
  await expect(warning).toContainText(limit);
  await warning.getByRole("button", { name: "Edit subscription" }).click();
  await page.waitForURL("**/checkout**");
  expect(await page.evaluate(() => localStorage.getItem("checkout-platform"))).toBe("github");

  await refuse(page, "github-get-zip", { status: "failure", message: "There is no room for a ZIP" });
  await page.goto(historyUrl({ id: item.id, name }));
  await page.getByRole("button", { name: /^Request ZIP/ }).click();
  await expect(page.getByRole("dialog", { name: "Warning" })).toContainText("There is no room for a ZIP");
});

test("[P-023] [P-426] [P-427] [P-428] [P-429] a list that fails to load can be left, closed or reloaded, and a history leads back", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of (403|404)/);
  const name = `unread-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  const item = await waitForBackup(person, name);
  await page.goto(GITHUB_LIST);
  await refuse(page, "get-user-github-items", { status: "failure", message: "The shelf is locked" });
  const search = page.getByRole("textbox", { name: "Search repositories" });
  const dialog = page.getByRole("dialog", { name: "Error" });
  const fail = async (text: string) => {
    await search.fill(text);
    await search.press("Enter");
    await expect(dialog).toContainText("The shelf is locked. Please refresh the page or contact us.");
  };
  await fail("a");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await fail("b");
  await dialog.getByRole("button", { name: "Contact Us" }).click();
  await page.waitForURL("**/contact");
  await page.goto(GITHUB_LIST);
  await fail("c");
  await page.unroute("**/api/github/get-user-github-items**");
  const loaded = page.waitForEvent("load");
  await dialog.getByRole("button", { name: "Refresh" }).click();
  await loaded;
  await expect(dialog).toHaveCount(0);

  await page.goto(GITHUB_LIST);
  const view = page.getByRole("link", { name: `View ${name}` });
  await expect(view).toHaveAttribute("href", /[?&]user=nora-lindqvist(&|$)/);
  await view.click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  expect(new URL(page.url()).searchParams.get("id")).toBe(item.id);
  await page.goto(historyUrl({ id: "itm_00000000000000000000000000", name: "lost" }));
  await page.waitForURL(`**${GITHUB_LIST}`);
  await expect(page.getByText("We could not find what you asked for").first()).toBeVisible();
});

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { atGithub, createRepository } from "./outside.ts";
import { waitForCheck } from "./repositories.ts";
import { JOB_MS } from "./stack.ts";
import { addRepositories, connect, historyUrl, waitForBackup } from "./steps.ts";

const OWNER = "nora-lindqvist";

/** Confirms the dialog of a restore into the original, and opens the report of this one, the `count`th of the item. */
async function restoreAndRead(page: Page, item: { id: string; name: string }, count: number): Promise<void> {
  const dialog = page.getByRole("dialog", { name: /^Restore / });
  const into = dialog.getByRole("combobox", { name: "Restore into" });
  await expect(into.locator("option:checked")).toHaveText(`${OWNER}/${item.name} (original)`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: `Restore into ${item.name}` }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto(historyUrl(item));
  const reports = page.getByRole("link", { name: /^Report of the restore/ });
  await expect(reports).toHaveCount(count, { timeout: JOB_MS });
  await reports.first().click();
}

test("one issue, one file and all labels come back alone from what a version shows", async ({
  page,
  person,
}) => {
  test.slow();
  const name = `part-${randomUUID().slice(0, 4)}`;
  const repository = `repos/${OWNER}/${name}`;
  await createRepository(`${OWNER}/${name}`);
  await atGithub(`${repository}/files`, {
    files: [{ path: "docs/berths.md", base64: btoa("Seven berths.") }],
  });
  await atGithub(`${repository}/generate`, { issues: 3, commentsPerIssue: 1, eventsPerIssue: 0 });
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);
  const { snapshotId } = await waitForCheck(person, item);
  const version = { id: item.id, version: snapshotId ?? "" };
  const open = (frame: string, more: Record<string, string>) =>
    page.goto(`/platform/backups/github/version/${frame}?${new URLSearchParams({ ...version, ...more })}`);

  await test.step("an issue becomes a new issue of its repository", async () => {
    await page.goto(`/platform/backups/github/version?${new URLSearchParams(version)}`);
    await page.getByRole("link", { name: /^Issues \d/ }).click();
    const lines = page.getByRole("region", { name: "Issues" }).getByRole("listitem");
    await lines.filter({ hasText: "#2" }).getByRole("link").first().click();
    await page
      .getByRole("complementary", { name: "Facts" })
      .getByRole("button", { name: /^Restore / })
      .click();
    await restoreAndRead(page, { id: item.id, name }, 1);
    await expect(page.getByRole("main")).toContainText("#4");
  });

  await test.step("a file that is gone becomes a branch with one commit", async () => {
    await atGithub(`${repository}/files`, { deleted: ["docs/berths.md"] });
    await open("files", { in: "git", ref: "refs/heads/main", path: "docs/berths.md" });
    await expect(page.getByRole("main")).toContainText("Seven berths.");
    await page.getByRole("button", { name: "Restore file" }).click();
    await expect(page.getByRole("dialog").getByText("As a new branch with one commit")).toBeVisible();
    await restoreAndRead(page, { id: item.id, name }, 2);
    await expect(page.getByRole("main")).toContainText("one commit on top of the default branch");
  });

  await test.step("labels come back together, and those that are there stay", async () => {
    await open("records", { kind: "label" });
    await page.getByRole("button", { name: "Restore label set" }).click();
    await expect(page.getByRole("dialog").getByText("One that it has stays")).toBeVisible();
    await restoreAndRead(page, { id: item.id, name }, 3);
  });
});

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { accessibilityFaults } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { atGithub, createRepository } from "./outside.ts";
import { addRepositories, connect, GITHUB_LIST, historyUrl, rowOf, waitForBackup } from "./steps.ts";

const OWNER = "nora-lindqvist";
const BIDI = "invoice\u202Efdp.exe";
const ATTACK = "window.__ran = 1";
const files = (text: Record<string, string>) => ({
  files: Object.entries(text).map(([path, value]) => ({
    path,
    base64: Buffer.from(value).toString("base64"),
  })),
});

test("an alarm links from the row to the line-by-line changes and ends when acknowledged", async ({
  page,
  person,
}) => {
  const name = `gone-${randomUUID().slice(0, 4)}`;
  const repository = `repos/${OWNER}/${name}`;
  await createRepository(`${OWNER}/${name}`);
  await atGithub(
    `${repository}/files`,
    files({
      "notes.md": "# Notes\n\nWe give up after one attempt.\nSeen in 4.8.0.\n",
      "page.html": `<script>${ATTACK}</script>\n<p>old</p>\n`,
      "tool.bin": "\u0000\u0001old",
      [BIDI]: "one\n",
    }),
  );
  await atGithub(`${repository}/generate`, { issues: 12 });
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);
  await atGithub(
    `${repository}/files`,
    files({
      "notes.md": "# Notes\n\nWe give up after three attempts.\nSeen in 4.8.0.\n",
      "page.html": `<script>${ATTACK}</script>\n<p>new</p><img src=x onerror="${ATTACK}">\n`,
      "tool.bin": "\u0000\u0001new",
      [BIDI]: "two\n",
    }),
  );
  await atGithub(`${repository}/issues/delete`, { count: 7 });
  await person.call("POST", "github/backup-now", { repoName: `${OWNER}/${name}` });
  await waitForBackup(person, name, ({ versionCount, alarm }) => versionCount === 2 && alarm !== null);

  await page.goto(GITHUB_LIST);
  const row = rowOf(page, name);
  await expect(row).toContainText("Alarm");
  await expect(page.getByText("7 of 12 issues are gone.")).toBeVisible();
  await page.goto(historyUrl(item));
  await page.getByRole("link", { name: "See what changed" }).click();
  await page.waitForURL("**/compare?**");

  const issues = page.getByRole("region", { name: "Issues", exact: true });
  await expect(issues).toContainText("−7 removed");
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(csv.suggestedFilename()).toBe(`${name} differences.csv`);
  const rows = (await readFile(await csv.path(), "utf8")).trimEnd().split("\r\n");
  expect(rows.filter((row) => row.startsWith("Issues,removed,"))).toHaveLength(7);
  await page.getByRole("link", { name: "main", exact: true }).click();
  const branch = page.getByRole("link", { name: "main", exact: true });
  await expect(branch).toHaveAttribute("aria-expanded", "true");
  await page.getByRole("link", { name: "notes.md", exact: true }).click();
  const changes = page.getByRole("region", { name: "Changes of notes.md" });
  await expect(changes.locator("mark")).toHaveText(["one attempt", "three attempts"]);
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole("link", { name: "page.html", exact: true }).click();
  await expect(page.getByRole("region", { name: "Changes of page.html" })).toContainText(
    `<img src=x onerror="${ATTACK}">`,
  );
  await page.getByRole("link", { name: "tool.bin", exact: true }).click();
  await expect(page.getByText("This file is not text", { exact: false })).toBeVisible();
  await page.getByRole("link", { name: "invoice⟨202E⟩fdp.exe", exact: true }).click();
  await expect(page.getByRole("region", { name: "Changes of invoice⟨202E⟩fdp.exe" })).toContainText("two");
  await page.getByRole("link", { name: "Open the older" }).click();
  await page.waitForURL("**/version/files?**");
  await expect(page.locator(".code-lines pre").last()).toHaveText("one\n");
  expect(await page.evaluate(() => (window as { __ran?: number }).__ran ?? 0)).toBe(0);

  await page.goto(historyUrl(item));
  await page.getByRole("button", { name: "I have looked at it" }).click();
  await expect(page.getByText("7 of 12 issues are gone.")).toBeHidden();
  await page.goto(GITHUB_LIST);
  await expect(rowOf(page, name)).not.toContainText("Alarm");
});

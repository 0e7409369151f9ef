import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { ATTACK, HOSTILE_FILES, lookAtHostileFiles, ranIn } from "./hostile.ts";
import { atGithub, atGitlab, createRepository } from "./outside.ts";
import type { JourneyPerson } from "./person.ts";
import { waitForCheck } from "./repositories.ts";
import { JOB_MS } from "./stack.ts";
import { addRepositories, connect, connectGitlab, GITHUB_LIST, historyUrl, waitForBackup } from "./steps.ts";

const OWNER = "nora-lindqvist";

test("a version is browsed by file and by record, and no script in it runs", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/the server responded with a status of 404/);
  const name = `peek-${randomUUID().slice(0, 4)}`;
  await createRepository(`${OWNER}/${name}`);
  await atGithub(`repos/${OWNER}/${name}/files`, { files: HOSTILE_FILES });
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);
  await page.goto(historyUrl({ id: item.id, name }));
  const open = page.getByRole("link", { name: /^Open the version of/ });
  // Files can be read once the check has built the index. The column's heading contains the same word.
  await expect(
    page
      .getByRole("cell")
      .filter({ hasText: /verified/ })
      .first(),
  ).toBeVisible({ timeout: JOB_MS });
  await open.first().click();
  await page.waitForURL("**/version/files?**");

  const table = page.getByRole("table");
  await expect(table.getByRole("link", { name: "README.md", exact: true })).toBeVisible({ timeout: JOB_MS });
  const folder = page.url();
  await lookAtHostileFiles(page, folder);

  const taken = await page.request.get(
    `/versions/${item.id}/${new URL(folder).searchParams.get("version")}/part?tree=git&ref=refs%2Fheads%2Fmain&path=page.html`,
  );
  expect(taken.status()).toBe(200);
  const headers = taken.headers();
  expect(headers["content-type"]).toBe("application/octet-stream");
  expect(headers["content-disposition"]).toMatch(/^attachment; filename="page.html"/);
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["content-security-policy"]).toContain("sandbox");
  expect(await taken.text()).toContain("<!doctype html>");

  await page.goto(folder);
  await page.getByRole("link", { name: /^All records/ }).click();
  await table.getByRole("link", { name }).first().click();
  await expect(page.getByRole("heading", { level: 2 })).toContainText(name);
  await page.getByRole("link", { name: "As stored" }).click();
  await expect(page.locator(".code-block")).toContainText('"defaultBranch"');
  expect(await ranIn(page)).toBe(0);
});

test("no script in a version of a GitLab project or snippet runs, in a file or in a text", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/the server responded with a status of 404/);
  const mark = randomUUID().slice(0, 6);
  const markup = `<img src=x onerror="${ATTACK}">`;
  const markdown = `# Manifest\n\n<script>${ATTACK}</script>${markup}\n\n[go](javascript:${ATTACK})\n`;
  const { id } = await atGitlab<{ id: number }>("projects", { path: `${OWNER}/peek-${mark}` });
  await atGitlab(`projects/${id}/files`, { files: HOSTILE_FILES });
  const issue = { title: `Late ${markup}`, description: markdown };
  const { iid } = await atGitlab<{ iid: number }>(`projects/${id}/issues`, issue);
  await atGitlab(`projects/${id}/issues/${iid}/notes`, { body: `Seen.\n\n${markdown}` });
  const snippet = await atGitlab<{ id: number }>("snippets", {
    login: OWNER,
    title: `note-${mark}`,
    files: [
      { path: "README.md", content: markdown },
      { path: "page.html", content: `<!doctype html><script>${ATTACK}</script>` },
    ],
  });
  await connectGitlab(page);
  await person.call("POST", "gitlab/add-gitlab-projects", { projectsIds: [{ id: String(id) }] });
  await person.call("POST", "gitlab/add-gitlab-snippets", { snippetsIds: [{ id: String(snippet.id) }] });

  await test.step("a project's files and discussions", async () => {
    await page.goto(await versionOf(person, "projects", `peek-${mark}`));
    await expect(page.getByRole("link", { name: "README.md", exact: true })).toBeVisible();
    const folder = page.url();
    await lookAtHostileFiles(page, folder);
    await page.goto(folder);
    await page.getByRole("link", { name: /^Issues/ }).click();
    await page.getByRole("link", { name: `Late ${markup}`, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`Late ${markup} #${iid}`);
    await expect(page.getByRole("heading", { name: "Manifest" })).toHaveCount(2);
    await expectHarmlessMarkdown(page);
  });

  await test.step("a snippet's files", async () => {
    await page.goto(await versionOf(person, "snippets", `note-${mark}`));
    await page.getByRole("link", { name: "page.html", exact: true }).click();
    await expect(page.locator(".code-lines pre").last()).toContainText("<script>");
    await page.goBack();
    await page.getByRole("link", { name: "README.md", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Manifest" })).toBeVisible();
    await expectHarmlessMarkdown(page);
  });
});

test("issues of a version are listed, filtered by state, and read to the last comment, in the browser and offline", async ({
  page,
  person,
  context,
}, info) => {
  const name = `talk-${randomUUID().slice(0, 4)}`;
  const repository = `repos/${OWNER}/${name}`;
  await createRepository(`${OWNER}/${name}`);
  await atGithub(`${repository}/generate`, { issues: 60, commentsPerIssue: 1, eventsPerIssue: 2 });
  await atGithub(`${repository}/comments/add`, { number: 60, count: 35, by: OWNER });
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);
  const { snapshotId } = await waitForCheck(person, item);
  await page.goto(
    `/platform/backups/github/version?${new URLSearchParams({ id: item.id, version: snapshotId ?? "" })}`,
  );
  await page.getByRole("link", { name: /^Issues \d/ }).click();
  const list = page.getByRole("region", { name: "Issues" });
  const lines = list.getByRole("listitem").filter({ hasText: /#\d/ });
  const facts = page.getByRole("complementary", { name: "Facts" });
  await expect(list).toContainText("60 issues in this version");

  await test.step("a list keeps its state filter across pages", async () => {
    await expect(lines).toHaveCount(50);
    await list.getByRole("link", { name: "Next page" }).click();
    await expect(lines).toHaveCount(10);
    await list.getByRole("link", { name: "First page" }).click();
    await expect(lines).toHaveCount(50);
    await list.getByRole("link", { name: "Closed", exact: true }).click();
    await expect(page).toHaveURL(/state=closed/);
    await expect(lines.first()).toContainText("Closed");
    await list.getByRole("link", { name: "All", exact: true }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  await test.step("an issue shows its comments and events", async () => {
    await lines.filter({ hasText: "#60" }).getByRole("link").first().click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("#60");
    await expect(page.getByText("You read the backup, not GitHub")).toBeVisible();
    await expect(facts).toContainText("Changed in");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "Show the next comments" }).click();
    await expect(page.getByText(/^Comment 35 at/)).toBeVisible();
    await page.getByRole("link", { name: "Back to the first" }).click();
    await expect(page.getByText(/^Comment 1 at/)).toBeVisible();
    await expect(facts).toContainText("1 of 1 version");
    await expect(facts).toContainText("It comes back as an issue.");
    await expect(page.getByText(/^In this version: 36\scomments/)).toBeVisible();
    await expect(page.getByRole("link", { name: "Newer issue" })).toHaveCount(0);
    await page.getByRole("link", { name: "Older issue" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("#59");
    await page.getByRole("link", { name: "Newer issue" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("#60");
    await page.getByRole("link", { name: "Issues in this version" }).click();
    await expect(lines).toHaveCount(50);
  });

  await test.step("the ZIP shows the same offline, without a request", async () => {
    await page.goto(historyUrl({ id: item.id, name }));
    const zip = context.waitForEvent("download");
    await page
      .getByRole("button", { name: /^Request ZIP/ })
      .first()
      .click();
    const folder = info.outputPath("zip");
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, "repository.zip");
    await (await zip).saveAs(file);
    execFileSync("unzip", ["-q", file, "-d", folder]);
    const [found = ""] = execFileSync("find", [folder, "-name", "index.html"]).toString().trim().split("\n");
    const opened = await context.newPage();
    const asked: string[] = [];
    opened.on("request", (request) => asked.push(request.url()));
    await opened.goto(pathToFileURL(found).href);
    await expect(opened.getByRole("heading", { level: 1 })).toContainText(name);
    await opened.getByRole("button", { name: "Issues" }).click();
    await expect(opened.getByRole("status")).toHaveText("60 issues");
    await opened.getByRole("searchbox").fill("comment 35");
    await expect(opened.getByRole("status")).toHaveText("1 issue found");
    await opened.getByRole("button", { name: /^#60/ }).click();
    await expect(opened.getByText(/^Comment 35 at/)).toBeVisible();
    await opened.goBack();
    await expect(opened.getByRole("button", { name: /^#60/ })).toBeVisible();
    expect(asked.filter((url) => !url.startsWith("file:"))).toEqual([]);
    await opened.close();
  });
});

test("a pull request of a version shows its commits and the lines of its files", async ({ page, person }) => {
  await connect(page);
  await page.goto(GITHUB_LIST);
  await page.getByRole("button", { name: "Add place" }).click();
  const dialog = page.getByRole("dialog", { name: "Add place" });
  await dialog.getByRole("checkbox", { name: "meridian-freight" }).check();
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(page.getByText("meridian-freight added")).toBeVisible();
  await addRepositories(person, "meridian-freight", ["driver-app"]);
  const item = await waitForBackup(person, "driver-app");
  const { snapshotId } = await waitForCheck(person, item);
  const at = { id: item.id, version: snapshotId ?? "", in: "pulls", part: "3" };
  await page.goto(`/platform/backups/github/version/thread?${new URLSearchParams(at)}`);
  await expect(page.getByRole("complementary", { name: "Facts" })).toContainText("the branch pr/3.");
  const tabs = page.getByRole("navigation", { name: "What is proposed" });
  await tabs.getByRole("link", { name: "Commits" }).click();
  await expect(tabs.getByRole("link", { name: "Commits 1" })).toHaveAttribute("aria-current", "page");
  await expect(page.locator(".tips li")).toHaveCount(1);
  await tabs.getByRole("link", { name: "Files changed 1" }).click();
  await page.getByRole("link", { name: "proposals/3.md" }).click();
  await expect(page.getByRole("region", { name: "Changes of proposals/3.md" })).toContainText("Proposal 3");
  expect(await accessibilityFaults(page)).toEqual([]);
  await tabs.getByRole("link", { name: "Conversation" }).click();
  await expect(page.getByText("Adds a test with a substitute.")).toBeVisible();
});

async function expectHarmlessMarkdown(page: Page): Promise<void> {
  const living = page.locator(".markdown").locator("script, img, [onerror], a[href^='javascript']");
  await expect(living).toHaveCount(0);
  expect(await ranIn(page)).toBe(0);
}

/** The address of the first version of a GitLab item, once its check has passed. */
async function versionOf(
  person: JourneyPerson,
  kind: "projects" | "snippets",
  name: string,
): Promise<string> {
  const find = async () => {
    const rows = await person.call<{ id: string }[]>("GET", `gitlab/get-user-gitlab-${kind}`, { name });
    return rows[0]?.id ?? "";
  };
  await expect.poll(find).not.toBe("");
  const id = await find();
  const { snapshotId } = await waitForCheck(person, { id });
  return `/platform/backups/gitlab/version?${new URLSearchParams({ id, version: snapshotId ?? "" })}`;
}

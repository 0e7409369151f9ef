import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { ATTACK, HOSTILE_FILES, lookAtHostileFiles, ranIn } from "./hostile.ts";
import { atGithub, atGitlab, createRepository } from "./outside.ts";
import type { JourneyPerson } from "./person.ts";
import { waitForCheck } from "./repositories.ts";
import { addRepositories, connect, connectGitlab, historyUrl, waitForBackup } from "./steps.ts";

const OWNER = "nora-lindqvist";

test("a version is looked into, file by file and record by record, and nothing in it runs", async ({
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
  ).toBeVisible({ timeout: 60_000 });
  await open.first().click();
  await page.waitForURL("**/version?**");

  const table = page.getByRole("table");
  await expect(table.getByRole("link", { name: "README.md", exact: true })).toBeVisible({ timeout: 30_000 });
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

test("nothing in a version of a GitLab project or snippet runs, neither a file nor what people wrote", async ({
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

  await test.step("a project's files and what people wrote about it", async () => {
    await page.goto(await versionOf(person, "projects", `peek-${mark}`));
    await expect(page.getByRole("link", { name: "README.md", exact: true })).toBeVisible();
    const folder = page.url();
    await lookAtHostileFiles(page, folder);
    await page.goto(folder);
    await page.getByRole("link", { name: /^Issues/ }).click();
    await page.getByRole("link", { name: `#${iid} Late ${markup}`, exact: true }).click();
    await expect(page.getByRole("heading", { level: 2 })).toContainText(`Late ${markup}`);
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

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { atGithub, createRepository } from "./outside.ts";
import { addRepositories, connect, historyUrl, waitForBackup } from "./steps.ts";

const OWNER = "nora-lindqvist";
/** The smallest picture that is one. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const BIDI = "invoice\u202Efdp.exe";
const LONG = `${"n".repeat(251)}.txt`;
const ATTACK = "window.__ran = (window.__ran || 0) + 1";
const base64 = (text: string) => Buffer.from(text).toString("base64");

const HOSTILE = [
  {
    path: "README.md",
    base64: base64(
      `# Carrier sync\n\n<script>${ATTACK}</script><img src=x onerror="${ATTACK}">\n\n[go](javascript:${ATTACK}) ![pixel](https://tracker.example/p.png)\n\nText with **weight** and a list:\n\n- one\n- two\n\n| Carrier | State |\n|---|---|\n| DHL | live |\n`,
    ),
  },
  {
    path: "evil.svg",
    base64: base64(
      `<svg xmlns="http://www.w3.org/2000/svg" onload="${ATTACK}"><script>${ATTACK}</script></svg>`,
    ),
  },
  { path: "page.html", base64: base64(`<!doctype html><script>${ATTACK}</script>`) },
  { path: "polyglot.gif", base64: base64(`GIF89a/*\u0001*/=1;${ATTACK}//<script>${ATTACK}</script>`) },
  { path: "picture.png", base64: PNG },
  { path: "long.txt", base64: base64("x".repeat(700_000)) },
  { path: "binary.bin", base64: Buffer.from([0, 1, 2, 255, 0]).toString("base64") },
  { path: `odd/${BIDI}`, base64: base64("not a pdf\n") },
  { path: `odd/${LONG}`, base64: base64("long name\n") },
  { path: "odd/a?b#c%2e&d.txt", base64: base64("letters of addresses\n") },
  { path: "src/sync.ts", base64: base64("export function sync() {\n  return 42;\n}\n") },
];

const ranIn = (page: Page) => page.evaluate(() => (window as { __ran?: number }).__ran ?? 0);

test("a version is looked into, file by file and record by record, and nothing in it runs", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/the server responded with a status of 404/);
  const name = `peek-${randomUUID().slice(0, 4)}`;
  await createRepository(`${OWNER}/${name}`);
  await atGithub(`repos/${OWNER}/${name}/files`, { files: HOSTILE });
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);
  await page.goto(historyUrl({ id: item.id, name }));
  const open = page.getByRole("link", { name: /^Open the version of/ });
  // Files can be read once the check has made the index; the heading of the column says the same word.
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
  await table.getByRole("link", { name: "README.md", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Carrier sync" })).toBeVisible();
  await expect(page.locator(".markdown script, .markdown img, .markdown a[href^='javascript']")).toHaveCount(
    0,
  );
  await expect(page.locator(".markdown").getByText("pixel")).toBeVisible();

  for (const file of ["evil.svg", "page.html"]) {
    await page.goto(`${folder}&path=${file}`);
    await expect(page.locator(".code-lines pre").last()).toContainText("<script>");
    expect(await ranIn(page)).toBe(0);
  }
  for (const file of ["polyglot.gif", "picture.png"]) {
    await page.goto(`${folder}&path=${file}`);
    await expect(page.getByRole("img", { name: file })).toHaveAttribute("src", /^\/versions\//);
    expect(await ranIn(page)).toBe(0);
  }
  const width = await page
    .getByRole("img", { name: "picture.png" })
    .evaluate((image: HTMLImageElement) => image.naturalWidth);
  expect(width).toBe(1);
  await page.goto(`${folder}&path=binary.bin`);
  await expect(page.getByText("not text")).toBeVisible();
  await page.goto(`${folder}&path=long.txt`);
  await expect(page.getByText("Only the first half megabyte is shown.", { exact: false })).toBeVisible();

  await page.goto(`${folder}&path=odd`);
  await expect(table.getByRole("link", { name: "invoice⟨202E⟩fdp.exe", exact: true })).toBeVisible();
  await expect(table.getByRole("link", { name: LONG, exact: true })).toBeVisible();
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(isWide).toBe(false);
  await table.getByRole("link", { name: "a?b#c%2e&d.txt", exact: true }).click();
  await expect(page.locator(".code-lines pre").last()).toHaveText("letters of addresses\n");

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

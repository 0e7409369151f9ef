import { expect, type Page } from "@playwright/test";

/** The smallest valid PNG. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** When displayed, this name seems to end with another extension. */
const BIDI = "invoice\u202Efdp.exe";
const LONG = `${"n".repeat(251)}.txt`;
/** Records that content of a version ran as a script. */
export const ATTACK = "window.__ran = (window.__ran || 0) + 1";
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Files that try to run scripts, to imitate others or to leave their folder. */
export const HOSTILE_FILES = [
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
  { path: "odd/..%2f..%2fversion", base64: base64("no way up\n") },
  { path: `odd/<img src=x onerror=${ATTACK}>`, base64: base64("name of markup\n") },
  { path: "odd/red\u001b[31m\u0007.txt", base64: base64("name of controls\n") },
  { path: "src/sync.ts", base64: base64("export function sync() {\n  return 42;\n}\n") },
];

/** How often content of a version ran as a script. */
export const ranIn = (page: Page) => page.evaluate(() => (window as { __ran?: number }).__ran ?? 0);

/** Opens each hostile file in a version's folder. Expects that all are shown and nothing runs. */
export async function lookAtHostileFiles(page: Page, folder: string): Promise<void> {
  const table = page.getByRole("table");
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
  await expect(table.getByRole("link", { name: `<img src=x onerror=${ATTACK}>`, exact: true })).toBeVisible();
  await expect(table.getByRole("link", { name: "red⟨001B⟩[31m⟨0007⟩.txt", exact: true })).toBeVisible();
  await expect(page.locator("main img")).toHaveCount(0);
  await table.getByRole("link", { name: "..%2f..%2fversion", exact: true }).click();
  await expect(page.locator(".code-lines pre").last()).toHaveText("no way up\n");
  await page.goto(`${folder}&path=odd`);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(isWide).toBe(false);
  await table.getByRole("link", { name: "a?b#c%2e&d.txt", exact: true }).click();
  await expect(page.locator(".code-lines pre").last()).toHaveText("letters of addresses\n");
  expect(await ranIn(page)).toBe(0);
}

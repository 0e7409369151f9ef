import { gzipSync } from "node:zlib";
import type { Page, Request } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { MOST_SHIFT, shiftsOf } from "./looks.ts";
import { connect, GITHUB_LIST } from "./steps.ts";

/** The most scripts, styles and fonts that a page may load before anything is pressed. */
const MOST_FILES = 25;
const KINDS = ["script", "stylesheet", "font"];
/** A slow line: what a round trip takes, what passes in a second, and how soon a list must be usable on it. */
const SLOW = { tripMs: 400, bytesPerMs: 50, usableMs: 3_000 };

test("a list page loads few files, and those it begins with without waiting for one another", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  await connect(page);
  await expectLightLoad(page, GITHUB_LIST);
  await test.step("on a slow line it can be read, and pressed, within three seconds", () =>
    expectEarlyUse(page));
  await test.step("a dialog opens its frame before its content has come, and that one can be closed too", async () => {
    const frame = await hold(page, "**/assets/dialog-frame-*.js");
    const content = await hold(page, "**/assets/item-dialogs-*.js");
    const opener = page.getByRole("button", { name: "Add place" });
    const loading = page.getByRole("dialog", { name: "Loading" });
    const bare = page.locator('.dialog:not([data-state="open"])');
    await opener.click();
    await Promise.all([frame.isAsked, content.isAsked]);
    await expect(bare).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(bare).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.locator(".modal")).toHaveCount(0);
    await expect(opener).toBeFocused();

    await opener.click();
    await expect(bare).toBeFocused();
    await page.mouse.click(5, 5);
    await expect(page.locator(".modal")).toHaveCount(0);
    await expect(opener).toBeFocused();

    await opener.click();
    frame.release();
    await expect(bare).toHaveCount(0);
    await expect(loading).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(loading).toHaveCount(0);
    await expect(opener).toBeFocused();

    await opener.click();
    await expect(loading).toBeFocused();
    content.release();
    const dialog = page.getByRole("dialog", { name: /place/i });
    await expect(dialog).toBeFocused();
    await expect(page.locator(".dialog")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
  });
});

test("the sign-in page loads few files, and those it begins with without waiting for one another", async ({
  page,
}) => {
  await expectLightLoad(page, "/auth/login");
  await test.step("nothing moves on a phone when the font comes late", async () => {
    await page.setViewportSize({ width: 412, height: 823 });
    const font = await hold(page, "**/*.woff2");
    await page.goto("/auth/login", { waitUntil: "domcontentloaded" });
    await font.isAsked;
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    font.release();
    const { sum, moved } = await shiftsOf(page);
    expect(sum, moved.join(", ")).toBeLessThan(MOST_SHIFT);
  });
});

/** Holds back the files of this address until they are released. */
async function hold(page: Page, address: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return { isAsked: page.waitForRequest(address), release: resolve };
}

async function expectLightLoad(page: Page, path: string): Promise<void> {
  const files: Request[] = [];
  page.on("request", (request) => KINDS.includes(request.resourceType()) && files.push(request));
  const answer = await page.goto(path);
  const markup = (await answer?.text()) ?? "";
  await page.waitForLoadState("networkidle");
  const names = files.map((request) => new URL(request.url()).pathname);
  // Fewer than these would mean that nothing was counted.
  expect(names.filter((name) => name.endsWith(".js")).length).toBeGreaterThan(3);
  expect(names.filter((name) => name.endsWith(".woff2")).length).toBeGreaterThan(0);
  expect(names.length, names.join("\n")).toBeLessThanOrEqual(MOST_FILES);
  // What scripts import statically stands in the page. The rest is asked for once the page is alive.
  const parts = await Promise.all(
    names
      .filter((name) => markup.includes(name))
      .map(async (name) => [name, await importsOf(page, name)] as const),
  );
  expect(parts.flatMap(([, imports]) => imports).length).toBeGreaterThan(0);
  for (const [name, imports] of parts) {
    for (const each of imports) expect(markup, `${name} imports ${each}`).toContain(each);
  }
}

/**
 * The page can be read with its document and its styles, two round trips, and keeps what is pressed from then on. So
 * their bytes decide how soon it is usable; nothing else may block it.
 */
async function expectEarlyUse(page: Page): Promise<void> {
  const answer = await page.request.get(page.url());
  const markup = await answer.text();
  const [head = ""] = markup.split("</head>");
  const styles = [...head.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href!);
  expect(styles.length).toBeGreaterThan(0);
  const blocking = [...head.matchAll(/<script(?![^>]*type="module")[^>]* src=/g)];
  expect(blocking.map(([tag]) => tag)).toEqual([]);
  const texts = await Promise.all(styles.map(async (href) => (await page.request.get(href)).text()));
  for (const text of texts) expect(text).not.toContain("@import");
  const bytes = [markup, ...texts].reduce((sum, text) => sum + gzipSync(text).length, 0);
  const usableMs = 2 * SLOW.tripMs + bytes / SLOW.bytesPerMs;
  expect(usableMs, `${bytes} bytes`).toBeLessThanOrEqual(SLOW.usableMs);
}

/** The files that a script imports statically. */
async function importsOf(page: Page, name: string): Promise<string[]> {
  if (!name.endsWith(".js")) return [];
  const text = await (await page.request.get(name)).text();
  return [...text.matchAll(/(?:import|from)\s*"\.\/([^"]+[.]js)"/g)].map(([, file]) => `/assets/${file}`);
}

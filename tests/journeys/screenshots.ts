/**
 * `npm run screenshots`: takes the README's screenshots. Starts the product with its demo account in a folder of its
 * own and captures what a visitor sees first: the list, the versions of a repository, a restore.
 */
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "#workers/commands/find-chromium.ts";
import { DEMO_PERSON } from "#workers/commands/seed-demo.ts";
import { ROOT, startService } from "#workers/commands/tools.ts";

const PORT = Number(process.env.SCREENSHOT_PORT ?? 8831);
const ORIGIN = `http://localhost:${PORT}`;
const WORK = join(ROOT, "tests/.output/screenshots");
const TARGET = join(ROOT, "tests/journeys/screenshots");
const SIZE = { width: 1280, height: 800 };
/** Every visitor of the project loads its README. */
const MOST_BYTES = 250_000;

const args = [
  "--import",
  "tsx",
  "workers/commands/start.ts",
  "--port",
  String(PORT),
  "--dir",
  WORK,
  "--reset",
];
const product = startService("node", args, { logFile: join(ROOT, "tests/.output/screenshots.log") });
try {
  await untilSeeded();
  mkdirSync(TARGET, { recursive: true });
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: ["--no-sandbox"],
  });
  for (const scheme of ["light", "dark"] as const) await photograph(browser, scheme);
  await browser.close();
} finally {
  await product.stop();
  rmSync(WORK, { recursive: true, force: true });
}

/** Waits for the product's greeting, which it prints when the demo account is filled. */
async function untilSeeded(): Promise<void> {
  const greeted = new Promise<"greeted">((settle) => {
    let text = "";
    product.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("Sign in as:")) settle("greeted");
    });
  });
  const outcome = await Promise.race([greeted, product.ended]);
  if (outcome !== "greeted") throw new Error(`The product ended:\n${product.lastWords()}`);
}

async function photograph(browser: Browser, scheme: "light" | "dark"): Promise<void> {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: scheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`${ORIGIN}/auth/login`);
  await page.getByLabel("Email").fill(DEMO_PERSON.email);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PERSON.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${ORIGIN}/`);
  await page.goto(`${ORIGIN}/platform/dashboard/github`);
  await page.getByRole("button", { name: /^Place:/ }).click();
  await page.getByRole("menuitemradio", { name: /meridian-freight/ }).click();
  // The focus returns to the menu's button when the menu closes.
  await page.getByRole("menu").waitFor({ state: "hidden" });
  await page
    .getByRole("link", { name: /^View / })
    .first()
    .waitFor();
  await keep(page, `items-${scheme}`);
  await page
    .getByRole("link", { name: /^View / })
    .last()
    .click();
  // The list is a table too, so wait for the address first.
  await page.waitForURL("**/platform/backups/github**");
  await page.getByRole("table").waitFor();
  await keep(page, `versions-${scheme}`);
  await page
    .getByRole("button", { name: /^Restore latest good/ })
    .first()
    .click();
  await page.getByRole("combobox", { name: "Place" }).selectOption({ index: 1 });
  await keep(page, `restore-${scheme}`);
  await context.close();
}

async function keep(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.waitForTimeout(300);
  const path = join(TARGET, `${name}.png`);
  await page.screenshot({ path });
  const { size } = statSync(path);
  console.log(`${relative(ROOT, path)} ${Math.round(size / 1000)} KB`);
  if (size > MOST_BYTES) throw new Error(`${path} is larger than ${MOST_BYTES} bytes.`);
}

import type { Page } from "@playwright/test";

/** What no person writes: a time or a field as programs name them, and a value that is none. */
const RAW = [
  /\b\d{4}-\d\d-\d\dT\d\d:\d\d/,
  /\b[a-z]+[A-Z][A-Za-z]*\b/,
  /\b[A-Za-z]+_[A-Za-z_]+\b/,
  /\b(?:undefined|null|NaN)\b|\[object |Invalid Date/,
  /\b(?:snp|itm|run|con|plc|org|usr)_[0-9a-z]{6,}/,
] as const;

/** Names that are written so. */
const NAMES = /\b(?:eBay|iCloud|iPhone|macOS|mTLS|vCPU)\b/g;

/**
 * Opens these pages, and of the pages of items that they link to one of each path, and collects the raw words on them.
 *
 * @param ignored Names that people have given.
 */
export async function rawWordsOfPages(
  page: Page,
  starts: readonly string[],
  ignored: readonly string[],
): Promise<{ opened: number; faults: string[] }> {
  const faults: string[] = [];
  const queue = [...starts];
  const known = new Set<string>();
  for (const path of queue) {
    await page.goto(path);
    faults.push(...(await rawWords(page, ignored)));
    const links = await page.$$eval('main a[href^="/platform/backups"]', (found) =>
      found.map((link) => link.getAttribute("href") ?? ""),
    );
    for (const link of links) {
      const [bare = ""] = link.split("?");
      if (!known.has(bare)) queue.push(link);
      known.add(bare);
    }
  }
  return { opened: queue.length, faults };
}

/** Code and ids are shown as they are, so `pre`, `code` and what is in mono do not count. */
async function rawWords(page: Page, ignored: readonly string[]): Promise<string[]> {
  const text = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const seen: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const around = node.parentElement;
      if (!around || around.closest("script, style, noscript, pre, code, kbd, .mono, .mono-meta")) continue;
      if (getComputedStyle(around).fontFamily.includes("Mono")) continue;
      seen.push(node.textContent ?? "");
    }
    return seen.join("\n");
  });
  const plain = ignored.reduce((rest, name) => rest.replaceAll(name, ""), text).replace(NAMES, "");
  return plain.split("\n").flatMap((line) => {
    const found = RAW.find((pattern) => pattern.test(line));
    return found ? [`${new URL(page.url()).pathname}: ${line.trim().slice(0, 120)}`] : [];
  });
}

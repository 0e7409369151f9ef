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
 * The raw words on a page. Code and ids are shown as they are, so `pre`, `code` and what is in mono do not count.
 *
 * @param ignored Names that people have given.
 */
export async function rawWords(page: Page, ignored: readonly string[]): Promise<string[]> {
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

import type { Page } from "@playwright/test";

/**
 * Opens these pages, and of the pages of items that they link to one of each path. Returns how many were opened and the
 * faults that `look` finds on them.
 */
export async function walkPages(
  page: Page,
  starts: readonly string[],
  look: (path: string) => Promise<string[]>,
): Promise<{ opened: number; faults: string[] }> {
  const faults: string[] = [];
  const queue = [...starts];
  const known = new Set<string>();
  for (const path of queue) {
    await page.goto(path);
    const links = await page.$$eval('main a[href^="/platform/backups"]', (found) =>
      found.map((link) => link.getAttribute("href") ?? ""),
    );
    for (const link of links) {
      const [bare = ""] = link.split("?");
      if (!known.has(bare)) queue.push(link);
      known.add(bare);
    }
    faults.push(...(await look(path)));
  }
  return { opened: queue.length, faults };
}

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

const SOURCE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/**
 * Known accessibility faults of a page without frames, each as its rule and where it is. `rules` are axe's rules or
 * sets of them, by default all; `within` is the selector of the part to look at, by default the page.
 */
export async function accessibilityFaults(
  page: Page,
  { rules, within }: { rules?: string[]; within?: string } = {},
): Promise<string[]> {
  // 650 kB that the browser reads once a page, not once a look.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await readFile(SOURCE, "utf8"));
  // Lists only what fails: the selectors of what passes cost more than finding it.
  const options: axe.RunOptions = { resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) };
  return page.evaluate(
    async ({ options, within }) => {
      // What fades in has less contrast until it is there. An endless animation never finishes.
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
      await Promise.allSettled(ending.map(({ finished }) => finished));
      const { axe: engine } = window as unknown as { axe: typeof axe };
      const { violations } = await engine.run(within ?? document, options);
      return violations.map(
        ({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
      );
    },
    { options, within },
  );
}

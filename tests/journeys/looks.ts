import type { Page } from "@playwright/test";
import { appearanceOf, THEMES, type ThemeName, themeAttributes } from "#app/theme/theme.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { accessibilityFaults } from "./accessibility.ts";
import { expect } from "./fixtures.ts";

/** How a page is shown. */
type Look = { width: number; scheme: "light" | "dark"; theme: ThemeName };

export const WIDE: Look = { width: 1440, scheme: "light", theme: "DEFAULT" };
export const NARROW: Look = { width: 375, scheme: "dark", theme: "DEFAULT" };

/** Wide layouts must not scroll sideways on narrow screens (WCAG 1.4.10). */
const NARROWEST = 320;
/** The widths of a deep run. */
const WIDTHS = [WIDE.width, 768, NARROW.width, NARROWEST];
/** Narrower screens have a drawer instead. */
const hasRail = (width: number) => width >= 900;
/** How far what is already shown may move while a page loads. Browsers call less than 0.1 good. */
export const MOST_SHIFT = 0.02;

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Those of axe's rules that depend on colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Loads a page and returns its faults: what axe finds, and what scrolls sideways. A deep run loads it at each width and
 * also finds what moves meanwhile.
 */
export async function faultsOf(page: Page, path: string): Promise<string[]> {
  if (!isDeep()) {
    await open(page, path);
    return faultsNow(page, path);
  }
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, path);
    const { sum, moved } = await shiftsOf(page);
    if (sum >= MOST_SHIFT)
      faults.push(`${path} ${width}: moves by ${sum.toFixed(3)} while it loads: ${moved.join(", ")}`);
    faults.push(...(await faultsAt(page, path, width)));
  }
  return faults;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator("h1")).toBeAttached();
}

/**
 * Returns the faults of what is shown: what axe finds, and what scrolls sideways.
 *
 * Each width is checked with all rules in one scheme, and with the rules of colours in the other: structure depends only
 * on the width. The theme is the default one, whose dark rail on a light page also reveals styles inherited from the
 * page. `app/theme/contrast.test.ts` checks the colours of all themes. A deep run checks all themes at all widths.
 *
 * @param only The look of a state that only one width has.
 */
export async function faultsNow(page: Page, state: string, only?: Look): Promise<string[]> {
  const faults: string[] = [];
  if (isDeep()) {
    const hasIt = (width: number) => !only || hasRail(width) === hasRail(only.width);
    for (const width of WIDTHS.filter(hasIt)) faults.push(...(await faultsAt(page, state, width)));
    return faults;
  }
  for (const look of only ? [only] : [WIDE, NARROW]) {
    faults.push(...(await faultsIn(page, state, look, RULES)));
    const scheme = look.scheme === "light" ? "dark" : "light";
    faults.push(...(await faultsIn(page, state, { ...look, scheme }, COLOUR_RULES)));
  }
  return [...faults, ...(await overhangAt(page, state, NARROWEST))];
}

/** The faults at one width in all themes. Structure is the same in each of them, so only colours are checked again. */
async function faultsAt(page: Page, state: string, width: number): Promise<string[]> {
  const faults = await overhangAt(page, state, width);
  for (const theme of THEMES) {
    const own = appearanceOf(theme);
    for (const scheme of own === "system" ? (["light", "dark"] as const) : [own]) {
      const isFirst = theme === THEMES[0] && scheme === "light";
      const look = { width, scheme, theme };
      faults.push(...(await faultsIn(page, state, look, isFirst ? RULES : COLOUR_RULES)));
    }
  }
  return faults;
}

/** What axe finds in one look. */
async function faultsIn(page: Page, state: string, look: Look, rules: string[]): Promise<string[]> {
  await page.setViewportSize({ width: look.width, height: 800 });
  await page.emulateMedia({ colorScheme: look.scheme });
  await page.evaluate(
    (attributes) => {
      for (const [name, value] of attributes) document.documentElement.setAttribute(name, value);
    },
    Object.entries(themeAttributes(look.theme)),
  );
  await whenLoaded(page);
  const found = await accessibilityFaults(page, { rules });
  return found.map((fault) => `${state} ${look.width} ${look.theme} ${look.scheme}: ${fault}`);
}

async function overhangAt(page: Page, state: string, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 700 });
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return overhang > 0 ? [`${state}: scrolls ${overhang} px sideways at ${width}`] : [];
}

/** Waits until everything has loaded. The page that lets people wait is always busy. */
async function whenLoaded(page: Page): Promise<void> {
  await expect(page.locator('.skeleton, [aria-busy="true"]:not(.auth__panel)')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

type LayoutShift = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
};

/** How far things moved since the page began to load, not counting answers to input, and what moved. */
export async function shiftsOf(page: Page): Promise<{ sum: number; moved: string[] }> {
  await whenLoaded(page);
  return page.evaluate(
    () =>
      new Promise<{ sum: number; moved: string[] }>((done) => {
        const shifts: LayoutShift[] = [];
        new PerformanceObserver((list) => shifts.push(...(list.getEntries() as LayoutShift[]))).observe({
          type: "layout-shift",
          buffered: true,
        });
        const nameOf = (node: Node | null) =>
          node instanceof Element ? `${node.localName}.${node.className}` : (node?.nodeName ?? "gone");
        // A page without shifts reports nothing.
        setTimeout(() => {
          const own = shifts.filter(({ hadRecentInput }) => !hadRecentInput);
          const moved = own.flatMap(({ sources }) => sources.map(({ node }) => nameOf(node)));
          done({ sum: own.reduce((sum, { value }) => sum + value, 0), moved: [...new Set(moved)] });
        }, 100);
      }),
  );
}

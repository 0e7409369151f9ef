import { randomUUID } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { railAppearanceOf, THEMES, type ThemeName, themeAttributes } from "#app/theme/theme.ts";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { addRepositories, connect, GITHUB_LIST, historyUrl, waitForBackup } from "./steps.ts";

test.describe.configure({ mode: "parallel" });

/** Themes that follow the machine are seen light on the wide screen and dark on the narrow one. */
const LOOKS = [
  { width: 1280, scheme: "light" },
  { width: 375, scheme: "dark" },
] as const;
/** Wide layouts on narrow screens may not ask for sideways scrolling (WCAG 1.4.10). */
const NARROWEST = 320;

test("[A-037] [A-038] [A-098] each theme is chosen in the account menu, changes the colours, and is kept", async ({
  page,
  person,
}) => {
  await connect(page);
  expect(person.email).toContain("@");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "default");
  const looks = new Set<string>();
  for (const theme of ["Light", "Dark", "Blue", "Green", "Indigo", "Default"]) {
    await page.getByRole("button", { name: /account menu/ }).click();
    await page.getByRole("menuitemradio", { name: theme }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme.toLowerCase());
    looks.add(
      await page.evaluate(() => {
        const colours = getComputedStyle(document.documentElement);
        return ["--page", "--rail", "--accent"].map((name) => colours.getPropertyValue(name)).join(" ");
      }),
    );
    if (theme === "Dark") {
      await page.reload();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    }
  }
  expect(looks.size).toBe(6);
});

test("the pages on the way in are free of known accessibility faults in every theme, on wide and narrow screens", async ({
  page,
  person,
}) => {
  test.setTimeout(240_000);
  expect(person.email).toContain("@");
  const faults = await faultsOf(page, "/app-connector?platform=github");
  await connect(page);
  for (const path of [GITHUB_LIST, "/app-connector"]) faults.push(...(await faultsOf(page, path)));
  await page.context().clearCookies();
  for (const path of ["/auth/login", "/auth/sign-up"]) faults.push(...(await faultsOf(page, path)));
  expect(faults).toEqual([]);
});

test("the pages of protected items are free of known accessibility faults in every theme, on wide and narrow screens", async ({
  page,
  person,
  expectComplaint,
}) => {
  test.setTimeout(240_000);
  expectComplaint(/no-such-page: .*status of 404/);
  const name = `looks-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`, {
    description: "A description of some length to show here",
  });
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  const item = await waitForBackup(person, name);
  const faults: string[] = [];
  for (const path of [
    "/",
    GITHUB_LIST,
    historyUrl(item),
    historyUrl(item, { run: "true" }),
    "/no-such-page",
  ]) {
    faults.push(...(await faultsOf(page, path)));
  }
  expect(faults).toEqual([]);
});

/** What axe and the layout have against one page, in every theme and width. The page is loaded once. */
async function faultsOf(page: Page, path: string): Promise<string[]> {
  const faults: string[] = [];
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(path);
  await expect(page.locator("h1")).toBeAttached();
  await page.evaluate(() => document.fonts.ready);
  for (const { width, scheme } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: scheme });
    for (const theme of THEMES) {
      await wear(page, theme);
      // The page has no frames, which alone need the slower way.
      const axe = new AxeBuilder({ page }).setLegacyMode();
      // Only colours depend on the theme; everything else is asked once a width.
      if (theme === THEMES[0]) axe.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]);
      else axe.withRules(["color-contrast"]);
      const { violations } = await axe.analyze();
      for (const { id, nodes } of violations) {
        const where = nodes.map(({ target }) => target.join(" ")).join(", ");
        faults.push(`${path} ${width} ${theme} ${scheme}: ${id} ${where}`);
      }
    }
  }
  await page.setViewportSize({ width: NARROWEST, height: 700 });
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overhang > 0) faults.push(`${path}: scrolls ${overhang} px sideways at ${NARROWEST}`);
  return faults;
}

/** Draws the page in a theme without loading it again, as choosing one in the menu does. */
async function wear(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate(
    ({ attributes, rail }) => {
      for (const [name, value] of Object.entries(attributes))
        document.documentElement.setAttribute(name, value);
      for (const part of document.querySelectorAll(".sidebar, .top-bar__brand[data-appearance], .drawer")) {
        part.setAttribute("data-appearance", rail);
      }
    },
    { attributes: themeAttributes(theme), rail: railAppearanceOf(theme) },
  );
}

import type { Locator, Page, TestInfo } from "@playwright/test";
import type { ItemView } from "#core/inventory/views.ts";
import { accessibilityFaults } from "#tests/journeys/accessibility.ts";
import { expect } from "#tests/journeys/fixtures.ts";
import type { JourneyPerson } from "#tests/journeys/person.ts";
import { APP_URL, PORT } from "#tests/journeys/stack.ts";
import { setup } from "./almanac/setup.ts";

export const LIST = "/platform/dashboard/almanac";
export const SITE = "Meridian Freight";
const LOGIN = "nora-lindqvist";

/** Where the simulated Almanac responds. */
export const ALMANAC_URL = `http://127.0.0.1:${PORT + (setup.simulator?.offset ?? 0)}`;

/** Triggers an action at the simulated Almanac. Returns the response body. */
export async function atAlmanac<T>(path: string, body?: object): Promise<T> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${ALMANAC_URL}/__sim/${path}`, init);
  if (!answer.ok) throw new Error(`/__sim/${path} answered ${answer.status}: ${await answer.text()}`);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

/** A book as it is at Almanac. */
export type Book = {
  id: string;
  name: string;
  sharing: "private" | "site";
  pages: { id: string; parentId: string | null; title: string }[];
  registers: { id: string; title: string }[];
  rows: { id: string; registerId: string; title: string }[];
};

/** The book of this name at Almanac, if there is one. */
export async function bookAt(name: string): Promise<Book | undefined> {
  const { books } = await atAlmanac<{ books: Book[] }>("almanac/books");
  return books.find((book) => book.name === name);
}

/** The titles of a book's rows, each after its register's; none if there is no such book. */
export async function rowsAt(name: string): Promise<string[]> {
  const { registers = [], rows = [] } = (await bookAt(name)) ?? {};
  const titleOf = (id: string) => registers.find((register) => register.id === id)?.title;
  return rows.map(({ registerId, title }) => `${titleOf(registerId)}: ${title}`).sort();
}

/** Makes a book with pages, registers, pictures and comments. */
export async function makeBook(name: string, site = SITE): Promise<string> {
  return (await atAlmanac<{ id: string }>("almanac/books", { name, site, content: "full" })).id;
}

/** Consents on Almanac's page. */
export async function consent(page: Page): Promise<void> {
  await page.waitForURL(`${ALMANAC_URL}/authorize**`);
  await page.locator(`input[name="login"][value="${LOGIN}"]`).check();
  await page.getByRole("button", { name: /^(Authorize|Allow)/ }).click();
}

/** Connects one site without the pages between. */
export async function connectSite(person: JourneyPerson, page: Page): Promise<void> {
  const { url } = await person.call<{ url: string }>("GET", "almanac/login-almanac", { region: "DE" });
  const { origin, pathname, searchParams } = new URL(url);
  const form = { ...Object.fromEntries(searchParams), login: LOGIN, decision: "authorize" };
  const consented = await page.request.post(origin + pathname, {
    headers: { Origin: origin },
    form,
    maxRedirects: 0,
  });
  const back = await page.request.get(consented.headers().location ?? "", { maxRedirects: 0 });
  const choice = new URL(back.headers().location ?? "", APP_URL).searchParams.get("choice") ?? "";
  type Candidate = { id: string; name: string };
  const { sites } = await atAlmanac<{ sites: Candidate[] }>("almanac/sites");
  const ids = sites.filter((site) => site.name === SITE).map(({ id }) => id);
  await person.call("POST", "almanac/choose-accounts", { choice, ids });
}

/** Protects books and waits for their first versions. */
export async function protectBooks(person: JourneyPerson, ids: readonly string[]): Promise<void> {
  await person.call("POST", "almanac/add-books", { booksIds: ids.map((id) => ({ id })) });
}

/** The protected book of this name, once it has so many versions and nothing runs. */
export async function settled(person: JourneyPerson, name: string, versions = 1): Promise<ItemView> {
  let found: ItemView | undefined;
  const isSettled = async () => {
    const rows = await person.call<{ view: ItemView }[]>("GET", "almanac/get-user-almanac-books", { name });
    found = rows.find(({ view }) => view.name === name)?.view;
    return found !== undefined && found.activeRun === null && (found.versionCount ?? 0) >= versions;
  };
  await expect.poll(isSettled, { timeout: 60_000, intervals: [300] }).toBe(true);
  if (!found) throw new Error(`There is no book ${name}.`);
  return found;
}

/** The list of versions of a book. */
export function historyPath({ id, name }: Pick<ItemView, "id" | "name">): string {
  return `/platform/backups/almanac?${new URLSearchParams({ id, name })}`;
}

/** Opens the newest version of a book from its list of versions. */
export async function openNewest(page: Page, item: ItemView): Promise<void> {
  await page.goto(historyPath(item));
  await page
    .getByRole("link", { name: /^Open the version of/ })
    .first()
    .click();
  await page.waitForURL("**/version/**");
}

/**
 * Looks at what is shown, wide in light mode and narrow in dark mode: axe finds no fault, and nothing scrolls sideways.
 * Keeps a picture of each.
 */
export async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  const faults: string[] = [];
  for (const [width, colorScheme] of [
    [1280, "light"],
    [375, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator('.skeleton, [aria-busy="true"]')).toHaveCount(0);
    await page.evaluate(async () => {
      await document.fonts.ready;
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    });
    for (const fault of await accessibilityFaults(page)) faults.push(`${name} ${width}: ${fault}`);
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overhang > 0) faults.push(`${name} ${width}: scrolls ${overhang} px sideways`);
    await page.screenshot({ path: info.outputPath(`${name}-${width}-${colorScheme}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
  // The walk goes on, so that one run shows every fault.
  expect.soft(faults).toEqual([]);
}

/** Waits until the picture is shown. */
export async function expectPainted(picture: Locator): Promise<void> {
  await picture.scrollIntoViewIfNeeded();
  const isPainted = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0);
  await expect.poll(isPainted).toBe(true);
}

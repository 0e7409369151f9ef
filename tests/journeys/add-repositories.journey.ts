import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { JOB_MS, sell } from "./stack.ts";
import { connect, GITHUB_LIST, placeOf, rowOf } from "./steps.ts";

const AVAILABLE = "/api/github/get-available-repos-for-github-user";

/** The queries of the page's requests for repositories that can be added, as they come. */
function askedBy(page: Page): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === AVAILABLE) asked.push(url.searchParams);
  });
  return asked;
}

test("[P-322] repositories are listed by scroll and search, up to the plan's limit", async ({
  page,
  person,
}) => {
  const series = `fleet-${randomUUID().slice(0, 4)}`;
  for (let number = 10; number < 54; number++) {
    await createRepository(`ivo-petrov/${series}-${number}`, { commits: 0 });
  }
  await connect(page, { login: "ivo-petrov" });
  const asked = askedBy(page);
  const cancelled: string[] = [];
  page.on("requestfailed", (request) => {
    if (request.url().includes(AVAILABLE)) cancelled.push(request.failure()?.errorText ?? "");
  });
  await page.goto(GITHUB_LIST);
  await page.getByRole("button", { name: "Choose others" }).click();
  const dialog = page.getByRole("dialog", { name: "Add repositories" });
  const boxes = dialog.getByRole("checkbox");
  await test.step("[P-446] a page of the dialog has twenty rows", async () => {
    await expect(boxes).toHaveCount(20);
    expect(asked.at(-1)?.get("page")).toBe("0");
    expect(asked.at(-1)?.get("perPage")).toBe("20");
  });

  /** Scrolls, and waits until the page has handled the event and rendered. */
  const scroll = (fromEnd: number) =>
    dialog.locator(".item-picker__scroll").evaluate(
      (box, distance) =>
        new Promise<void>((drawn) => {
          const afterNextFrame = (then: () => void) => requestAnimationFrame(() => setTimeout(then));
          box.addEventListener("scroll", () => afterNextFrame(() => afterNextFrame(drawn)), { once: true });
          box.scrollTop = box.scrollHeight - box.clientHeight - distance;
        }),
      fromEnd,
    );
  await test.step("[P-338] [P-448] the next page loads 150 px above the end", async () => {
    const before = asked.length;
    await scroll(200);
    expect(asked.length).toBe(before);
    await scroll(140);
    await expect(boxes).toHaveCount(40);
    expect(asked.at(-1)?.get("page")).toBe("1");
  });

  const search = dialog.getByRole("textbox", { name: "Search repositories" });
  await test.step("[P-339] a new search cancels the previous one", async () => {
    const held = page.waitForRequest(
      (request) => request.url().includes(`name=${series}-1&`) || /name=[^&]*-1$/.test(request.url()),
    );
    await page.route(
      (url) => url.pathname === AVAILABLE && url.searchParams.get("name") === `${series}-1`,
      () => undefined,
    );
    await search.fill(`${series}-1`);
    await held;
    await search.fill(`${series}-2`);
    await expect(boxes).toHaveCount(10);
    expect(cancelled).toEqual(["net::ERR_ABORTED"]);
    expect(asked.at(-1)?.get("name")).toBe(`${series}-2`);
    expect(asked.at(-1)?.get("placeId")).toBe(await placeOf(person, "ivo-petrov"));
    await expect(dialog.getByRole("alert")).toHaveCount(0);
  });

  await test.step("[P-282] [P-284] [P-424] at the plan's limit no more can be ticked, and a trial is asked to subscribe", async () => {
    const prompt = dialog.getByText("Backup limit reached");
    const all = await boxes.all();
    for (const box of all.slice(0, 9)) await box.check();
    await expect(prompt).toHaveCount(0);
    await all[9]?.check();
    await expect(dialog.getByText("10 selected, 0 left on your plan")).toBeVisible();
    await expect(prompt).toBeVisible();
    await expect(dialog.getByText(/Subscribe to protect more/)).toBeVisible();
    await search.fill(`${series}-3`);
    await expect(dialog.getByRole("checkbox", { name: `${series}-30` })).toBeDisabled();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  });
});

test("[P-447] a page has as many rows as the plan leaves, up to a hundred", async ({ page, person }) => {
  await connect(page, { login: "ivo-petrov" });
  const asked = askedBy(page);
  for (const [quantity, perPage] of [
    [60, "60"],
    [500, "100"],
  ] as const) {
    await sell(person, { plan: "pro", quantity });
    await page.goto(GITHUB_LIST);
    await expect.poll(() => asked.at(-1)?.get("perPage")).toBe(perPage);
  }
});

test("[P-052] [P-053] [P-314] [P-315] a place is added, and unavailable actions have a reason", async ({
  page,
  person,
}) => {
  await connect(page);
  await page.goto(GITHUB_LIST);
  await page.getByRole("button", { name: "External storage" }).click();
  await expect(page.getByRole("dialog", { name: "External storage" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "How to set up an organisation" }).click();
  await expect(page.getByRole("dialog", { name: "Set up an organisation on GitHub" })).toBeVisible();
  await page.keyboard.press("Escape");

  const offered = async () =>
    (await person.call<{ name: string }[]>("GET", "github/get-available-github-places")).map(
      ({ name }) => name,
    );
  expect(await offered()).toContain("meridian-freight");
  await page.getByRole("button", { name: "Add place" }).click();
  const dialog = page.getByRole("dialog", { name: "Add place" });
  await dialog.getByRole("checkbox", { name: "meridian-freight" }).check();
  const sent = page.waitForRequest("**/api/github/add-places-for-user");
  await dialog.getByRole("button", { name: "Add" }).click();
  expect((await sent).postDataJSON()).toEqual({ placesIds: [expect.any(String)] });
  await expect(page.getByText("meridian-freight added")).toBeVisible();
  await page.getByRole("button", { name: /^Place:/ }).click();
  const added = page.getByRole("menuitemradio", { name: /meridian-freight/ });
  await expect(added).toBeVisible();
  const places = await person.call<{ name: string }[]>("GET", "github/get-available-user-places");
  expect(places.map(({ name }) => name).sort()).toEqual(["meridian-freight", "nora-lindqvist"]);

  await test.step("[A-003] [A-005] a repository of this organisation is added, and backed up", async () => {
    const name = `crane-${randomUUID().slice(0, 4)}`;
    await createRepository(`meridian-freight/${name}`);
    await added.click();
    await page.getByRole("button", { name: "Choose others" }).click();
    const adding = page.getByRole("dialog", { name: "Add repositories" });
    await adding.getByRole("textbox").fill(name);
    await adding.getByRole("checkbox", { name: new RegExp(name) }).check();
    await adding.getByRole("button", { name: "Add 1 repository" }).click();
    await expect(rowOf(page, name).getByText("Protected")).toBeVisible({ timeout: JOB_MS });
    await page.getByRole("link", { name: `View ${name}` }).click();
    const versions = page.getByRole("table", { name: `Versions of ${name}, newest first` });
    await expect(versions.getByText("Success")).toHaveCount(1);
  });
});

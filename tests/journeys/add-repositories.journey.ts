import { randomUUID } from "node:crypto";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { sell } from "./stack.ts";
import { connect, GITHUB_LIST } from "./steps.ts";

const AVAILABLE = "/api/github/get-available-repos-for-github-user";

test("[P-050] [P-282] [P-284] [P-322] [P-338] [P-339] [P-424] [P-446] [P-447] [P-448] repositories are offered by scroll and search, up to the plan's limit", async ({
  page,
  person,
}) => {
  const series = `fleet-${randomUUID().slice(0, 4)}`;
  for (let number = 10; number < 54; number++) {
    await createRepository(`ivo-petrov/${series}-${number}`, { commits: 0 });
  }
  await connect(page, { login: "ivo-petrov" });
  const asked: URLSearchParams[] = [];
  const cancelled: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === AVAILABLE) asked.push(url.searchParams);
  });
  page.on("requestfailed", (request) => {
    if (request.url().includes(AVAILABLE)) cancelled.push(request.failure()?.errorText ?? "");
  });
  await page.getByRole("button", { name: "Choose others" }).click();
  const dialog = page.getByRole("dialog", { name: "Add repositories" });
  const boxes = dialog.getByRole("checkbox");
  await expect(boxes).toHaveCount(20);
  expect(asked.at(-1)?.get("page")).toBe("0");
  expect(asked.at(-1)?.get("perPage")).toBe("20");

  const scroll = (fromEnd: number) =>
    dialog.locator(".item-picker__scroll").evaluate((box, distance) => {
      box.scrollTop = box.scrollHeight - box.clientHeight - distance;
    }, fromEnd);
  const before = asked.length;
  await scroll(200);
  await page.waitForTimeout(500);
  expect(asked.length).toBe(before);
  await scroll(140);
  await expect(boxes).toHaveCount(40);
  expect(asked.at(-1)?.get("page")).toBe("1");

  const search = dialog.getByRole("textbox", { name: "Search repositories" });
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
  expect(asked.at(-1)?.get("placeId")).toBeTruthy();
  await expect(dialog.getByRole("alert")).toHaveCount(0);

  for (const box of await boxes.all()) await box.check();
  await expect(dialog.getByText("10 selected, 0 left on your plan")).toBeVisible();
  await expect(dialog.getByText("Backup limit reached")).toBeVisible();
  await expect(dialog.getByText(/Subscribe to protect more/)).toBeVisible();
  await search.fill(`${series}-3`);
  await expect(dialog.getByRole("checkbox", { name: `${series}-30` })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  for (const [quantity, perPage] of [
    [60, "60"],
    [500, "100"],
  ] as const) {
    await sell(person.email, { plan: "pro", quantity });
    await page.goto(GITHUB_LIST);
    await expect.poll(() => asked.at(-1)?.get("perPage")).toBe(perPage);
  }
});

test("[P-052] [P-053] [P-314] [P-315] a place is added, and what cannot be done yet is said", async ({
  page,
  person,
}) => {
  await connect(page);
  await page.getByRole("button", { name: "External storage" }).click();
  await expect(page.getByRole("dialog", { name: "External storage" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "How to set up an organisation" }).click();
  await expect(page.getByRole("dialog", { name: "Set up an organisation on GitHub" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Add place" }).click();
  const dialog = page.getByRole("dialog", { name: "Add place" });
  await dialog.getByRole("checkbox", { name: "meridian-freight" }).check();
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(page.getByText("meridian-freight added")).toBeVisible();
  await page.getByRole("button", { name: /^Place:/ }).click();
  await expect(page.getByRole("menuitemradio", { name: /meridian-freight/ })).toBeVisible();
  const places = await person.call<{ name: string }[]>("GET", "github/get-available-user-places");
  expect(places.map(({ name }) => name).sort()).toEqual(["meridian-freight", "nora-lindqvist"]);
});

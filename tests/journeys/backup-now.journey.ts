import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, ONE_RETRY, test } from "./fixtures.ts";
import { createRepository, fault } from "./outside.ts";
import { sell } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST, itemsOf, placeOf, waitForBackup } from "./steps.ts";

const MINUTE = 60_000;
const BEHIND = 5 * MINUTE;
const LIST_CALL = "**/api/github/get-user-github-items?*";

/** When the account's Backup now opens again, according to the list. */
async function openingOf(page: Page, placeId: string): Promise<number> {
  const query = new URLSearchParams({ page: "0", perPage: "1", placeId });
  const answer = await page.request.get(`/api/github/get-user-github-items?${query}`);
  const { backupNowOpensAt } = (await answer.json()) as { backupNowOpensAt: number };
  return backupNowOpensAt;
}

/** The minutes of a countdown. */
function minutesIn(text: string | null): number {
  return Number(/(\d+) m/.exec(text ?? "")?.[1]);
}

test("[P-049] [P-213] [P-214] [P-215] [P-216] [P-217] Backup now counts down to the end of its window and is enabled again without a reload", async ({
  page,
  person,
}) => {
  const name = `window-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  await waitForBackup(person, name);
  // The window ends at a fixed boundary, which may be a moment away. A clock that is behind sees it later.
  await page.clock.install({ time: Date.now() - BEHIND });
  // Minutes without user activity pass below.
  await page.goto(`${GITHUB_LIST}?timeoff=1`);
  const button = page
    .getByRole("main")
    .getByRole("button", { name: /^Backup now/ })
    .first();
  await button.click();
  await expect(page.getByText("Backup of 1 repository is queued")).toBeVisible();
  await expect(button).toHaveAttribute("aria-disabled", "true");
  const opensAt = await openingOf(page, await placeOf(person, "nora-lindqvist"));
  expect(opensAt - Date.now()).toBeLessThanOrEqual(10 * MINUTE);
  const left = Math.ceil((opensAt - (await page.evaluate(() => Date.now()))) / MINUTE);
  const shown = minutesIn(await button.textContent());
  expect([left, left + 1]).toContain(shown);
  await button.hover();
  await expect(page.getByRole("tooltip")).toHaveText(/^Backup now is available again in \d+ m$/);
  expect([shown, shown - 1]).toContain(minutesIn(await page.getByRole("tooltip").textContent()));
  await page.mouse.move(0, 0);
  const before = minutesIn(await button.textContent());
  await page.clock.fastForward(MINUTE);
  await expect.poll(async () => minutesIn(await button.textContent())).toBeLessThan(before);
  expect(minutesIn(await button.textContent())).toBeGreaterThanOrEqual(before - 2);
  await page.clock.fastForward(before * MINUTE);
  await expect(button).not.toHaveAttribute("aria-disabled", "true");
  await expect(button).toHaveText("Backup now");
  await expect(
    person.call("POST", "github/backup-now", { repoName: `nora-lindqvist/${name}` }),
  ).rejects.toThrow("err.user.backup.limit");
});

test("a used window disables the button, and without Pro or trial the features open the upgrade dialog and the server refuses", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 429/);
  const name = `plain-${randomUUID().slice(0, 4)}`;
  const names = [name, `${name}-2`, `${name}-off`];
  for (const each of names) await createRepository(`nora-lindqvist/${each}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", names);
  for (const each of names) await waitForBackup(person, each);
  // A clock that is behind sees the end of the window later and can be moved to it.
  await page.clock.install({ time: Date.now() - BEHIND });
  await page.goto(`${GITHUB_LIST}?timeoff=1`);
  const pressed = page
    .getByRole("main")
    .getByRole("button", { name: /^Backup now/ })
    .first();
  await expect(pressed).toHaveText("Backup now");
  await test.step("[P-218] [P-420] a refusal shows a toast and disables the button until the window ends", async () => {
    const refusal = { status: "failure", message: "The quay is full.", code: "err.user.backup.limit" };
    const result = { opensAt: Date.now() + 2 * MINUTE };
    await page.route(
      "**/api/github/backup-all-repos-now?*",
      (route) => route.fulfill({ status: 429, json: { ...refusal, result } }),
      { times: 1 },
    );
    // A list that is reloaded meanwhile shows the same.
    await page.route(LIST_CALL, async (route) => {
      const response = await route.fetch(ONE_RETRY);
      await route.fulfill({
        response,
        json: { ...(await response.json()), backupNowOpensAt: result.opensAt },
      });
    });
    await pressed.click();
    await expect(page.locator("[data-sonner-toast]")).toContainText("The quay is full");
    await expect(pressed).toHaveAttribute("aria-disabled", "true");
    // Read inside the check, because the list may be rendered again in between.
    let words: string | null = null;
    await expect(async () => {
      words = await pressed.textContent();
      expect(words).toMatch(/again in \d+ m/);
    }).toPass();
    await page.clock.fastForward(minutesIn(words) * MINUTE);
    await expect(pressed).not.toHaveAttribute("aria-disabled", "true");
    await page.clock.resume();
    await page.unrouteAll({ behavior: "wait" });
  });

  await sell(person, { plan: "essential", quantity: 10 });
  await page.goto(GITHUB_LIST);
  const dialog = page.getByRole("dialog", { name: "Pro plan needed" });
  const main = page.getByRole("main");
  await test.step("[A-360] [P-232] [P-233] [P-305] [P-307] on Essential each feature opens the upgrade dialog, and the server refuses", async () => {
    for (const open of [
      main.getByRole("button", { name: /^Backup now/ }).first(),
      main.getByRole("button", { name: /^Add place/ }),
      main.getByRole("button", { name: /^External storage/ }),
      main.getByRole("switch", { name: `Daily backup of ${name}`, exact: true }),
    ]) {
      await open.click();
      await expect(dialog).toContainText("This feature is only available with a Pro Plan subscription");
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
    }
    await expect(main.getByRole("switch", { name: `Daily backup of ${name}`, exact: true })).toBeChecked();
    for (const [method, path, input] of [
      ["POST", "github/backup-now", { repoName: `nora-lindqvist/${name}` }],
      ["POST", "github/add-places-for-user", { placesIds: [{ id: "1" }] }],
      ...[true, false].map(
        (is_daily_backed_up) =>
          [
            "PUT",
            "github/update-daily-backup-items-statuses",
            { reposIds: [{ id: "1" }], is_daily_backed_up },
          ] as const,
      ),
    ] as const) {
      await expect(person.call(method, path, input)).rejects.toThrow("err.plan.required");
    }
  });
  await test.step("[P-040] the dialog's way to the checkout stores the platform first", async () => {
    await main
      .getByRole("button", { name: /^Backup now/ })
      .first()
      .click();
    await dialog.getByRole("link", { name: "Upgrade" }).click();
    await expect(page).toHaveURL(/\/checkout$/);
    expect(await page.evaluate(() => localStorage.getItem("checkout-platform"))).toBe("github");
    await expect(page.getByRole("radio", { name: /^GitHub/ })).toBeChecked();
  });
  await test.step("[B-019] [B-022] [P-232] [P-332] on Pro the daily backup is switched off, and Backup now queues every active repository of the place", async () => {
    await sell(person, { plan: "pro", quantity: 10 });
    await waitForBackup(person, `${name}-off`);
    await page.goto(GITHUB_LIST);
    const off = main.getByRole("switch", { name: `Daily backup of ${name}-off`, exact: true });
    await off.click();
    await expect(off).not.toBeChecked();
    await expect
      .poll(async () => (await itemsOf(person)).find((each) => each.name === `${name}-off`)?.isDaily)
      .toBe(false);
    const answer = page.waitForResponse("**/api/github/backup-all-repos-now?*");
    await main
      .getByRole("button", { name: /^Backup now/ })
      .first()
      .click();
    const placeId = await placeOf(person, "nora-lindqvist");
    expect(new URL((await answer).url()).searchParams.get("placeId")).toBe(placeId);
    expect(await (await answer).json()).toMatchObject({ status: "success", result: { queued: 2 } });
    await expect(dialog).toHaveCount(0);
  });
});

test("a slow repository does not delay the others", async ({ page, person }) => {
  const mark = randomUUID().slice(0, 4);
  const quick = Array.from({ length: 4 }, (_, i) => `quick-${mark}-${i}`);
  const slow = `slow-${mark}`;
  for (const name of [slow, ...quick]) await createRepository(`nora-lindqvist/${name}`);
  await fault({ match: { path: `${slow}\\.git/` }, times: 1, action: { kind: "latency", ms: 120_000 } });
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [slow]);
  const isAtWork = async () => (await itemsOf(person)).find(({ name }) => name === slow)?.activeRun?.status;
  await expect.poll(isAtWork).toBe("running");
  await addRepositories(person, "nora-lindqvist", quick);
  for (const name of quick) await waitForBackup(person, name);
  expect(await isAtWork()).toBe("running");
});

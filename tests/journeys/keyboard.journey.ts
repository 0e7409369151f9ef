import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { createRepository, mailsTo } from "./outside.ts";
import { addRepositories, connect, GITHUB_LIST, waitForBackup } from "./steps.ts";

test("from the list to a version and its restore by keyboard alone", async ({ page, person }) => {
  const name = `keys-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  await waitForBackup(person, name);
  await page.goto(GITHUB_LIST);
  await page.keyboard.press("Tab");
  await expect(focused(page)).toHaveText("Skip to content");
  await page.keyboard.press("Enter");
  await tabTo(page, `View ${name}`);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/platform/backups/github**");

  await tabTo(page, /^Restore latest good/);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Restore ${name}` });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(focused(page)).toHaveText(/^Restore latest good/);

  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  await tabTo(page, "New name");
  await page.keyboard.type(`${name}-by-hand`);
  await tabTo(page, "Place");
  await page.keyboard.press("n");
  await tabTo(page, /^Notify by e-mail/);
  await page.keyboard.type(person.email);
  await tabTo(page, /^Restore into/);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await mailsTo(person.email)).length, { timeout: 60_000 }).toBe(1);
});

function focused(page: Page) {
  return page.locator(":focus");
}

/** Presses Tab until the element of that name has the focus; every stop on the way shows that it has it. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const label =
        element instanceof HTMLInputElement || element instanceof HTMLSelectElement
          ? element.labels?.[0]
          : null;
      const shown = element.closest(".text-field, .choice") ?? element;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const around = getComputedStyle(shown);
      return {
        name: (element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent ?? "").trim(),
        isMarked:
          (outlineStyle !== "none" && outlineWidth !== "0px") ||
          boxShadow !== "none" ||
          (around.outlineStyle !== "none" && around.outlineWidth !== "0px") ||
          around.boxShadow !== "none",
      };
    });
    if (stop === null) continue;
    expect(stop, "the focus can be seen").toMatchObject({ isMarked: true });
    if (typeof name === "string" ? stop.name === name : name.test(stop.name)) return;
  }
  throw new Error(`Tab does not lead to ${name}.`);
}

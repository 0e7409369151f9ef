import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { enableTwoFactor, mailTo } from "./identity-steps.ts";
import { createRepository, mailsTo } from "./outside.ts";
import { freshEmail, PASSWORD } from "./person.ts";
import { JOB_MS } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST, waitForBackup } from "./steps.ts";

test("from the list to a version and its restore using only the keyboard", async ({ page, person }) => {
  const name = `keys-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  await waitForBackup(person, name);
  await page.goto(GITHUB_LIST);
  await page.keyboard.press("Tab");
  await expect(focused(page)).toHaveText("Skip to content");
  await page.keyboard.press("Enter");
  await tabTo(page, "Skip to the rows");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table")).toBeFocused();
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
  // The button is disabled, and shows why, until the questions of this place have loaded.
  await expect(focused(page)).not.toHaveAttribute("aria-disabled");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(async () => (await mailsTo(person.email)).map(({ subject }) => subject), { timeout: JOB_MS })
    .toContain(`${name} was restored as ${name}-by-hand`);
});

test("using only the keyboard: sign in with two-factor, change a setting, invite a colleague, sign out", async ({
  page,
  person,
}) => {
  await connect(page);
  await person.call("PUT", "user/account-type", { account_type: "Organization" });
  await person.call("POST", "user/organization/name", { organization_name: "Meridian Freight GmbH" });
  const authenticator = await enableTwoFactor(page);
  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();

  await page.goto("/auth/login");
  await tabTo(page, "Email");
  await page.keyboard.type(person.email);
  await tabTo(page, "Password");
  await page.keyboard.type(PASSWORD);
  await tabTo(page, "Remember me");
  await page.keyboard.press("Space");
  await tabTo(page, "Sign in");
  await page.keyboard.press("Enter");
  const code = page.getByRole("dialog", { name: "Two-factor authentication" }).getByLabel("Code", {
    exact: true,
  });
  await expect(code).toBeFocused();
  await page.keyboard.type(authenticator.nextCode());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();

  await chooseInAccountMenu(page, "Settings");
  await page.waitForURL("**/settings");
  await tabTo(page, "First name");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Gudrun");
  await tabTo(page, /^Save/);
  await page.keyboard.press("Enter");
  await toastComesAndGoes(page, "Your changes were successfully saved");

  await tabTo(page, "User/Company Details");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.waitForURL("**/settings/users");
  await tabTo(page, /^Invite new user/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("form", { name: "Invite new user" })).toBeVisible();
  const colleague = freshEmail();
  await tabTo(page, "Email");
  await page.keyboard.type(colleague);
  await tabTo(page, "GitHub: Read only");
  await page.keyboard.press("Space");
  await tabTo(page, /^Send Invitation/);
  await page.keyboard.press("Enter");
  await toastComesAndGoes(page, "New user was successfully invited");
  await mailTo(colleague, /Gudrun .* invites you/);

  await chooseInAccountMenu(page, "Sign out");
  await page.waitForURL("**/auth/login");
});

/** Waits until a toast has appeared and disappeared, because Tab would stop at it. */
async function toastComesAndGoes(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByText(text)).toBeHidden();
}

/** Opens the account menu and moves down to an entry. */
async function chooseInAccountMenu(page: Page, name: string): Promise<void> {
  await tabTo(page, /account menu/);
  await page.keyboard.press("Enter");
  const entry = page.getByRole("menuitem", { name, exact: true });
  await expect(entry).toBeVisible();
  for (let press = 0; press < 20; press++) {
    if (await entry.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("ArrowDown");
  }
  await expect(entry).toBeFocused();
  await page.keyboard.press("Enter");
}

function focused(page: Page) {
  return page.locator(":focus");
}

/** Presses Tab until the named element has the focus. Every stop on the way must show its focus. */
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
      const shown = element.closest(".text-field, .choice") ?? element.querySelector(".toast") ?? element;
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
    expect(stop, `the focus can be seen on ${stop.name}`).toMatchObject({ isMarked: true });
    if (typeof name === "string" ? stop.name === name : name.test(stop.name)) return;
  }
  throw new Error(`Tab does not lead to ${name}.`);
}

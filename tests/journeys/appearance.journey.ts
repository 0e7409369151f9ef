import { randomUUID } from "node:crypto";
import { isDeep } from "#tests/harness/sample.ts";
import { expect, test } from "./fixtures.ts";
import {
  confirmationLink,
  enableTwoFactor,
  fillSignIn,
  makeAccount,
  makeConfirmed,
  signInPast,
} from "./identity-steps.ts";
import { faultsNow, faultsOf, NARROW, WIDE } from "./looks.ts";
import { createRepository } from "./outside.ts";
import { freshEmail } from "./person.ts";
import { startPlan } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST, historyUrl, waitForBackup } from "./steps.ts";

// On a busy machine, axe takes many seconds per page. A deep run looks at each twenty times as often.
test.describe.configure({ mode: "parallel", timeout: isDeep() ? 2_400_000 : 240_000 });
// Animations have no stable colours to check.
test.use({ contextOptions: { reducedMotion: "reduce" } });

const DAY = 86_400_000;

test("[A-037] [A-038] [A-098] each theme is selected in the account menu, changes the colours, and is stored", async ({
  page,
  person,
}) => {
  await connect(page);
  await page.goto(GITHUB_LIST);
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

test("the sign-in pages have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  const faults = await faultsOf(page, "/app-connector?platform=github");
  await connect(page);
  for (const path of [GITHUB_LIST, "/app-connector", "/app-connector?error_message=Call%20us"]) {
    faults.push(...(await faultsOf(page, path)));
  }
  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  for (const path of ["/auth/login", "/auth/sign-up"]) faults.push(...(await faultsOf(page, path)));
  expect(faults).toEqual([]);
});

test("the pages of protected items have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/no-such-page: .*status of 404/);
  const name = `looks-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`, {
    description: "A description of some length to show here",
  });
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  const item = await waitForBackup(person, name);
  const faults: string[] = [];
  for (const path of ["/", GITHUB_LIST, historyUrl(item), "/no-such-page"]) {
    faults.push(...(await faultsOf(page, path)));
  }
  await page.goto(historyUrl(item, { run: "true" }));
  await expect(page.getByRole("dialog", { name: `Restore ${name}` })).toBeVisible();
  faults.push(...(await faultsNow(page, "restore")));
  expect(faults).toEqual([]);
});

test("the dialogs of a list have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
  person,
}) => {
  const name = `dialogs-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  await waitForBackup(person, name);
  const faults: string[] = [];
  const lookAt = async (state: string, open: () => Promise<void>) => {
    await page.setViewportSize({ width: WIDE.width, height: 800 });
    await page.goto(`${GITHUB_LIST}?q=${name}`);
    await expect(page.getByRole("row", { name })).toBeVisible();
    await open();
    await expect(page.getByRole("dialog").or(page.getByRole("menu"))).toBeVisible();
    faults.push(...(await faultsNow(page, state)));
  };
  for (const label of ["Add place", "Add repositories", "External storage"])
    await lookAt(label, () => page.getByRole("button", { name: label, exact: true }).click());
  const row = page.getByRole("row", { name });
  await lookAt("delete", () => row.getByRole("button", { name: /^Delete/ }).click());
  await lookAt("palette", () => page.keyboard.press("Control+k"));
  await lookAt("keys", () => page.keyboard.press("?"));
  expect(faults).toEqual([]);
});

test("the visitor's forms have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
}) => {
  const faults: string[] = [];
  for (const path of [
    "/auth/password-recovery",
    "/verify-email#resend_verification",
    "/invite?email=bad&code=1",
    "/subscribeToMail",
    "/auth/contact",
  ]) {
    faults.push(...(await faultsOf(page, path)));
  }
  await page.goto("/auth/password-recovery");
  await page.getByLabel("Email").fill(freshEmail());
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByLabel("Verification code")).toBeVisible();
  faults.push(...(await faultsNow(page, "recovery, second step")));
  const link = await confirmationLink(await makeAccount(page));
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Choose your password" })).toBeVisible();
  faults.push(...(await faultsNow(page, "a link in another browser")));
  expect(faults).toEqual([]);
});

test("the visitor's texts have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
}) => {
  const faults: string[] = [];
  // It leads to itself, so that it stays.
  for (const path of ["/wait?next=/wait", "/welcome", "/terms", "/privacy", "/sla"])
    faults.push(...(await faultsOf(page, path)));
  expect(faults).toEqual([]);
});

test("the sign-in errors have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 40[013]/);
  const faults: string[] = [];
  const unconfirmed = await makeAccount(page);
  await page.goto("/auth/login");
  await page.getByRole("button", { name: "Single sign-on" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("required");
  faults.push(...(await faultsNow(page, "sign-in, empty")));
  await fillSignIn(page, unconfirmed);
  await expect(page.getByText("User is not confirmed")).toBeVisible();
  faults.push(...(await faultsNow(page, "sign-in, not confirmed")));
  await fillSignIn(page, freshEmail(), "wrong");
  await expect(page.getByRole("dialog")).toBeVisible();
  faults.push(...(await faultsNow(page, "sign-in, wrong")));

  const email = await makeConfirmed(page);
  await signInPast(page, email);
  await enableTwoFactor(page);
  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  const dialog = page.getByRole("dialog", { name: "Two-factor authentication" });
  await dialog.getByLabel("Code", { exact: true }).fill("000000");
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await expect(dialog.getByText("Code is invalid")).toBeVisible();
  faults.push(...(await faultsNow(page, "two-factor, invalid")));
  await dialog.getByRole("button", { name: "Use a recovery code" }).click();
  faults.push(...(await faultsNow(page, "two-factor, recovery")));
  expect(faults).toEqual([]);
});

test("the settings have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
  person,
}) => {
  await person.call("PUT", "user/account-type", { account_type: "Organization" });
  await startPlan(person, { plan: "trial", quantity: 10, endsAt: Date.now() + 5 * DAY });
  const faults: string[] = [];
  for (const tab of ["", "/security", "/payment", "/storage", "/users", "/reporting"]) {
    faults.push(...(await faultsOf(page, `/settings${tab}`)));
  }
  expect(faults).toEqual([]);
});

test("the forms and dialogs of the settings have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
  person,
}) => {
  await person.call("PUT", "user/account-type", { account_type: "Organization" });
  await person.call("POST", "user/organization/name", { organization_name: "Meridian Freight GmbH" });
  await connect(page);
  const reader = ["organization_github_user"];
  await person.call("POST", "user/organization-user", { email: freshEmail(), roles: reader });
  const faults: string[] = [];
  await page.goto("/settings");
  await page.getByLabel("First name").fill("http://x");
  await page.getByLabel("Country").selectOption("US");
  await page.getByLabel("Company name").focus();
  await page.getByLabel("Company name").blur();
  faults.push(...(await faultsNow(page, "details, wrong")));
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  faults.push(...(await faultsNow(page, "two-factor, QR code")));
  await page.goto("/settings/users");
  await page.getByRole("button", { name: /^Invite new user/ }).click();
  await page.getByRole("checkbox", { name: "GitHub: Read/Write" }).check();
  faults.push(...(await faultsNow(page, "invitation")));
  await page.goto("/settings/users");
  await page.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByRole("dialog", { name: "Delete user" })).toBeVisible();
  faults.push(...(await faultsNow(page, "delete a colleague")));
  expect(faults).toEqual([]);
});

test("the pages of the shell have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
  person,
}) => {
  await startPlan(person, { plan: "trial", quantity: 10, endsAt: Date.now() + 5 * DAY });
  const faults: string[] = [];
  for (const path of [
    "/contact",
    "/subscriptions",
    "/checkout",
    "/payment-history",
    "/audit",
    "/bulk-restore",
    "/runs",
    "/platform/dashboard/trello",
  ]) {
    faults.push(...(await faultsOf(page, path)));
  }
  expect(faults).toEqual([]);
});

test("the shell's menus, banners and dialogs have no known accessibility faults, wide and narrow, light and dark", async ({
  page,
  person,
}) => {
  await connect(page);
  await startPlan(person, { plan: "trial", quantity: 10, endsAt: Date.now() + 3 * DAY });
  const faults = await faultsOf(page, "/");
  await page.setViewportSize({ width: WIDE.width, height: 800 });
  await page.getByRole("button", { name: /account menu/ }).click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  faults.push(...(await faultsNow(page, "account menu")));
  await page.goto("/contact");
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
  faults.push(...(await faultsNow(page, "drawer", NARROW)));
  await page.setViewportSize({ width: WIDE.width, height: 800 });
  await page.goto("/contact");
  await page.getByRole("button", { name: "Collapse" }).click();
  faults.push(...(await faultsNow(page, "narrow rail", WIDE)));
  await startPlan(person, { plan: "trial", quantity: 10, endsAt: Date.now() - DAY });
  await page.goto("/");
  await expect(page.getByRole("dialog", { name: "Your free trial has ended" })).toBeVisible();
  faults.push(...(await faultsNow(page, "trial has ended")));
  expect(faults).toEqual([]);
});

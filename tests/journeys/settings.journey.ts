import { generateHOTP } from "@oslojs/otp";
import type { Browser, Page, Request } from "@playwright/test";
import { readQr } from "#tests/harness/read-qr.ts";
import { CARDS, createCard } from "./checkout-steps.ts";
import { expect, test } from "./fixtures.ts";
import { mailTo, makeConfirmed, STRONG, STRONGER, signInPast } from "./identity-steps.ts";
import { freshEmail, type JourneyPerson, PASSWORD, personOf } from "./person.ts";
import { APP_URL, loseConnection, startPlan } from "./stack.ts";
import { connect } from "./steps.ts";

test.describe.configure({ mode: "parallel" });

const TABS = [
  "User/Company Details",
  "Account Security",
  "Payment Details",
  "External Storage",
  "User Management",
  "Email Reporting",
];

test("the settings have their tabs at their URLs", async ({ page, person }) => {
  await test.step("[A-055] [A-157] [A-161] [A-163] they open with the details of the person and the company", async () => {
    await page.goto("/settings");
    await expect(tab(page, TABS[0])).toHaveAttribute("aria-selected", "true");
    await expect(page.getByLabel("First name")).toHaveValue("Runa");
    await expect(page.getByLabel("Last name")).toHaveValue("Holm");
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue(person.email);
    await expect(page.getByLabel("Company name")).toBeVisible();
  });

  await test.step("[A-158] [A-166] one panel is shown, and the hidden ones stay in the document", async () => {
    const panels = page.locator("[role=tabpanel]");
    await expect(panels).toHaveCount(5);
    await expect(panels.filter({ visible: true })).toHaveCount(1);
    await expect(page.getByLabel("Old password")).toBeHidden();
    await tab(page, "Account Security").click();
    await expect(page).toHaveURL(/\/settings\/security$/);
    for (const label of ["Old password", "New password", "Confirm new password"]) {
      await expect(page.getByLabel(label, { exact: true })).toBeVisible();
    }
    await expect(page.getByLabel("Company name")).toBeHidden();
    await expect(page.getByLabel("Company name")).toHaveCount(1);
    await expect(panels).toHaveCount(5);
  });

  await test.step("[A-160] [A-165] [A-168] [A-170] [A-171] [A-174] [A-177] an organisation has six tabs, others all but User Management", async () => {
    await expect(page.getByRole("tab")).toHaveText(TABS.filter((name) => name !== "User Management"));
    await tab(page, TABS[0]).click();
    await page.getByRole("radio", { name: /^Organization/ }).check();
    await expect(page.getByRole("tab")).toHaveText(TABS);
  });

  await test.step("[A-056] [A-159] on a narrow screen the bar scrolls to its last tab", async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await page.goto("/profile");
    await expect(tab(page, TABS[0])).toHaveAttribute("aria-selected", "true");
    await expect(page.getByLabel("First name")).toHaveValue("Runa");
    await expect(tab(page, "Email Reporting")).not.toBeInViewport();
    await page.getByRole("tablist").hover();
    await page.mouse.wheel(1_000, 0);
    await expect(tab(page, "Email Reporting")).toBeInViewport({ ratio: 1 });
    await page.goto("/settings/users");
    await expect(tab(page, "User Management")).toBeInViewport();
  });
});

test("[A-348] [A-456] [A-457] names are saved if changed, and the shell shows them", async ({
  page,
  person,
}) => {
  await page.goto("/settings");
  const panel = page.getByRole("tabpanel");
  const save = panel.getByRole("button", { name: /^Save/ }).first();
  await expect(save).toBeDisabled();
  await panel.getByLabel("First name").fill("www.evil.example");
  await expect(panel.getByText("no links")).toBeVisible();
  await expect(save).toBeDisabled();
  await panel.getByLabel("First name").fill("Rune");
  await expect(save).toBeEnabled();
  const profile = page.waitForRequest(isCall("GET", "user/get-user-start-info"));
  await save.click();
  await profile;
  const toast = page.getByText("Your changes were successfully saved");
  await expect(toast).toBeVisible();
  const box = await toast.boundingBox();
  const width = page.viewportSize()?.width ?? 0;
  expect(box && box.y < 100 && box.x > width / 2).toBe(true);
  await expect(toast).toBeHidden();
  await expect(save).toBeDisabled();
  await expect(page.getByRole("link", { name: /profile of Rune Holm/i })).toBeVisible();
  expect(await person.call("GET", "user/get-user-start-info")).toMatchObject({ name: "Rune" });
});

test("[A-162] [A-293] [A-294] [A-346] [A-445] [A-446] a photo is refused or cropped square, also by keyboard, and sent as a data URL", async ({
  page,
  person,
}) => {
  await page.goto("/settings");
  const field = page.locator("input[type=file]");
  const gif = { name: "me.png", mimeType: "image/png", buffer: Buffer.from("GIF89a, not a picture of ours") };
  await field.setInputFiles(gif);
  await expect(
    page.getByText("Uploaded image must be one of the following formats: PNG, JPG, JPEG and BMP"),
  ).toBeVisible();
  const large = Buffer.concat([await picture(page, "image/png"), Buffer.alloc(2_000_000)]);
  await field.setInputFiles({ name: "large.png", mimeType: "image/png", buffer: large });
  await expect(page.getByText("Please upload a photo smaller than 1 Mb")).toBeVisible();

  for (const [ending, type] of [
    ["png", "image/png"],
    ["jpg", "image/jpeg"],
    ["jpeg", "image/jpeg"],
    ["bmp", "image/bmp"],
  ] as const) {
    expect((await field.getAttribute("accept"))?.split(",")).toContain(`.${ending}`);
    const buffer = await picture(page, type);
    await field.setInputFiles({ name: `me.${ending}`, mimeType: type, buffer });
    const dialog = page.getByRole("dialog", { name: "Profile photo" });
    await expect(dialog.getByRole("img", { name: "The photo you chose" })).toBeVisible();
    const square = dialog.getByLabel(/^Square that is kept/);
    const before = await square.boundingBox();
    await square.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    const after = await square.boundingBox();
    expect(after?.x).toBeGreaterThan(before?.x ?? 0);
    expect(Math.abs((after?.width ?? 0) - (after?.height ?? 1))).toBeLessThan(1);
    const sent = page.waitForRequest(isCall("POST", "user/add-profile-image"));
    await dialog.getByRole("button", { name: "Save photo" }).click();
    const { avatar } = (await sent).postDataJSON() as { avatar: string };
    expect(avatar).toMatch(/^data:image\/(png|jpeg);base64,/);
    expect(await sizeOf(page, avatar)).toEqual({ width: 120, height: 120 });
    await expect(dialog).toBeHidden();
  }
  await expect(page.getByRole("img", { name: "Profile photo" })).toBeVisible();
  const me = await person.call<{ picture: string }>("GET", "user/get-user-start-info");
  expect((await page.request.get(me.picture)).status()).toBe(200);
});

test("[A-325] [A-327] [A-328] the password is changed if the rules are met and both entries are equal", async ({
  page,
}) => {
  const email = await makeConfirmed(page);
  await signInPast(page, email);
  await page.goto("/settings/security");
  const change = page.getByRole("button", { name: "Change password" });
  await page.getByLabel("Old password").fill("x".repeat(101));
  await expect(page.getByText("Max length is 100")).toBeVisible();
  await page.getByLabel("Old password").fill("x".repeat(100));
  await expect(page.getByText("Max length is 100")).toBeHidden();
  await page.getByLabel("Old password").fill(STRONG);
  const spaced = "Wj4%tzB9 xNc^q";
  await page.getByLabel("New password", { exact: true }).fill(spaced);
  await page.getByLabel("Confirm new password").fill(spaced);
  await expect(page.getByRole("listitem").filter({ hasText: "No spaces" })).toHaveText(/: not met$/);
  await expect(change).toBeDisabled();
  await page.getByLabel("New password", { exact: true }).fill(STRONGER);
  await page.getByLabel("Confirm new password").fill("something else");
  await expect(page.getByText("Passwords don't match", { exact: true })).toBeVisible();
  await expect(change).toBeDisabled();
  await page.getByLabel("Confirm new password").fill(STRONGER);
  await expect(page.getByText("Passwords don't match")).toBeHidden();
  await change.click();
  await expect(page.getByText("Your changes were successfully saved")).toBeVisible();
  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await signInPast(page, email, STRONGER);
});

test("[A-167] [A-248] [A-249] two-factor is turned on and off only by valid codes", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 400/);
  const isOn = async () =>
    (await person.call<{ enabled: boolean }>("GET", "identity/two-factor/check")).enabled;
  await page.goto("/settings/security");
  const dialog = page.getByRole("dialog", { name: "Enable Two-Factor Authentication" });
  const secret =
    await test.step("[A-245] [A-246] the modal requests a secret and shows it as a QR code", async () => {
      const secretAsked = page.waitForResponse((answer) =>
        isCall("POST", "identity/two-factor/secret")(answer.request()),
      );
      await page.getByRole("button", { name: "Enable" }).click();
      const { result } = (await (await secretAsked).json()) as { result: { secret: string } };
      const qr = dialog.getByRole("img", { name: /QR code/ });
      await expect(qr).toBeVisible();
      const scanned = new URL(readQr(await qr.evaluate((svg) => svg.outerHTML)));
      expect([scanned.protocol, scanned.searchParams.get("secret")]).toEqual(["otpauth:", result.secret]);
      await expect(dialog.getByText(result.secret.match(/.{1,4}/g)?.join(" ") ?? "")).toBeVisible();
      return result.secret;
    });

  const nextCode = codesOf(secret);
  await test.step("[A-243] [A-247] [A-336] a wrong code changes nothing, and a correct one is verified before it is turned on", async () => {
    const enable = dialog.getByRole("button", { name: "Enable" });
    const code = dialog.getByLabel("Code from the app");
    for (const text of ["12345", "12345678", "12345a"]) {
      await code.fill(text);
      await expect(enable).toBeDisabled();
    }
    await code.fill("0000000");
    await expect(enable).toBeEnabled();
    await enable.click();
    await closeError(page, /Code is invalid/);
    expect(await isOn()).toBe(false);
    const calls = await watchTwoFactor(page, async () => {
      await code.fill(await nextCode());
      await enable.click();
      await expect(dialog.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(
        10,
      );
    });
    expect(calls.map(({ path }) => path)).toEqual(["verify", "enable", "check"]);
    expectPause(calls);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeVisible();
  });

  const first = await dialog.getByRole("listitem").first().textContent();
  await dialog.getByRole("button", { name: "I have kept them" }).click();
  await expect(page.getByText("On", { exact: true }).filter({ visible: true })).toBeVisible();
  expect(await isOn()).toBe(true);

  await page.getByRole("button", { name: "New recovery codes" }).click();
  const renewal = page.getByRole("dialog", { name: "New recovery codes" });
  await renewal.getByLabel("Code from the app").fill(await nextCode());
  await renewal.getByRole("button", { name: "Make new codes" }).click();
  await expect(renewal.getByRole("listitem")).toHaveCount(10);
  expect(await renewal.getByRole("listitem").allTextContents()).not.toContain(first);
  await renewal.getByRole("button", { name: "I have kept them" }).click();

  await test.step("[A-244] [A-336] a wrong code changes nothing, and a correct one turns it off", async () => {
    await page.getByRole("button", { name: "Disable" }).click();
    const off = page.getByRole("dialog", { name: "Disable Two-Factor Authentication" });
    for (const text of ["12345", "12345678", "12345a"]) {
      await off.getByLabel("Code from the app").fill(text);
      await expect(off.getByRole("button", { name: "Disable" })).toBeDisabled();
    }
    await off.getByLabel("Code from the app").fill("000000");
    await off.getByRole("button", { name: "Disable" }).click();
    await closeError(page, /Code is invalid/);
    expect(await isOn()).toBe(true);
    const calls = await watchTwoFactor(page, async () => {
      await off.getByLabel("Code from the app").fill(await nextCode());
      await off.getByRole("button", { name: "Disable" }).click();
      await expect(off).toBeHidden();
    });
    expect(calls.map(({ path }) => path)).toEqual(["verify", "disable", "check"]);
    expectPause(calls);
    await expect(page.getByText("Off", { exact: true }).filter({ visible: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Enable" })).toBeVisible();
    expect(await isOn()).toBe(false);
  });
});

/** A company and its address, as the calls take them. */
const DETAILS = { name: "Meridian Freight GmbH", country: "DE", state: "HH", city: "Hamburg" };
const ADDRESS = { line1: "Kai 7", postal_code: "20457" };

test("the billing address has its countries, and requires a payment method", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 409/);
  expect(person.email).toContain("@");
  await page.goto("/settings");
  const country = page.getByLabel("Country");
  const state = page.getByLabel("State", { exact: true });
  await test.step("[B-317] frequently chosen countries come first", async () => {
    await expect(country.locator("option").nth(200)).toBeAttached();
    const names = await country.locator("option:not([value=''])").allTextContents();
    const often = ["United States", "United Kingdom", "Germany", "France", "Brazil", "Canada"];
    expect(names.slice(0, 6)).toEqual(often);
  });

  await test.step("[B-196] [B-197] [B-198] [B-199] [B-200] [B-201] required fields show an error when left empty", async () => {
    const names = ["Company name", "Country", "City", "Address line 1", "Postal code"];
    for (const name of names) {
      await page.getByLabel(name, { exact: true }).focus();
      await page.getByLabel(name, { exact: true }).blur();
      await expect(page.getByLabel(name, { exact: true })).toHaveAccessibleDescription("required");
    }
    await country.selectOption("US");
    await state.focus();
    await state.blur();
    await expect(state).toHaveAccessibleDescription("required");
  });

  await test.step("[B-203] [B-204] [B-205] states and VAT ID follow the country", async () => {
    await state.selectOption("TX");
    await country.selectOption("CA");
    await expect(state).toHaveValue("");
    await expect(state.locator("option", { hasText: "Ontario" })).toHaveCount(1);
    await expect(state.locator("option", { hasText: "Texas" })).toHaveCount(0);
    await country.selectOption("AQ");
    await expect(page.getByLabel("VAT ID")).toHaveCount(0);
    await country.selectOption("DE");
    await expect(page.getByLabel("VAT ID")).toBeVisible();
  });

  const update = page.getByRole("button", { name: "Update billing address" });
  await test.step("[A-349] [A-405] [A-448] [A-449] [A-454] [B-202] [B-206] [B-207] empty fields are not sent, and without a payment method nothing is stored", async () => {
    await page.getByLabel("Company name").fill("Meridian Freight GmbH");
    await state.selectOption("HH");
    await page.getByLabel("City").fill("Hamburg");
    await page.getByLabel("Address line 1").fill("Kai 7");
    await page.getByLabel("Postal code").fill("20457");
    const bare = page.waitForRequest(/stripe-update-company/);
    await update.click();
    expect((await bare).postDataJSON()).toEqual({ ...DETAILS, ...ADDRESS });
    await closeError(page, /^First you need to add a payment method$/);
    await page.getByLabel("VAT ID").fill("DE123456789");
    await page.getByLabel("Address line 2").fill("Shed 3");
    const taxed = page.waitForRequest(/stripe-update-company/);
    await update.click();
    expect((await taxed).postDataJSON()).toEqual({
      ...DETAILS,
      ...ADDRESS,
      line2: "Shed 3",
      tax_details: { type: "eu_vat", value: "DE123456789" },
    });
    await closeError(page, /^First you need to add a payment method$/);
    await page.reload();
    await expect(page.getByLabel("Company name")).toHaveValue("");
  });
});

test("a saved billing address is shown again, and is saved before the list of countries has loaded", async ({
  page,
  person,
}) => {
  await test.step("what is saved is shown again, with what the register says of the tax ID", async () => {
    const card = { id: await createCard(CARDS.good) };
    await person.call("POST", "payments/stripe-attach-user-payment-method", card);
    const tax_details = { type: "eu_vat", value: "DE000000000" };
    await person.call("PUT", "payments/stripe-update-company", { ...DETAILS, ...ADDRESS, tax_details });
    await page.goto("/settings");
    await expect(page.getByLabel("Company name")).toHaveValue("Meridian Freight GmbH");
    await expect(page.getByLabel("VAT ID")).toHaveValue("DE000000000");
    await expect(page.getByText("verified", { exact: true })).toBeVisible();
    await page.getByLabel("VAT ID").fill("DE111111111");
    await expect(page.getByText("verified", { exact: true })).toHaveCount(0);
  });

  await test.step("somebody who is quicker than the list of countries saves too", async () => {
    const released = Promise.withResolvers<void>();
    await page.route("**/assets/company-data-*.js", async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByLabel("City").fill("Bremen");
    const update = page.getByRole("button", { name: "Update billing address" });
    await update.click();
    await expect(update).toHaveAttribute("aria-busy", "true");
    released.resolve();
    await expect(page.getByText("Billing address was successfully updated")).toBeVisible();
    await expect(page.getByLabel("Country").locator("option:checked")).toHaveText("Germany");
  });
});

test("[A-179] [A-186] reports are configured, the switch at once and the rest by Save", async ({
  page,
  person,
}) => {
  await page.goto("/settings/reporting");
  const save = page.getByRole("button", { name: /^Save/ });
  const master = page.getByRole("switch", { name: "Email reports" });
  const days = page.getByRole("group", { name: "Day of the report" });
  await expect(master).toBeChecked();
  await test.step("[A-180] [A-181] [A-182] [A-183] [A-260] [A-267] daily or weekly, and weekly on a day", async () => {
    await expect(save).toBeDisabled();
    await page.getByRole("radio", { name: "Weekly" }).check({ force: true });
    await expect(days.locator("label")).toHaveText(["SU", "MO", "TU", "WE", "TH", "FR", "SA"]);
    await expect(days.getByRole("radio", { name: "MO, Monday" })).toBeChecked();
    await expect(save).toBeEnabled();
    await page.getByRole("radio", { name: "Daily" }).check({ force: true });
    await expect(days).toHaveCount(0);
    await expect(save).toBeDisabled();
    await page.getByRole("radio", { name: "Weekly" }).check({ force: true });
    await days.getByRole("radio", { name: /^FR/ }).check({ force: true });
  });

  await test.step("[A-184] [A-185] successes and failures are selected separately", async () => {
    await expect(page.getByText("Successful backups and restores", { exact: true })).toBeVisible();
    await expect(page.getByText("Failed backups and restores", { exact: true })).toBeVisible();
    await expect(page.getByRole("checkbox", { name: "Failed Backups" })).toBeChecked();
    await page.getByRole("checkbox", { name: "Failed Backups" }).uncheck();
    await page.getByRole("checkbox", { name: "Failed Backups" }).check();
    await page.getByRole("checkbox", { name: "Successful Backups" }).uncheck();
  });

  await test.step("[A-265] [A-269] Save waits for the response, and saved values count as loaded", async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/user/email-preferences", async (route) => {
      await held;
      await route.continue();
    });
    const sent = page.waitForRequest(isCall("PUT", "user/email-preferences"));
    await save.click();
    const { email_preferences } = (await sent).postDataJSON() as { email_preferences: object };
    expect(email_preferences).toMatchObject({
      is_active: true,
      frequency: "weekly",
      report_type: "failed",
      report_day: "friday",
    });
    await expect(save).toBeDisabled();
    answer();
    await expect(page.getByText("Your changes were successfully saved")).toBeVisible();
    await expect(save).toBeDisabled();
    await expect(save).toContainText("nothing changed");
  });

  await test.step("[A-266] [A-268] the switch is saved at once, and while it is off nothing else can be changed", async () => {
    const off = page.waitForRequest(isCall("PUT", "user/subscribe-mail-sending"));
    await master.click();
    expect((await off).postDataJSON()).toMatchObject({ isSubscribedToMail: false });
    await page.getByRole("checkbox", { name: "Successful Backups" }).check();
    await expect(save).toBeDisabled();
    await expect(save).toContainText("reports are off");
    await (await (await off).response())?.finished();
    expect(await person.call("GET", "user/email-preferences")).toMatchObject({
      is_active: false,
      frequency: "weekly",
      report_type: "failed",
      report_day: "friday",
    });
  });
});

test("people are invited, given rights and removed", async ({ page, person }) => {
  test.setTimeout(180_000);
  await person.call("PUT", "user/account-type", { account_type: "Organization" });
  await page.goto("/settings/users");
  const invite = page.getByRole("button", { name: /^Invite new user/ });
  const name = page.getByLabel("Organisation name");
  const save = page.getByRole("button", { name: "Save", exact: true }).filter({ visible: true });
  await test.step("[A-188] [A-189] [A-339] [A-340] [A-341] [A-345] nobody can be invited before the organisation has a valid name", async () => {
    await expect(invite).toBeDisabled();
    await expect(save).toBeDisabled();
    await name.fill("x".repeat(101));
    await expect(name).toHaveAccessibleDescription("Max length is 100");
    await expect(save).toBeDisabled();
    await name.fill("x".repeat(100));
    await expect(name).toHaveAccessibleDescription("");
    await expect(save).toBeEnabled();
    await name.fill("");
    await expect(name).toHaveAccessibleDescription("This field is required");
    await expect(save).toBeDisabled();
  });

  await test.step("[A-190] [A-342] [A-343] the name is saved once, and can be edited afterwards", async () => {
    await name.fill("Meridian Freight GmbH");
    const naming = await holdCalls(page, "**/api/user/organization/name");
    await save.click();
    await expect(save).toBeDisabled();
    naming.release();
    const edit = page.getByRole("button", { name: "Edit", exact: true });
    await expect(name).not.toBeEditable();
    await edit.click();
    await expect(name).toBeFocused();
    await expect(save).toBeDisabled();
    await name.fill("Meridian Freight");
    await expect(save).toBeEnabled();
    await name.fill("Meridian Freight GmbH");
    await expect(save).toBeDisabled();
    await page.getByRole("button", { name: "Cancel", exact: true }).filter({ visible: true }).click();
    await expect(edit).toBeVisible();
  });

  const row = (platform: string) => page.getByRole("row", { name: platform });
  await test.step("[A-014] [A-191] [A-192] [A-194] [A-213] [A-214] [A-283] five platforms have rights, and an unpaid one links to a plan", async () => {
    await expect(page.getByText("10 of 10 invitations left")).toBeVisible();
    await invite.click();
    const platforms = ["GitHub", "GitLab", "Jira", "Notion", "Trello"];
    await expect(page.locator(".rights-grid tbody tr")).toHaveCount(platforms.length);
    await expect(page.locator(".rights-grid tbody th")).toContainText(platforms);
    await expect(page.getByRole("columnheader", { name: "Read only" })).toBeVisible();
    await expect(page.getByRole("columnheader", { name: "Read/Write" })).toBeVisible();
    const connector = row("GitHub").getByRole("link", { name: "Not connected" });
    await expect(connector).toHaveAttribute("href", "/app-connector?platform=github");
    await row("GitHub").click();
    const prompt = page.getByRole("dialog", { name: "Subscribe to GitHub" });
    await expect(prompt.getByRole("link", { name: "Choose a plan" })).toHaveAttribute("href", /^\/checkout/);
    await prompt.getByRole("button", { name: "Cancel" }).click();
  });

  await connect(page);
  await startPlan(person, { platform: "gitlab", plan: "essential", quantity: 10, endsAt: null });
  await startPlan(person, { platform: "trello", plan: "pro", quantity: 10, endsAt: null });
  await page.goto("/settings/users");
  await invite.click();
  await test.step("[A-281] [A-282] rights require a running trial or Pro; Essential or no plan is not enough", async () => {
    await expect(row("GitHub").getByRole("checkbox").first()).toBeEnabled();
    // Trello has Pro, so no plan is missing there. A prompt of it would cover the rows that are clicked next.
    for (const platform of ["Trello", "GitLab", "Notion"]) {
      await expect(row(platform).getByRole("link", { name: "Not connected" })).toBeVisible();
      await expect(row(platform).getByRole("checkbox").first()).toBeDisabled();
      await row(platform).click();
      if (platform === "Trello") continue;
      const prompt = page.getByRole("dialog", { name: `Subscribe to ${platform}` });
      await prompt.getByRole("button", { name: "Cancel" }).click();
    }
    await expect(page.getByRole("button", { name: "Needs Pro" })).toHaveCount(0);

    await startPlan(person, { plan: "essential", quantity: 10, endsAt: null });
    await page.goto("/settings/users");
    await invite.click();
    await expect(row("GitHub").getByRole("checkbox").first()).toBeDisabled();
    await row("GitHub").getByRole("button", { name: "Needs Pro" }).click();
    await expect(page.getByRole("dialog", { name: "Subscribe to GitHub" })).toBeVisible();
    await startPlan(person, { plan: "pro", quantity: 10, endsAt: null });
    await page.goto("/settings/users");
    await invite.click();
  });

  const form = page.getByRole("form", { name: "Invite new user" });
  const send = form.getByRole("button", { name: /^Send Invitation/ });
  const colleague = freshEmail();
  await test.step("[A-193] [A-270] [A-274] [A-275] [A-285] [A-297] an invitation requires a valid e-mail address and a right; two rights of a pair exclude each other", async () => {
    const reads = form.getByRole("checkbox", { name: "GitHub: Read only" });
    const writes = form.getByRole("checkbox", { name: "GitHub: Read/Write" });
    await reads.check();
    await expect(send).toBeDisabled();
    for (const refused of ["abc", `${"n".repeat(39)}@example.com`]) {
      await form.getByLabel("Email").fill(refused);
      await form.getByLabel("Email").blur();
      await expect(form.getByLabel("Email")).toHaveAccessibleDescription("Invalid email");
      await expect(send).toBeDisabled();
    }
    await form.getByLabel("Email").fill(`${"n".repeat(38)}@example.com`);
    await expect(form.getByLabel("Email")).toHaveAccessibleDescription("");
    await expect(send).toBeEnabled();
    await form.getByLabel("Email").fill(colleague);
    await expect(send).toBeEnabled();
    await writes.check();
    await expect(reads).not.toBeChecked();
    await expect(writes).toBeChecked();
  });

  const person2 = row(colleague);
  await test.step("[A-217] [A-276] [A-277] [A-278] [A-279] [A-459] it is sent once, closes the form and shows the invited person", async () => {
    const hold = await holdCalls(page, "**/api/user/organization-user");
    const invited = page.waitForRequest(isCall("POST", "user/organization-user"));
    const profile = page.waitForRequest(isCall("GET", "user/get-user-start-info"));
    await send.click();
    await expect(send).toBeDisabled();
    hold.release();
    await expect(page.getByText("New user was successfully invited")).toBeVisible();
    const roles = ["organization_github_admin"];
    expect((await invited).postDataJSON()).toEqual({ email: colleague, roles });
    await profile;
    await expect(form).toBeHidden();
    await expect(person2).toContainText("Invited");
    await expect(person2).toContainText("Read/Write");
    await expect(page.getByText("9 of 10 invitations left")).toBeVisible();
  });

  await test.step("[A-197] [A-271] [A-272] [A-273] [A-458] the rights of an invited person can be changed, their e-mail address cannot", async () => {
    await person2.getByRole("button", { name: /^Show\/Edit/ }).click();
    const rights = page.getByRole("form", { name: "Access rights" });
    await expect(rights.getByLabel("Email")).toHaveValue(colleague);
    await expect(rights.getByLabel("Email")).not.toBeEditable();
    const update = rights.getByRole("button", { name: /^Save/ });
    await expect(update).toBeDisabled();
    await rights.getByRole("checkbox", { name: "GitHub: Read only" }).check();
    const changed = page.waitForRequest(isCall("PUT", "user/organization-user"));
    await update.click();
    const body = (await changed).postDataJSON() as object;
    expect(Object.keys(body).sort()).toEqual(["roles", "targetUserSub"]);
    expect(body).toMatchObject({ roles: ["organization_github_user"] });
    await expect(page.getByText("User was successfully updated")).toBeVisible();
    await expect(person2).toContainText("Read only");
  });

  await test.step("[A-198] [A-451] [A-452] [A-453] [A-460] a person is removed after confirmation, or kept", async () => {
    const deletions: Request[] = [];
    page.on(
      "request",
      (request) => isCall("DELETE", "user/organization-user")(request) && deletions.push(request),
    );
    const remove = person2.getByRole("button", { name: /^Delete/ });
    await remove.click();
    const question = page.getByRole("dialog", { name: "Delete user" });
    await expect(question).toContainText("Are you sure you want to delete this user?");
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(person2).toBeVisible();
    expect(deletions).toHaveLength(0);
    await remove.click();
    await question.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("User has been successfully deleted")).toBeVisible();
    await expect(person2).toHaveCount(0);
    expect(deletions).toHaveLength(1);
    await expect(page.getByText("10 of 10 invitations left")).toBeVisible();
  });

  await test.step("[A-344] [A-357] [A-358] at most ten can be invited", async () => {
    for (const [invitations, left] of [
      [2, 8],
      [8, 0],
    ] as const) {
      for (let sent = 0; sent < invitations; sent++) {
        const order = { email: freshEmail(), roles: ["organization_github_user"] };
        await person.call("POST", "user/organization-user", order);
      }
      await page.goto("/settings/users");
      await expect(page.getByText(`${left} of 10 invitations left`)).toBeVisible();
      await expect(invite).toBeEnabled({ enabled: left > 0 });
    }
    const eleventh = { email: freshEmail(), roles: ["organization_github_user"] };
    await expect(person.call("POST", "user/organization-user", eleventh)).rejects.toThrow(
      "err.invitation.limit",
    );
  });
});

const READER = ["organization_github_user"];

/** Invites somebody who may see GitHub, and accepts as them. Returns their page, signed in in a browser of their own. */
async function inviteReader(page: Page, person: JourneyPerson, browser: Browser) {
  await connect(page);
  await person.call("PUT", "user/account-type", { account_type: "Organization" });
  await person.call("POST", "user/organization/name", { organization_name: "Meridian" });
  const email = freshEmail();
  await person.call("POST", "user/organization-user", { email, roles: READER });
  const mail = await mailTo(email, /invites you/);
  const link = new URL(/https?:\/\/\S+\/invite\?\S+/.exec(mail)?.[0] ?? "");
  const context = await browser.newContext({ baseURL: APP_URL });
  const theirs = await context.newPage();
  await theirs.request.post(`${APP_URL}/identity/complete-invitation`, {
    headers: { Origin: APP_URL },
    data: {
      email,
      confirmation_code: link.searchParams.get("code"),
      new_password: STRONG,
      firstName: "Jide",
      lastName: "Okafor",
    },
  });
  await signInPast(theirs, email, STRONG);
  return { email, context, theirs };
}

test("an invited colleague becomes active and sees only their own settings", async ({
  page,
  person,
  browser,
}) => {
  const { email, context, theirs } = await inviteReader(page, person, browser);
  await test.step("[A-164] [A-169] [A-173] [A-175] a read-only member sees neither address, payment, storage nor people, and cannot change them", async () => {
    await theirs.goto("/settings");
    await expect(theirs.getByRole("tab")).toHaveText([
      "User/Company Details",
      "Account Security",
      "Email Reporting",
    ]);
    await expect(theirs.getByLabel("First name")).toHaveValue("Jide");
    await expect(theirs.getByLabel("Company name")).toHaveCount(0);
    await theirs.goto("/settings/users");
    await expect(theirs).toHaveURL(/\/settings$/);
    const reach = personOf(theirs, email);
    const company = {
      name: "A",
      country: "DE",
      state: "BE",
      city: "Berlin",
      line1: "Weg 1",
      postal_code: "10115",
    };
    for (const [method, path, input] of [
      ["PUT", "payments/stripe-update-company", company],
      ["POST", "user/organization-user", { email: freshEmail(), roles: READER }],
    ] as const) {
      await expect(reach.call(method, path, input), path).rejects.toThrow("err.role.forbidden");
    }
  });

  const invited = freshEmail();
  await person.call("POST", "user/organization-user", { email: invited, roles: READER });
  await page.goto("/settings/users");
  const row = page.getByRole("row", { name: "Jide Okafor" });
  await test.step("[A-178] [A-195] [A-196] [A-218] the owner sees a name and Active after the sign-up, and an e-mail address and Invited before", async () => {
    await expect(page.getByRole("tab")).toHaveText(TABS);
    await expect(row).toContainText("Active");
    await expect(page.getByRole("row", { name: invited })).toContainText("Invited");
  });

  await test.step("[A-172] a member with write access to a platform sees the storage", async () => {
    await row.getByRole("button", { name: /^Show\/Edit/ }).click();
    await page.getByRole("checkbox", { name: "GitHub: Read/Write" }).check();
    await page.getByRole("form").getByRole("button", { name: /^Save/ }).click();
    await expect(page.getByText("User was successfully updated")).toBeVisible();
    await theirs.reload();
    await theirs.goto("/settings/storage");
    await expect(tab(theirs, "External Storage")).toHaveAttribute("aria-selected", "true");
    await context.close();
  });

  await test.step("[A-284] rights are fixed while the platform's connection is not active", async () => {
    const box = page.getByRole("checkbox", { name: "GitHub: Read only" });
    for (const isActive of [true, false]) {
      if (!isActive) await loseConnection(person);
      await page.goto("/settings/users");
      await row.getByRole("button", { name: /^Show\/Edit/ }).click();
      await expect(box).toBeEnabled({ enabled: isActive });
    }
  });
});

test("the ownership is handed over, and the new owner closes the account and opens it again", async ({
  page,
  person,
  browser,
  expectComplaint,
}) => {
  const { email, context: heirs, theirs: heir } = await inviteReader(page, person, browser);
  await test.step("[A-447] the ownership is handed over, a refusal shows the error dialog, and open screens of both show who is the owner", async () => {
    await heir.goto("/settings");
    await expect(heir.getByLabel("First name")).toHaveValue("Jide");
    await expect(tab(heir, "User Management")).toHaveCount(0);
    await page.goto("/settings/users");
    await page.getByRole("button", { name: "Hand over ownership" }).click();
    const dialog = page.getByRole("dialog", { name: "Hand over ownership" });
    const give = dialog.getByRole("button", { name: "Hand over", exact: true });
    await expect(give).toBeDisabled();
    // A wrong password; and screens whose account is closed under them.
    for (const complaint of [/status of 40[013]/, /423/]) expectComplaint(complaint);
    // Who has not joined cannot become the owner.
    await expect(dialog.getByRole("option")).toHaveText(["Choose a member", `Jide Okafor (${email})`]);
    await dialog.getByLabel("New owner").selectOption({ index: 1 });
    await dialog.getByLabel("Your password").fill("wrong");
    await give.click();
    const refusal = page.getByRole("dialog", { name: "error", exact: true });
    await expect(refusal).toContainText("The password is not correct");
    await refusal.getByRole("button", { name: "Close" }).last().click();
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await give.click();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(tab(page, "User Management")).toHaveCount(0);
    await expect(tab(page, "External Storage")).toHaveCount(1);
    await expect(heir.getByRole("tab")).toHaveText(TABS);
    expect(await mailTo(email, /You are the owner now/)).toContain("Runa Holm");
    await expect(person.call("GET", "user/organization-users", {})).rejects.toThrow("err.role.forbidden");
  });

  await test.step("the new owner closes the account, and signing in opens it again", async () => {
    await heir.getByRole("button", { name: "Close the account" }).click();
    const dialog = heir.getByRole("dialog", { name: "Close the account" });
    const close = dialog.getByRole("button", { name: "Close the account" });
    await dialog.getByLabel("Your password").fill(STRONG);
    await expect(close).toBeDisabled();
    await dialog.getByRole("textbox", { name: /^Type / }).fill(email);
    await close.click();
    await expect(heir).toHaveURL(/\/auth\/login/);
    await expect(heir.getByText("The account is closed")).toBeVisible();
    await expect(page).toHaveURL(/\/auth\/login/);
    expect(await mailTo(email, /Your account is closed/)).toContain("Sign in and keep the account");
    const signIn = { email: person.email, password: PASSWORD };
    await expect(person.call("POST", "identity/sign-in", signIn)).rejects.toThrow("err.account.closed");
    await signInPast(heir, email, STRONG);
    await heir.goto("/settings");
    await expect(heir.getByRole("tab")).toHaveText(TABS);
    await person.call("POST", "identity/sign-in", signIn);
    await heirs.close();
  });
});

test("[A-447] [A-448] [A-449] every failure shows a dialog titled error with the server's text", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 409/);
  await person.call("PUT", "user/account-type", { account_type: "Organization" });
  await connect(page);
  let failing = "";
  const failure = { status: "failure", message: "The tide is too low.", result: null, code: "err.test" };
  // Enables two-factor without an authenticator.
  const answers: Record<string, object> = {
    "POST /identity/two-factor/verify": {},
    "POST /identity/two-factor/enable": { recovery_codes: ["one"] },
    "GET /identity/two-factor/check": { enabled: true },
  };
  await page.route(/\/(api|identity)\//, (route) => {
    const call = `${route.request().method()} ${new URL(route.request().url()).pathname}`;
    if (call === failing) return route.fulfill({ status: 409, json: failure });
    const result = answers[call];
    return result ? route.fulfill({ json: { status: "success", message: "", result } }) : route.continue();
  });
  const failsAt = async (call: string, act: () => Promise<unknown>) => {
    failing = call;
    await act();
    await closeError(page, /^The tide is too low$/);
    failing = "";
  };
  await page.clock.install();
  await page.goto("/settings");
  const panel = page.getByRole("tabpanel");

  await test.step("details", async () => {
    const save = panel.getByRole("button", { name: "Save", exact: true });
    await panel.getByLabel("First name").fill("Rune");
    await failsAt("POST /api/user/update", () => save.click());
    await failsAt("GET /api/user/get-user-start-info", () => save.click());
    await failsAt("PUT /api/user/account-type", () =>
      page.getByRole("radio", { name: /^User/ }).click({ force: true }),
    );
    await expect(page.getByRole("radio", { name: /^Organization/ })).toBeChecked();
    const photo = { name: "me.png", mimeType: "image/png", buffer: await picture(page, "image/png") };
    await page.locator("input[type=file]").setInputFiles(photo);
    const dialog = page.getByRole("dialog", { name: "Profile photo" });
    await failsAt("POST /api/user/add-profile-image", () =>
      dialog.getByRole("button", { name: "Save photo" }).click(),
    );
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Country").selectOption("AQ");
    for (const label of ["Company name", "City", "Address line 1", "Postal code"]) {
      await page.getByLabel(label, { exact: true }).fill("Meridian");
    }
    await failsAt("PUT /api/payments/stripe-update-company", () =>
      page.getByRole("button", { name: "Update billing address" }).click(),
    );
    await page.getByRole("button", { name: "Close the account" }).click();
    const closing = page.getByRole("dialog", { name: "Close the account" });
    await closing.getByLabel("Your password").fill(PASSWORD);
    await closing.getByRole("textbox", { name: /^Type / }).fill(person.email);
    await failsAt("POST /api/user/close-account", () =>
      closing.getByRole("button", { name: "Close the account" }).click(),
    );
    await closing.getByRole("button", { name: "Cancel" }).click();
  });

  await test.step("password and two-factor", async () => {
    await tab(page, "Account Security").click();
    await page.getByLabel("Old password").fill(STRONG);
    await page.getByLabel("New password", { exact: true }).fill(STRONGER);
    await page.getByLabel("Confirm new password").fill(STRONGER);
    await failsAt("POST /api/user/change-user-password", () =>
      page.getByRole("button", { name: "Change password" }).click(),
    );
    const steps = page.getByRole("dialog", { name: /Two-Factor|recovery codes/ });
    const enable = page.getByRole("button", { name: "Enable" });
    await failsAt("POST /identity/two-factor/secret", () => enable.click());
    await steps.getByRole("button", { name: "Cancel" }).click();
    const typeCode = async (word: string) => {
      await steps.getByLabel("Code from the app").fill("123456");
      await steps.getByRole("button", { name: word }).click();
    };
    /** Enters an accepted code and lets the pause after it elapse. */
    const passCode = async (word: string) => {
      const verified = page.waitForResponse("**/identity/two-factor/verify");
      await typeCode(word);
      await verified;
      await page.clock.runFor(1_500);
    };
    await enable.click();
    await failsAt("POST /identity/two-factor/verify", () => typeCode("Enable"));
    await failsAt("POST /identity/two-factor/enable", () => passCode("Enable"));
    await failsAt("GET /identity/two-factor/check", () => passCode("Enable"));
    await steps.getByRole("button", { name: "I have kept them" }).click();
    await enable.click();
    await passCode("Enable");
    await steps.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("button", { name: "New recovery codes" }).click();
    await failsAt("POST /identity/two-factor/recovery-codes", () => passCode("Make new codes"));
    await steps.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Disable" }).click();
    await failsAt("POST /identity/two-factor/disable", () => passCode("Disable"));
    await steps.getByRole("button", { name: "Cancel" }).click();
  });

  await test.step("reports", async () => {
    await tab(page, "Email Reporting").click();
    await failsAt("PUT /api/user/subscribe-mail-sending", () => page.getByRole("switch").click());
    await expect(page.getByRole("switch")).toBeChecked();
    await page.getByRole("radio", { name: "Weekly" }).check({ force: true });
    await failsAt("PUT /api/user/email-preferences", () =>
      panel.getByRole("button", { name: /^Save/ }).click(),
    );
  });

  await test.step("people", async () => {
    await tab(page, "User Management").click();
    await page.getByLabel("Organisation name").fill("Meridian");
    const save = panel.getByRole("button", { name: "Save", exact: true });
    await failsAt("POST /api/user/organization/name", () => save.click());
    await save.click();
    const form = page.getByRole("form");
    await page.getByRole("button", { name: /^Invite new user/ }).click();
    await form.getByLabel("Email").fill(freshEmail());
    await form.getByRole("checkbox", { name: "GitHub: Read only" }).check();
    const send = form.getByRole("button", { name: /^Send Invitation/ });
    await failsAt("POST /api/user/organization-user", () => send.click());
    await failsAt("GET /api/user/organization-users", () => send.click());
    await page.goto("/settings/users");
    await page.getByRole("button", { name: /^Show\/Edit/ }).click();
    await form.getByRole("checkbox", { name: "GitHub: Read/Write" }).check();
    await failsAt("PUT /api/user/organization-user", () =>
      form.getByRole("button", { name: /^Save/ }).click(),
    );
    await page.getByRole("button", { name: /^Delete/ }).click();
    await failsAt("DELETE /api/user/organization-user", () =>
      page.getByRole("dialog", { name: "Delete user" }).getByRole("button", { name: "Delete" }).click(),
    );
  });
});

test("the arrow keys move between tabs", async ({ page, person }) => {
  expect(person.email).toContain("@");
  await page.goto("/settings");
  await tab(page, TABS[0]).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/\/settings\/security$/);
  await expect(tab(page, "Account Security")).toBeFocused();
  await page.keyboard.press("End");
  await expect(tab(page, "Email Reporting")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(tab(page, TABS[0])).toBeFocused();
  await expect(page).toHaveURL(/\/settings$/);
});

function tab(page: Page, name: string | undefined) {
  return page.getByRole("tab", { name });
}

function isCall(method: string, path: string) {
  return (request: Request) =>
    request.method() === method && new URL(request.url()).pathname.endsWith(`/${path}`);
}

async function closeError(page: Page, text: RegExp): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "error", exact: true });
  await expect(dialog.locator("p")).toHaveText(text);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(dialog).toBeHidden();
}

/** Blocks calls of an address until they are released. */
async function holdCalls(page: Page, address: string) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return {
    release: () => release(),
  };
}

/** A picture of 200 × 120 pixels. */
async function picture(page: Page, type: string): Promise<Buffer> {
  if (type === "image/bmp") return bitmap(200, 120);
  const dataUrl = await page.evaluate((mime) => {
    const canvas = document.createElement("canvas");
    canvas.width = 200;
    canvas.height = 120;
    canvas.getContext("2d")?.fillRect(20, 20, 60, 60);
    return canvas.toDataURL(mime);
  }, type);
  return Buffer.from(dataUrl.split(",")[1] ?? "", "base64");
}

/** An uncompressed Windows bitmap of one colour. */
function bitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + row * height, 0x88);
  file.fill(0, 0, 54);
  file.write("BM");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

async function sizeOf(page: Page, dataUrl: string): Promise<{ width: number; height: number }> {
  return page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return { width: image.naturalWidth, height: image.naturalHeight };
  }, dataUrl);
}

/**
 * Codes of an authenticator, each of a later step of 30 seconds, because a code counts once. It counts from one step
 * before its own to one after, so a step that ends soon is not begun with: a busy machine needs the time.
 */
function codesOf(secret: string): () => Promise<string> {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const stepAt = (time: number) => Math.floor(time / 30_000);
  let last = 0;
  return async () => {
    last = Math.max(last + 1, stepAt(Date.now() - 15_000));
    await expect.poll(() => stepAt(Date.now()), { timeout: 60_000 }).toBeGreaterThanOrEqual(last - 1);
    return generateHOTP(key, BigInt(last), 6);
  };
}

type SeenCall = { path: string; askedAt: number; answeredAt: number };

/** Expects the second call 1500 ms after the response to the first, with a tolerance for the clock and a busy browser. */
function expectPause([verified, next]: SeenCall[]): void {
  const pause = (next?.askedAt ?? 0) - (verified?.answeredAt ?? 0);
  expect(pause).toBeGreaterThanOrEqual(1_450);
  expect(pause).toBeLessThan(3_000);
}

/** The two-factor calls that `work` causes, in order, with the browser's own times: ours are late on a busy machine. */
async function watchTwoFactor(page: Page, work: () => Promise<void>): Promise<SeenCall[]> {
  const requests: Request[] = [];
  const note = (request: Request) => {
    if (request.url().includes("/identity/two-factor/")) requests.push(request);
  };
  page.on("request", note);
  await work();
  const pathOf = (request: Request | undefined) => request?.url().split("/").at(-1) ?? "";
  await expect.poll(() => pathOf(requests.at(-1))).toBe("check");
  page.off("request", note);
  await Promise.all(requests.map(async (request) => (await request.response())?.finished()));
  return requests.map((request) => {
    const { startTime, responseEnd } = request.timing();
    return { path: pathOf(request), askedAt: startTime, answeredAt: startTime + responseEnd };
  });
}

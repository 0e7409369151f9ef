import type { Page } from "@playwright/test";
import { sealSubscription } from "#core/reports/subscription-link.ts";
import { expect, test } from "./fixtures.ts";
import {
  ask,
  confirmationLink,
  enableTwoFactor,
  fillSignIn,
  mailTo,
  makeAccount,
  makeConfirmed,
  STRONG,
  STRONGER,
  signInPast,
} from "./identity-steps.ts";
import { freshEmail } from "./person.ts";
import { APP_URL, linkSettings, OIDC_URL } from "./stack.ts";
import { connect } from "./steps.ts";

/** Matches a page by path and ignores its query. */
const at = (path: string) => (url: URL) => url.pathname === path;
/** The cookie with the session's token. Undefined when signed out. */
const sessionToken = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name.includes("session_token"));
/** Any page of a signed-in person. */
const inside = (url: URL) => url.origin === APP_URL && !url.pathname.startsWith("/auth");

test("[A-043] a visitor signs up, confirms the e-mail address and signs in", async ({ page }) => {
  const email = freshEmail();
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.clock.install();
  await page.goto("/auth/sign-up");
  const submit = page.getByRole("button", { name: "Get started", exact: true });
  const password = page.getByLabel("Password", { exact: true });
  const rules = page.getByRole("list", { name: "Password rules" });

  await test.step("[A-133] [A-138] [A-139] [A-140] [A-141] the page lists the apps and links to the terms", async () => {
    const apps = ["GitHub", "GitLab", "Trello", "Jira", "Notion"];
    const picks = page.getByRole("group", { name: "Apps to protect" }).getByRole("checkbox");
    await expect(picks).toHaveCount(apps.length);
    for (const app of apps) await expect(page.getByRole("checkbox", { name: app })).toBeVisible();
    const panel = page.getByRole("complementary", { name: "What Holdfast protects" });
    await expect(panel.getByRole("listitem")).toContainText(apps);
    await expect(panel.getByRole("listitem")).toHaveCount(apps.length);
    const form = await page.locator("form").boundingBox();
    expect((await panel.boundingBox())?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0));
    for (const [name, path] of [
      ["Terms", "/terms"],
      ["SLA", "/sla"],
      ["Privacy policy", "/privacy"],
    ] as const) {
      await expect(page.getByRole("main").getByRole("link", { name })).toHaveAttribute("href", path);
    }
  });
  await test.step("[A-135] each key ticks the rules that are met", async () => {
    const of = (rule: string) => rules.getByRole("listitem").filter({ hasText: rule });
    await password.press("a");
    await expect(of("At least one lowercase letter")).toHaveText(/: met$/);
    await expect(of("At least one digit")).toHaveText(/: not met$/);
    await password.press("7");
    await expect(of("At least one digit")).toHaveText(/: met$/);
    await password.press("Backspace");
    await expect(of("At least one digit")).toHaveText(/: not met$/);
  });
  await test.step("[A-130] [A-131] [A-132] [A-134] [A-136] [A-331] [A-333] the form can be sent once everything is valid", async () => {
    const typed = [
      ["First name", "Runa"],
      ["Last name", "Holm"],
      ["Email", email],
    ] as const;
    for (const [label, text] of typed) await page.getByLabel(label).fill(text);
    for (const app of ["GitHub", "Notion"]) await page.getByLabel(app).check();
    await password.fill("Sunshine1!A");
    await expect(rules.getByText("not met")).toHaveCount(1);
    await password.blur();
    await expect(page.getByText("invalid password", { exact: true })).toBeVisible();
    await expect(submit).toHaveAttribute("aria-disabled", "true");
    await password.fill(STRONG);
    await expect(rules.getByText("not met")).toHaveCount(0);
    await expect(submit).not.toHaveAttribute("aria-disabled", "true");
    for (const [label, text] of [...typed, ["Password", STRONG]] as const) {
      const field = page.getByLabel(label, { exact: true });
      await field.fill("");
      await expect(submit).toHaveAttribute("aria-disabled", "true");
      await field.fill(text);
      await expect(submit).not.toHaveAttribute("aria-disabled", "true");
    }
  });
  await test.step("[A-332] [A-433] [A-435] it waits for the response, shows it for three seconds and leads to sign-in", async () => {
    const answer = Promise.withResolvers<void>();
    await page.route("**/identity/sign-up", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await submit.click();
    await expect(submit).toHaveAttribute("aria-busy", "true");
    await expect(submit).toHaveAttribute("aria-disabled", "true");
    await page.clock.pauseAt(Date.now() + 60_000);
    answer.resolve();
    const done = page.getByText("Please check your email now for the confirmation link.", { exact: true });
    await expect(done).toBeVisible();
    await page.clock.runFor(2_900);
    await expect(done).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/auth/sign-up");
    await page.clock.runFor(100);
    await page.waitForURL("**/auth/login");
    await page.clock.resume();
  });
  await test.step("[A-408] outside production, nothing is told to a data layer and no script of others is loaded", async () => {
    expect(await page.evaluate(() => "dataLayer" in window)).toBe(false);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((src) => new URL(src).origin !== APP_URL)).toEqual([]);
  });
  await test.step("[A-045] [A-046] [A-146] [A-147] [A-126] the link in the e-mail confirms automatically and leads to sign-in", async () => {
    const asked = page.waitForRequest("**/api/email-verification");
    const link = await confirmationLink(email);
    await page.goto(link);
    const { searchParams } = new URL(link);
    expect((await asked).method()).toBe("POST");
    expect((await asked).postDataJSON()).toEqual({
      iv: searchParams.get("iv"),
      content: searchParams.get("content"),
    });
    await page.waitForURL("**/auth/login?isConfirmed=true");
    await expect(page.getByText("verification successful", { exact: true })).toBeVisible();
  });
  await fillSignIn(page, email);
  await page.waitForURL(inside);
});

test("[A-295] [A-296] [A-306] [A-307] a visitor's forms say what is missing", async ({ page }) => {
  const says = async (label: string, text: string, error: string) => {
    const field = page.getByLabel(label, { exact: true });
    await field.fill(text);
    await field.blur();
    await expect(field).toHaveAccessibleDescription(error);
  };
  await page.goto("/invite?email=nora@journeys.example&code=1");
  for (const label of ["First name", "Last name"]) await says(label, "", "required");
  for (const path of [
    "/auth/login",
    "/auth/password-recovery",
    "/verify-email#resend_verification",
    "/auth/sign-up",
  ]) {
    await page.goto(path);
    await says("Email", "", "required");
    for (const wrong of ["abc@", "abc", "@b.co", "a b@b.co"]) await says("Email", wrong, "Invalid email");
    await says("Email", "a@b.co", "");
  }
  for (const label of ["First name", "Last name"]) {
    await says(label, "", "required");
    await test.step("[A-308] [A-309] [A-310] [A-311] [A-312] a name is neither too short nor too long nor a link", async () => {
      await says(label, "A", "Min length is 2");
      await says(label, "Al", "");
      for (const link of ["http://x", "www.x", "evil.com"]) await says(label, link, "no links");
      await says(label, "n".repeat(51), "max_length50");
      await says(label, "n".repeat(50), "");
    });
  }
  await test.step("[A-334] without an app the form shows an error and stays", async () => {
    const submit = page.getByRole("button", { name: "Get started" });
    await page.getByLabel("Email").fill(freshEmail());
    await page.getByLabel("Password", { exact: true }).fill(STRONG);
    const box = page.getByLabel("Trello");
    await box.check();
    await expect(submit).not.toHaveAttribute("aria-disabled", "true");
    await box.uncheck();
    await box.blur();
    await expect(page.getByText("Choose at least one app", { exact: true })).toBeVisible();
    await expect(submit).toHaveAttribute("aria-disabled", "true");
  });
});

test("[A-319] [A-320] [A-321] [A-322] the rules of a password are ticked individually", async ({ page }) => {
  await page.goto("/auth/sign-up");
  const rules = page.getByRole("list", { name: "Password rules" }).getByRole("listitem");
  const password = page.getByLabel("Password", { exact: true });
  const LENGTH = "At least 10 characters, at most 50";
  const SPECIAL = "One special character";
  const expectRule = async (text: string, rule: string, isMet: boolean) => {
    await password.fill(text);
    await expect(rules.filter({ hasText: rule }), text).toHaveText(isMet ? /: met$/ : /: not met$/);
  };
  for (const [broken, kept, rule] of [
    ["Vq7$mRkT2", "Vq7$mRkT2z", LENGTH],
    [`${"Vq7$mRkT2z".repeat(5)}x`, "Vq7$mRkT2z".repeat(5), LENGTH],
    ["Vqz$mRkTxzLw", "Vqz$mRkTxzL8", "At least one digit"],
    ["VQ7$MRKT2ZLW", "VQ7$MRKT2ZLw", "At least one lowercase letter"],
    ["vq7$mrkt2zlw", "vq7$mrkt2zlW", "At least one uppercase letter"],
    ["Vq7#mRkT2zLw", "Vq7$mRkT2zLw", SPECIAL],
  ] as const) {
    await expectRule(broken, rule, false);
    await expectRule(kept, rule, true);
  }
  for (const sign of '$!%*^"@') await expectRule(`Vq7mRkT2zLw${sign}`, SPECIAL, true);
});

/** Fills in the sign-up form and submits it. */
async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.goto("/auth/sign-up");
  await page.getByLabel("First name").fill("Runa");
  await page.getByLabel("Last name").fill("Holm");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Jira").check();
  await page.getByLabel("Password", { exact: true }).fill(STRONG);
  await page.getByRole("button", { name: "Get started" }).click();
}

test("[A-436] a refused sign-up shows an alert with a Close button and can be sent again", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 429/);
  const message = "Too many attempts. Please wait a while and try again.";
  const json = { status: "failure", message, result: null, code: "err.attempts.limit" };
  await page.route("**/identity/sign-up", (route) => route.fulfill({ status: 429, json }), { times: 1 });
  await fillSignUp(page, freshEmail());
  const alert = page.getByRole("dialog");
  await expect(alert.getByRole("alert")).toHaveText(/^Too many attempts/);
  await alert.getByRole("button", { name: "Close" }).last().click();
  await expect(alert).toHaveCount(0);
  await page.getByRole("button", { name: "Get started" }).click();
  await expect(page.getByText("Please check your email now for the confirmation link.")).toBeVisible();
});

test("a sign-up with a taken address looks like any other, and its owner gets an e-mail", async ({
  page,
}) => {
  const email = await makeConfirmed(page);
  await fillSignUp(page, email);
  await expect(page.getByText("Please check your email now for the confirmation link.")).toBeVisible();
  const text = await mailTo(email, /already have a Holdfast account/);
  expect(text).toContain("An account with this email already exists. Please sign in.");
  for (const path of ["/auth/login", "/auth/password-recovery"]) expect(text).toContain(`${APP_URL}${path}`);
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  await page.waitForURL(inside);
});

test("a link opened in another browser lets its holder choose the password", async ({ page }) => {
  const email = await makeAccount(page);
  const link = await confirmationLink(email);
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Choose your password", exact: true })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByLabel("Email")).not.toBeEditable();
  await expect(page.getByLabel("First name")).toHaveValue("Runa");
  const submit = page.getByRole("button", { name: "Confirm and finish", exact: true });
  await expect(submit).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("Last name").fill("Nyland");
  await page.getByLabel("Password", { exact: true }).fill(STRONGER);
  await submit.click();
  await page.waitForURL("**/auth/login?isConfirmed=true");
  await expect(page.getByText("verification successful", { exact: true })).toBeVisible();
  await fillSignIn(page, email, STRONGER);
  await page.waitForURL(inside);
});

test("[A-041] wrong credentials open the dialog with its three options", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 401/);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/identity/sign-in")) sent.push(request.url());
  });
  await page.goto("/auth");
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  const password = page.getByLabel("Password", { exact: true });
  await test.step("[A-116] [A-117] [A-118] [A-120] [A-121] [A-122] the form has its fields and links", async () => {
    await expect(page.getByLabel("Email")).toBeVisible();
    await expect(password).toHaveAttribute("type", "password");
    const remember = page.getByRole("checkbox", { name: "Remember me" });
    await remember.uncheck();
    await remember.check();
    const main = page.getByRole("main");
    for (const [name, path] of [
      ["Forgot your password", "/auth/password-recovery"],
      ["Sign up", "/auth/sign-up"],
      ["start your 14-day free trial", "/auth/sign-up"],
    ] as const) {
      await expect(main.getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
    }
  });
  await test.step("[A-304] [A-305] a password is required, of at most 100 characters", async () => {
    await fillSignIn(page, freshEmail(), "");
    await expect(password).toHaveAccessibleDescription("required");
    await fillSignIn(page, freshEmail(), "x".repeat(101));
    await expect(password).toHaveAccessibleDescription("max_length100");
    expect(sent).toEqual([]);
  });
  await test.step("[A-258] [A-429] [A-430] [A-431] [A-432] a refusal is shown with three options", async () => {
    const dialog = page.getByRole("dialog");
    await fillSignIn(page, freshEmail(), "x".repeat(100));
    await expect(dialog.getByRole("alert")).toHaveText(
      "The email or password is incorrect. Please try again",
    );
    await dialog.getByRole("button", { name: "Try again", exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await fillSignIn(page, freshEmail(), "wrong");
    await expect(
      dialog.getByRole("link", { name: "Sign up and start your 14-day free trial", exact: true }),
    ).toHaveAttribute("href", "/auth/sign-up");
    await dialog.getByRole("link", { name: "Sign up", exact: true }).click();
    await page.waitForURL("**/auth/sign-up");
  });
});

test("[A-385] [A-254] [A-255] [A-256] [A-257] [A-410] an unconfirmed e-mail address is reported, and its link can be sent again", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of (403|500)/);
  const email = await makeAccount(page);
  const first = await confirmationLink(email);
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  await expect(page.getByText("User is not confirmed")).toBeVisible();
  const resend = page.getByRole("button", { name: "Resend verification" });
  const envelope = { status: "failure", message: "The mail is away.", result: null, code: "err.x" };
  await page.route(
    "**/api/resend-email-verification",
    (route) => route.fulfill({ status: 500, json: envelope }),
    {
      times: 1,
    },
  );
  await resend.click();
  await expect(page.getByText("The mail is away", { exact: true })).toBeVisible();
  const asked = page.waitForRequest("**/api/resend-email-verification");
  await resend.click();
  await expect(page.getByText("link resent", { exact: true })).toBeVisible();
  expect((await asked).method()).toBe("POST");
  expect((await asked).postDataJSON()).toEqual({ email });
  expect(await confirmationLink(email, 2)).not.toBe(first);
});

test("[A-227] [A-229] [A-230] [A-369] sign-in verifies identity first, keeps the session, records the login, then loads person and platforms", async ({
  page,
}) => {
  const email = await makeConfirmed(page);
  await page.goto("/auth/login?next=/settings");
  const asked: string[] = [];
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (/^\/(api|identity)\//.test(path)) asked.push(path);
  });
  const recorded = page.waitForResponse("**/api/user/user-action");
  expect(await sessionToken(page)).toBeUndefined();
  await fillSignIn(page, email);
  expect((await recorded).request().postDataJSON()).toEqual({ action: "login" });
  expect((await recorded).status()).toBe(200);
  await page.waitForURL(at("/settings"));
  expect(asked.slice(0, 4)).toEqual([
    "/identity/sign-in",
    "/api/user/user-action",
    "/api/user/get-user-start-info",
    "/api/payments/get-platforms-trial-statuses",
  ]);
  const marked = await page.evaluate(
    () => sessionStorage.getItem("session") ?? localStorage.getItem("session"),
  );
  expect(marked).toContain("expiresAt");
  // Scripts cannot read the token. They can read only its expiry.
  expect(await sessionToken(page)).toMatchObject({ httpOnly: true, value: expect.stringMatching(/.{20}/) });
});

test("[A-232] [A-233] without the start information nobody stays signed in", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 500/);
  const email = await makeConfirmed(page);
  await page.route("**/api/user/get-user-start-info", (route) =>
    route.fulfill({ status: 500, json: { status: "failure", message: "Broken", result: null, code: null } }),
  );
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  await expect(page.getByText(/you were signed out again/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).not.toHaveAttribute("aria-busy");
  await page.goto("/");
  await page.waitForURL("**/auth/login");
  expect(
    await page.evaluate(() => localStorage.getItem("session") ?? sessionStorage.getItem("session")),
  ).toBeNull();
  expect(await sessionToken(page)).toBeUndefined();
});

test("[A-234] [A-235] a 403 on the start information keeps the session, and the information is requested again", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 403/);
  const email = await makeConfirmed(page);
  await page.route("**/api/user/get-user-start-info", (route) =>
    route.fulfill({ status: 403, json: { status: "failure", message: "No", result: null, code: null } }),
  );
  await page.goto("/auth/login?next=/settings");
  await fillSignIn(page, email);
  await page.waitForURL(at("/settings"));
  expect(await page.evaluate(() => sessionStorage.getItem("test-loading"))).toBe("true");
  expect(await sessionToken(page)).toBeDefined();
  await page.unroute("**/api/user/get-user-start-info");
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("test-loading"))).toBeNull();
});

test("[A-127] [A-128] [A-129] [A-228] [A-335] [A-415] [A-418] the second factor is requested, and only its code opens the session", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 400|Unexpected response code: 423/);
  const email = await makeConfirmed(page);
  await signInPast(page, email);
  const authenticator = await enableTwoFactor(page);
  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  const dialog = page.getByRole("dialog", { name: "Two-factor authentication" });
  const code = dialog.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  expect(new URL(page.url()).pathname).toBe("/auth/login");
  expect(await sessionToken(page)).toBeUndefined();

  await fillSignIn(page, email);
  await code.pressSequentially("12345a");
  await dialog.getByRole("button", { name: "Authenticate", exact: true }).click();
  await expect(dialog.getByText("Insert code!", { exact: true })).toBeVisible();
  await code.fill("000000");
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await expect(dialog.getByText("Code is invalid, please check your authenticator")).toBeVisible();
  expect(await sessionToken(page)).toBeUndefined();
  const once = authenticator.nextCode();
  await code.fill(once);
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await page.waitForURL(inside);
  expect(await sessionToken(page)).toBeDefined();

  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  await code.fill(once);
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await expect(dialog.getByText("Please wait for your app to refresh a new code")).toBeVisible();
});

test("[A-250] a complete code is submitted automatically after one and a half seconds; a recovery code works too", async ({
  page,
}) => {
  const email = await makeConfirmed(page);
  await signInPast(page, email);
  const authenticator = await enableTwoFactor(page);
  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.clock.install();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  const dialog = page.getByRole("dialog", { name: "Two-factor authentication" });
  const code = dialog.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/identity/two-factor/answer")) sent.push(request.url());
  });
  await page.clock.pauseAt(Date.now() + 10_000);
  await code.fill(authenticator.nextCode());
  await page.clock.runFor(1_499);
  expect(sent).toEqual([]);
  await page.clock.runFor(1);
  await page.clock.resume();
  await page.waitForURL(inside);
  expect(sent).toHaveLength(1);

  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  await dialog.getByRole("button", { name: "Use a recovery code" }).click();
  await dialog.getByLabel("Recovery code").fill(authenticator.recoveryCodes[0] ?? "");
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await page.waitForURL(inside);
});

test("[A-251] [A-252] [A-419] an expired login session accepts no code and offers Reload", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 401/);
  const email = await makeConfirmed(page);
  await signInPast(page, email);
  const authenticator = await enableTwoFactor(page);
  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  const dialog = page.getByRole("dialog", { name: "Two-factor authentication" });
  const code = dialog.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await page.context().clearCookies();
  await code.fill(authenticator.nextCode());
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await expect(dialog.getByText("Login session has expired. Reload and start again.")).toBeVisible();
  await expect(code).toBeDisabled();
  await Promise.all([page.waitForEvent("load"), dialog.getByRole("button", { name: "Reload" }).click()]);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel("Email")).toHaveValue("");
});

test("[A-044] a forgotten password is replaced with the code from the e-mail", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 400/);
  const email = await makeConfirmed(page);
  await page.goto("/auth/password-recovery");
  const codeIn = (text: string) => /\b\d{8}\b/.exec(text)?.[0] ?? "";
  let code = "";
  await test.step("[A-142] [A-144] [A-145] [A-437] a code is sent, and another on request", async () => {
    await expect(page.getByRole("main").getByRole("textbox")).toHaveCount(1);
    await expect(page.getByLabel("New password", { exact: true })).toHaveCount(0);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send code", exact: true }).click();
    const sent = page.getByText("A verification code has been sent to your email.", { exact: true });
    await expect(sent).toBeVisible();
    const first = codeIn(await mailTo(email, /verification code/i));
    await page.getByRole("button", { name: "Resend code", exact: true }).click();
    code = codeIn(await mailTo(email, /verification code/i, 2));
    expect(code).toHaveLength(8);
    expect(code).not.toBe(first);
    await expect(page.getByLabel("New password", { exact: true })).toBeVisible();
  });
  await test.step("[A-326] spaces have no rule of their own", async () => {
    const rules = page.getByRole("list", { name: "Password rules" });
    await expect(rules.getByText("No other characters")).toBeVisible();
    await expect(rules.getByText("No spaces")).toHaveCount(0);
  });
  const confirmed: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/identity/confirm-password")) confirmed.push(request.postDataJSON());
  });
  const change = page.getByRole("button", { name: "Change password", exact: true });
  await test.step("[A-143] [A-350] [A-440] an empty code is not sent, a wrong one shows an error", async () => {
    await page.getByLabel("New password", { exact: true }).fill(STRONGER);
    await change.click();
    await expect(page.getByLabel("Verification code")).toHaveAccessibleDescription("required");
    expect(confirmed).toEqual([]);
    await page.getByLabel("Verification code").fill(code === "00000000" ? "11111111" : "00000000");
    await change.click();
    const alert = page.getByRole("dialog", { name: "Attention", exact: true });
    await expect(alert.getByRole("alert")).toHaveText("The verification code is wrong or has expired");
    await alert.getByRole("button", { name: "Close" }).last().click();
  });
  await test.step("[A-351] [A-438] [A-439] the correct code changes the password and leads to sign-in", async () => {
    await page.getByLabel("Verification code").fill(code);
    await change.click();
    await expect(page.getByText("Your password was changed", { exact: true })).toBeVisible();
    expect(confirmed.at(-1)).toEqual({ email, code, new_password: STRONGER });
    await page.waitForURL("**/auth/login");
  });
  await fillSignIn(page, email, STRONGER);
  await page.waitForURL(inside);
});

test("[A-048] [A-148] [A-443] [A-444] a failed confirmation link says why, offers another, and leads to sign-in", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of (400|409|500)/);
  const email = await makeAccount(page);
  const link = await confirmationLink(email);
  await page.goto(link);
  await page.waitForURL("**/auth/login?isConfirmed=true");
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("This verification link has already been used");
  await page.waitForURL("**/auth/login");
  await page.route("**/api/email-verification", (route) => route.fulfill({ status: 500, json: {} }), {
    times: 1,
  });
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("Something went wrong");
  await page.waitForURL("**/auth/login");

  const waiting = await makeAccount(page);
  await confirmationLink(waiting);
  await page.goto("/verify-email#resend_verification");
  await page.getByLabel("Email").fill(waiting);
  await page.getByRole("button", { name: "Resend verification" }).click();
  await expect(page.getByText("link resent")).toBeVisible();
  await confirmationLink(waiting, 2);
});

test("[A-124] [A-125] [A-337] [A-338] [A-468] the other sign-in methods start where they should, and a wrong company domain shows an error", async ({
  page,
}) => {
  const starts: URL[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/identity/federation/start") starts.push(url);
  });
  await page.goto("/auth/login?next=/settings");
  await expect(page.getByRole("link", { name: "Continue with Google" })).toHaveAttribute(
    "href",
    "/identity/federation/start?provider=google&next=%2Fsettings",
  );
  await page.getByRole("button", { name: "Single sign-on" }).click();
  const domain = page.getByLabel("Company domain");
  await domain.fill("a".repeat(26));
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(domain).toHaveAccessibleDescription(/max_length25/);
  expect(starts).toEqual([]);
  await domain.fill("elsewhere.example");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.waitForURL("**/auth/login?**failure=**");
  await expect(page.getByLabel("Company domain")).toHaveAccessibleDescription(/Invalid Okta domain/);
  expect(starts[0]?.searchParams.get("domain")).toBe("elsewhere.example");
  await page.getByLabel("Company domain").fill("meridian.example");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.waitForURL(/\/enterprise\//);

  await page.goto("/auth/login?okta=1");
  await expect(page.getByRole("button", { name: "Single sign-on" })).toHaveCount(0);
  await page.getByRole("link", { name: "Continue with Okta" }).click();
  await page.waitForURL(/\/okta\//);
});

test("[A-137] [A-381] a Google account signs up by its button and opens the first page", async ({ page }) => {
  await page.goto("/auth/sign-up");
  await page.getByRole("link", { name: "Sign up with Google" }).click();
  await page.waitForURL(`${OIDC_URL}/google/sign-in/**`);
  await page.getByLabel("Another account").check();
  await page.getByLabel("Email", { exact: true }).fill(freshEmail());
  await page.getByLabel("Name", { exact: true }).fill("Gro Nyland");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(inside);
});

test("[A-049] an invited person sets up an account and signs in", async ({ page }) => {
  const owner = await makeConfirmed(page);
  await signInPast(page, owner);
  await connect(page);
  await ask(page, "POST", "/api/user/organization/name", { organization_name: "Meridian" });
  const email = freshEmail();
  await ask(page, "POST", "/api/user/organization-user", { email, roles: ["organization_github_user"] });
  const link = /https?:\/\/\S*\/invite\?\S+/.exec(await mailTo(email, /./))?.[0] ?? "";
  const code = new URL(link).searchParams.get("code") ?? "";
  const submit = page.getByRole("button", { name: "Set up my account" });
  const fillIn = async () => {
    await page.getByLabel("Password", { exact: true }).fill(STRONG);
    await page.getByLabel("First name").fill("Nora");
    await page.getByLabel("Last name").fill("Lindqvist");
  };
  await test.step("[A-150] an invalid e-mail address blocks the form", async () => {
    await page.goto("/invite?email=bad&code=1");
    await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Invalid email");
    await fillIn();
    await expect(submit).toHaveAttribute("aria-disabled", "true");
  });
  await test.step("[A-050] [A-051] [A-149] [A-151] the link in the e-mail fills in address and code", async () => {
    await page.goto(link);
    await expect(page.getByRole("heading", { name: "Setup New User", exact: true })).toBeVisible();
    await expect(page.getByLabel("Email")).toHaveValue(email);
    await expect(page.getByLabel("Email")).not.toBeEditable();
    await expect(page.getByLabel("Confirmation code")).toHaveValue(code);
  });
  await test.step("[A-152] [A-153] [A-154] a valid password and both names are required", async () => {
    await fillIn();
    await expect(submit).not.toHaveAttribute("aria-disabled", "true");
    for (const [label, wrong] of [
      ["Password", "Sunshine1!A"],
      ["First name", ""],
      ["Last name", ""],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(wrong);
      await expect(submit).toHaveAttribute("aria-disabled", "true");
      await fillIn();
      await expect(submit).not.toHaveAttribute("aria-disabled", "true");
    }
  });
  await test.step("[A-155] [A-156] [A-226] completing it signs out and leads to sign-in", async () => {
    expect(await sessionToken(page)).toBeDefined();
    const setUp = page.waitForRequest("**/identity/complete-invitation");
    await submit.click();
    expect((await setUp).postDataJSON()).toEqual({
      email,
      confirmation_code: code,
      new_password: STRONG,
      firstName: "Nora",
      lastName: "Lindqvist",
    });
    await page.waitForURL("**/auth/login");
    expect(await sessionToken(page)).toBeUndefined();
    await page.goto("/");
    await page.waitForURL("**/auth/login");
    await fillSignIn(page, email);
    await page.waitForURL(inside);
  });
});

test("[A-036] [A-042] [A-047] [A-054] [A-064] [A-065] the visitor's pages are public and use the centred card", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 400/);
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [path, heading] of [
    ["/auth/login", "Sign in"],
    ["/auth/sign-up", "Create your account"],
    ["/auth/password-recovery", "Password recovery"],
    ["/verify-email#resend_verification", "Resend verification"],
    ["/invite", "Setup New User"],
    ["/wait", "One moment, please"],
    ["/subscribeToMail?content=tampered&iv=with", "Email reports"],
  ] as const) {
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    const card = await page.getByRole("main").boundingBox();
    expect((card?.x ?? 0) + (card?.width ?? 0) / 2).toBeCloseTo(640, 0);
    await expect(page.getByRole("main").getByText("Holdfast", { exact: true })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
    await expect(page.getByRole("contentinfo").getByText(/^© \d{4} Holdfast$/)).toBeVisible();
  }
  await test.step("[A-066] [A-067] [A-068] the footer links to the legal texts", async () => {
    for (const [name, heading] of [
      ["Terms", "Terms"],
      ["Privacy", "Privacy policy"],
      ["SLA", "Service level agreement"],
    ] as const) {
      await page.goto("/auth/login");
      await page.getByRole("contentinfo").getByRole("link", { name }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    }
  });
});

test("[A-052] [A-053] [B-279] a report's link stops the reports, and shows an error if it was modified", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 400/);
  await signInPast(page, await makeConfirmed(page));
  const { sub } = await ask<{ sub: string }>(page, "GET", "/api/user/get-user-start-info");
  await page.context().clearCookies();
  const deps = { clock: { now: () => Date.now() }, settings: await linkSettings() };
  const link = await sealSubscription(deps, { userId: sub, isSubscribed: false });
  const asked = page.waitForRequest("**/api/subscribe-mail-sending");
  await page.goto(`/subscribeToMail?${new URLSearchParams(link)}`);
  expect((await asked).method()).toBe("PUT");
  expect((await asked).postDataJSON()).toEqual({ content: link.content, iv: link.iv });
  await expect(page.getByRole("status").first()).toContainText(
    "You have been unsubscribed from email reports",
  );
  await page.goto(`/subscribeToMail?${new URLSearchParams({ ...link, content: "1.AAAA" })}`);
  await expect(page.getByRole("alert")).toContainText("Something went wrong");
});

test("without scripts a plain form signs in", async ({ browser, page }) => {
  const email = await makeConfirmed(page);
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: APP_URL });
  const plain = await context.newPage();
  await plain.goto("/auth/login?next=/settings");
  await fillSignIn(plain, email, "wrong");
  await expect(plain.getByText("The email or password is incorrect. Please try again")).toBeVisible();
  await fillSignIn(plain, email);
  await plain.waitForURL(at("/settings"));
  await context.close();
});

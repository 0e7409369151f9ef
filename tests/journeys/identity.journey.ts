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
import { APP_URL } from "./stack.ts";
import { connect } from "./steps.ts";

/** The page of a path, whatever its query says. */
const at = (path: string) => (url: URL) => url.pathname === path;
/** Any page of somebody who is signed in. */
const inside = (url: URL) => url.origin === APP_URL && !url.pathname.startsWith("/auth");

test("[A-043] [A-130] [A-131] [A-132] [A-133] [A-134] [A-135] [A-136] [A-138] [A-139] [A-140] [A-141] [A-331] [A-333] [A-433] [A-435] [A-045] [A-046] [A-146] [A-147] [A-126] [A-332] a visitor signs up, confirms the email and signs in", async ({
  page,
}) => {
  const email = freshEmail();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/auth/sign-up");
  for (const [name, path] of [
    ["Terms", "/terms"],
    ["SLA", "/sla"],
    ["Privacy policy", "/privacy"],
  ] as const) {
    await expect(page.getByRole("main").getByRole("link", { name })).toHaveAttribute("href", path);
  }
  const panel = page.getByRole("complementary", { name: "What Holdfast protects" });
  await expect(panel.getByRole("listitem")).toContainText(["GitHub", "GitLab", "Trello", "Jira", "Notion"]);
  const submit = page.getByRole("button", { name: "Get started" });
  await expect(submit).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("First name").fill("Runa");
  await page.getByLabel("Last name").fill("Holm");
  await page.getByLabel("Email").fill(email);
  const password = page.getByLabel("Password", { exact: true });
  const rules = page.getByRole("list", { name: "Password rules" });
  await password.fill("Sunshine1!A");
  await expect(rules.getByText("not met")).toHaveCount(1);
  await password.blur();
  await expect(page.getByText("invalid password")).toBeVisible();
  await page.getByLabel("GitHub").check();
  await page.getByLabel("Notion").check();
  await expect(submit).toHaveAttribute("aria-disabled", "true");
  await password.fill(STRONG);
  await expect(rules.getByText("not met")).toHaveCount(0);
  await expect(submit).not.toHaveAttribute("aria-disabled", "true");
  const answer = Promise.withResolvers<void>();
  await page.route("**/identity/sign-up", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await submit.click();
  await expect(submit).toHaveAttribute("aria-busy", "true");
  await expect(submit).toHaveAttribute("aria-disabled", "true");
  answer.resolve();
  await expect(page.getByText("Please check your email now for the confirmation link.")).toBeVisible();
  await page.waitForURL("**/auth/login");

  const asked = page.waitForRequest("**/api/email-verification");
  const link = await confirmationLink(email);
  await page.goto(link);
  const { searchParams } = new URL(link);
  expect((await asked).postDataJSON()).toEqual({
    iv: searchParams.get("iv"),
    content: searchParams.get("content"),
  });
  await page.waitForURL("**/auth/login?isConfirmed=true");
  await expect(page.getByText("verification successful")).toBeVisible();
  await fillSignIn(page, email);
  await page.waitForURL(inside);
});

test("[A-334] [A-295] [A-296] [A-297] [A-306] [A-307] [A-308] [A-309] [A-310] [A-311] [A-312] the sign-up form says what is missing", async ({
  page,
}) => {
  await page.goto("/auth/sign-up");
  const says = async (label: string, text: string, error: string) => {
    const field = page.getByLabel(label, { exact: true });
    await field.fill(text);
    await field.blur();
    await expect(field).toHaveAccessibleDescription(error);
  };
  await says("First name", "", "required");
  await says("First name", "A", "Min length is 2");
  for (const link of ["http://x", "www.x", "evil.com"]) await says("First name", link, "no links");
  await says("First name", "n".repeat(51), "max_length50");
  await says("Last name", "", "required");
  await says("Email", "", "required");
  await says("Email", "abc@", "Invalid email");
  await says("Email", `${"n".repeat(39)}@example.com`, "max_length50");
  const box = page.getByLabel("Trello");
  await box.check();
  await box.uncheck();
  await box.blur();
  await expect(page.getByText("Choose at least one app")).toBeVisible();
});

test("[A-313] [A-314] [A-319] [A-320] [A-321] [A-322] the rules of a password are ticked off one by one", async ({
  page,
}) => {
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

test("[A-436] an email that is taken is told in an alert with a Close button", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 409/);
  const email = await makeAccount(page);
  await page.goto("/auth/sign-up");
  await page.getByLabel("First name").fill("Runa");
  await page.getByLabel("Last name").fill("Holm");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Jira").check();
  await page.getByLabel("Password", { exact: true }).fill(STRONG);
  await page.getByRole("button", { name: "Get started" }).click();
  const alert = page.getByRole("dialog");
  await expect(alert.getByRole("alert")).toHaveText(/already exists/);
  await alert.getByRole("button", { name: "Close" }).last().click();
  await expect(alert).toHaveCount(0);
});

test("[A-041] [A-042] [A-116] [A-117] [A-118] [A-120] [A-121] [A-122] [A-258] [A-429] [A-430] [A-431] [A-432] [A-304] [A-305] wrong credentials open the dialog with its three ways on", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 401/);
  await page.goto("/auth");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "password");
  await page.getByLabel("Remember me").check();
  await expect(page.getByLabel("Remember me")).toBeChecked();
  const main = page.getByRole("main");
  const leads = (name: string, path: string) =>
    expect(main.getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
  await leads("Forgot your password", "/auth/password-recovery");
  await leads("Sign up", "/auth/sign-up");
  await leads("start your 14-day free trial", "/auth/sign-up");
  await fillSignIn(page, freshEmail(), "");
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription("required");
  await fillSignIn(page, freshEmail(), "x".repeat(101));
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription("max_length100");

  await fillSignIn(page, freshEmail(), "wrong");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toHaveText("The email or password is incorrect. Please try again");
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog).toHaveCount(0);
  await fillSignIn(page, freshEmail(), "wrong");
  await expect(
    dialog.getByRole("link", { name: "Sign up and start your 14-day free trial" }),
  ).toHaveAttribute("href", "/auth/sign-up");
  await dialog.getByRole("link", { name: "Sign up", exact: true }).click();
  await page.waitForURL("**/auth/sign-up");
});

test("[A-385] [A-254] [A-255] [A-256] [A-257] [A-410] an email that is not confirmed is told, and its link can be sent again", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of (403|500)/);
  const email = await makeAccount(page);
  await confirmationLink(email);
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  await expect(page.getByText("User is not confirmed")).toBeVisible();
  const resend = page.getByRole("button", { name: "Resend verification" });
  const envelope = { status: "error", message: "The mail is away.", result: null, code: "err.x" };
  await page.route(
    "**/api/resend-email-verification",
    (route) => route.fulfill({ status: 500, json: envelope }),
    {
      times: 1,
    },
  );
  await resend.click();
  await expect(page.getByText("The mail is away", { exact: true })).toBeVisible();
  await resend.click();
  await expect(page.getByText("link resent")).toBeVisible();
  await confirmationLink(email, 2);
});

test("[A-227] [A-229] [A-230] [A-231] [A-069] [A-369] sign-in asks identity first, records the login, then loads person and platforms together", async ({
  page,
}) => {
  const email = await makeConfirmed(page);
  await page.goto("/auth/login?next=/settings");
  const asked: string[] = [];
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (/^\/(api|identity)\//.test(path)) asked.push(path);
  });
  await fillSignIn(page, email);
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
  for (const path of ["/auth/login", "/auth/sign-up", "/auth/password-recovery"]) {
    await page.goto(path);
    expect(new URL(page.url()).pathname).not.toMatch(/^\/auth/);
  }
});

test("[A-232] [A-233] without the start information nobody stays signed in", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 500/);
  const email = await makeConfirmed(page);
  await page.route("**/api/user/get-user-start-info", (route) =>
    route.fulfill({ status: 500, json: { status: "error", message: "Broken", result: null, code: null } }),
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
});

test("[A-234] [A-235] a 403 on the start information keeps the session, and the information is asked for again", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 403/);
  const email = await makeConfirmed(page);
  await page.route("**/api/user/get-user-start-info", (route) =>
    route.fulfill({ status: 403, json: { status: "error", message: "No", result: null, code: null } }),
  );
  await page.goto("/auth/login?next=/settings");
  await fillSignIn(page, email);
  await page.waitForURL(at("/settings"));
  expect(await page.evaluate(() => sessionStorage.getItem("test-loading"))).toBe("true");
  await page.unroute("**/api/user/get-user-start-info");
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("test-loading"))).toBeNull();
});

test("[A-127] [A-128] [A-129] [A-228] [A-335] [A-415] [A-418] the second factor is asked for, and only its code opens the session", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 400|Unexpected response code: 423/);
  const email = await makeConfirmed(page);
  await signInPast(page, email);
  const authenticator = await enableTwoFactor(page);
  // Its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  const dialog = page.getByRole("dialog", { name: "Two-factor authentication" });
  const code = dialog.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  expect((await page.context().cookies()).filter(({ name }) => name.includes("session_token"))).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  expect(new URL(page.url()).pathname).toBe("/auth/login");

  await fillSignIn(page, email);
  await code.pressSequentially("12345a");
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await expect(dialog.getByText("Insert code!")).toBeVisible();
  await code.fill("000000");
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await expect(dialog.getByText("Code is invalid, please check your authenticator")).toBeVisible();
  const once = authenticator.nextCode();
  await code.fill(once);
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await page.waitForURL(inside);

  // Its live connection would be refused.

  await page.goto("about:blank");

  await page.context().clearCookies();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  await code.fill(once);
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await expect(dialog.getByText("Please wait for your app to refresh a new code")).toBeVisible();
});

test("[A-250] a whole code is sent by itself, one and a half seconds after its last digit; a recovery code serves as well", async ({
  page,
}) => {
  const email = await makeConfirmed(page);
  await signInPast(page, email);
  const authenticator = await enableTwoFactor(page);
  // Its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  const dialog = page.getByRole("dialog", { name: "Two-factor authentication" });
  const sent: number[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/identity/two-factor/answer")) sent.push(Date.now());
  });
  await dialog.getByLabel("Code", { exact: true }).fill(authenticator.nextCode());
  const typed = Date.now();
  await page.waitForURL(inside);
  expect(sent).toHaveLength(1);
  expect((sent[0] ?? 0) - typed).toBeGreaterThan(1_200);

  // Its live connection would be refused.

  await page.goto("about:blank");

  await page.context().clearCookies();
  await page.goto("/auth/login");
  await fillSignIn(page, email);
  await dialog.getByRole("button", { name: "Use a recovery code" }).click();
  await dialog.getByLabel("Recovery code").fill(authenticator.recoveryCodes[0] ?? "");
  await dialog.getByRole("button", { name: "Authenticate" }).click();
  await page.waitForURL(inside);
});

test("[A-251] [A-252] [A-419] a login session that is over takes no code any more and offers Reload", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 401/);
  const email = await makeConfirmed(page);
  await signInPast(page, email);
  const authenticator = await enableTwoFactor(page);
  // Its live connection would be refused.
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

test("[A-044] [A-142] [A-143] [A-144] [A-145] [A-326] [A-437] [A-438] [A-439] [A-440] [A-350] [A-351] a forgotten password is replaced with the code of the mail", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 400/);
  const email = await makeConfirmed(page);
  await page.goto("/auth/password-recovery");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByText("A verification code has been sent to your email.")).toBeVisible();
  await mailTo(email, /verification code/i);
  await page.getByRole("button", { name: "Resend code" }).click();
  const code = /\b\d{8}\b/.exec(await mailTo(email, /verification code/i, 2))?.[0] ?? "";
  const rules = page.getByRole("list", { name: "Password rules" });
  await expect(rules.getByText("No other characters")).toBeVisible();
  await expect(rules.getByText("No spaces")).toHaveCount(0);
  await page.getByLabel("New password", { exact: true }).fill(STRONGER);
  const confirmed: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/identity/confirm-password")) confirmed.push(request.postDataJSON());
  });
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Verification code")).toHaveAccessibleDescription("required");
  expect(confirmed).toEqual([]);
  await page.getByLabel("Verification code").fill(code === "00000000" ? "11111111" : "00000000");
  await page.getByRole("button", { name: "Change password" }).click();
  const alert = page.getByRole("dialog", { name: "Attention" });
  await expect(alert.getByRole("alert")).toHaveText("The verification code is wrong or has expired");
  await alert.getByRole("button", { name: "Close" }).last().click();
  await page.getByLabel("Verification code").fill(code);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password was changed")).toBeVisible();
  expect(confirmed.at(-1)).toEqual({ email, code, new_password: STRONGER });
  await page.waitForURL("**/auth/login");
  await fillSignIn(page, email, STRONGER);
  await page.waitForURL(inside);
});

test("[A-048] [A-148] [A-443] [A-444] a confirmation link that fails says why, offers another, and leads to sign in", async ({
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

  const waiting = await makeAccount(page);
  await confirmationLink(waiting);
  await page.goto("/verify-email#resend_verification");
  await page.getByLabel("Email").fill(waiting);
  await page.getByRole("button", { name: "Resend verification" }).click();
  await expect(page.getByText("link resent")).toBeVisible();
  await confirmationLink(waiting, 2);
});

test("[A-123] [A-124] [A-125] [A-337] [A-338] [A-468] the ways in through others start where they should, and a wrong company domain is told", async ({
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

test("[A-137] [A-381] a Google account signs up by its button and goes on to the first page", async ({
  page,
}) => {
  await page.goto("/auth/sign-up");
  await page.getByRole("link", { name: "Sign up with Google" }).click();
  await page.getByLabel("Another account").check();
  await page.getByLabel("Email", { exact: true }).fill(freshEmail());
  await page.getByLabel("Name", { exact: true }).fill("Gro Nyland");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(inside);
});

test("[A-049] [A-050] [A-051] [A-149] [A-150] [A-151] [A-152] [A-153] [A-154] [A-155] [A-156] [A-226] somebody invited sets up an account and signs in", async ({
  page,
}) => {
  const owner = await makeConfirmed(page);
  await signInPast(page, owner);
  await connect(page);
  await ask(page, "POST", "/api/user/organization/name", { organization_name: "Meridian" });
  const email = freshEmail();
  await ask(page, "POST", "/api/user/organization-user", { email, roles: ["organization_github_user"] });
  const link = /https?:\/\/\S*\/invite\?\S+/.exec(await mailTo(email, /./))?.[0] ?? "";
  await page.goto("/invite?email=bad&code=1");
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Invalid email");
  await expect(page.getByRole("button", { name: "Set up my account" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );

  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Setup New User" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByLabel("Email")).not.toBeEditable();
  await expect(page.getByLabel("Confirmation code")).toHaveValue(
    new URL(link).searchParams.get("code") ?? "",
  );
  await page.getByLabel("Password", { exact: true }).fill(STRONG);
  await page.getByLabel("First name").fill("Nora");
  await page.getByLabel("Last name").fill("Lindqvist");
  const setUp = page.waitForRequest("**/identity/complete-invitation");
  await page.getByRole("button", { name: "Set up my account" }).click();
  expect((await setUp).postDataJSON()).toEqual({
    email,
    confirmation_code: new URL(link).searchParams.get("code"),
    new_password: STRONG,
    firstName: "Nora",
    lastName: "Lindqvist",
  });
  await page.waitForURL("**/auth/login");
  await page.goto("/");
  await page.waitForURL("**/auth/login");
  await fillSignIn(page, email);
  await page.waitForURL(inside);
});

test("[A-036] [A-047] [A-052] [A-053] [A-054] [A-064] [A-065] [A-066] [A-067] [A-068] [B-279] the visitor's pages open to everybody in the centred card", async ({
  page,
  expectComplaint,
}) => {
  expectComplaint(/status of 400/);
  for (const [path, heading] of [
    ["/auth/login", "Sign in"],
    ["/auth/sign-up", "Create your account"],
    ["/auth/password-recovery", "Password recovery"],
    ["/verify-email#resend_verification", "Resend verification"],
    ["/invite", "Setup New User"],
    ["/wait", "One moment, please"],
  ] as const) {
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(page.getByText("Holdfast", { exact: true })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
    await expect(page.getByText(/^© \d{4} Holdfast$/)).toBeVisible();
  }
  const asked = page.waitForRequest("**/api/subscribe-mail-sending");
  await page.goto("/subscribeToMail?content=tampered&iv=with");
  expect((await asked).postDataJSON()).toEqual({ content: "tampered", iv: "with" });
  await expect(page.getByRole("alert")).toContainText("Something went wrong");
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

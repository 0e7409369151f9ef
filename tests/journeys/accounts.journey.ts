import { randomUUID } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { mailTo, signInPast } from "./identity-steps.ts";
import { atGithub, atGitlab, createRepository, mailsTo } from "./outside.ts";
import { freshEmail, type JourneyPerson, PASSWORD, personOf } from "./person.ts";
import { APP_URL, GITHUB_URL, GITLAB_URL, JOB_MS, loseConnection, startPlan, TRELLO_URL } from "./stack.ts";
import {
  addRepositories,
  connect,
  connectGitlab,
  GITHUB_LIST,
  itemsOf,
  messageOf,
  voiceOf,
  waitForBackup,
} from "./steps.ts";

const WIZARD = "/app-connector?platform=github";
const ORG = "meridian-freight";
const INSTALL = /\/apps\/[^/]+\/installations\/new$/;
const APP_MISSING = "Please install the GitHub app first before your email will be connected to the system";

type Account = { username: string; isConfirmed: boolean };

/** Allows access on a platform's consent page as `login`. */
async function consentAs(page: Page, login: string): Promise<void> {
  await page.waitForURL("**/oauth/authorize**");
  await page.locator(`input[name="login"][value="${login}"]`).check();
  await page.getByRole("button", { name: /^Authorize/ }).click();
}

/** The requests of a page, oldest first. */
function askedBy(page: Page): { path: string; method: string }[] {
  const asked: { path: string; method: string }[] = [];
  page.on("request", (request) => {
    const { pathname: path, search } = new URL(request.url());
    asked.push({ path: `${path}${search}`, method: request.method() });
  });
  return asked;
}

/** Follows the dialog about a missing app, whose button opens the installation page. */
async function installFrom(page: Page, title: "Error" | "Warning"): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  const opened = page.waitForEvent("popup");
  await dialog.getByRole("link", { name: "Install the app" }).click();
  const installing = await opened;
  expect(installing.url()).toMatch(INSTALL);
  await installing.close();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(dialog).toHaveCount(0);
}

test("a platform that was never started leads to the wizard, which saves the region before consent", async ({
  page,
  person,
}) => {
  await test.step("[P-041] [B-281] the wizard opens instead of a list and shows the warning in its URL", async () => {
    for (const platform of ["gitlab", "trello", "github"]) {
      await page.goto(`/platform/dashboard/${platform}`);
      await expect(page).toHaveURL(`/app-connector?platform=${platform}`);
    }
    await page.goto(`${WIZARD}&warning_message=Mind%20the%20gap`);
    await expect(page.getByText("Mind the gap")).toBeVisible();
  });

  await test.step("[B-192] [B-195] the region is saved before consent", async () => {
    await expect(page.getByRole("link", { name: "Skip", exact: true })).toHaveCount(0);
    const asked = askedBy(page);
    await page.getByRole("radio", { name: "Europe, United Kingdom" }).check();
    await page.getByRole("button", { name: "Save and continue" }).click();
    await expect(page.getByRole("button", { name: "Authorize GitHub" })).toBeVisible();
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toContain(
      "PATCH /api/user/change-user-platform-s3-region",
    );
    expect(asked.filter(({ path }) => path.startsWith("/api/github/"))).toEqual([]);
  });

  await test.step("[P-127] [P-266] [P-267] [P-268] [P-271] an account's name is required, has at least two characters and no spaces", async () => {
    await page.getByRole("button", { name: "Connect an account by its name" }).click();
    const form = page.getByRole("dialog", { name: "Connect a GitHub account" });
    const name = form.getByLabel("Account name");
    const save = form.getByRole("button", { name: "Save" });
    await expect(save).toBeDisabled();
    await name.focus();
    await name.blur();
    await expect(form.getByText("This field is required")).toBeVisible();
    await name.fill("a");
    await expect(form.getByText("At least 2 characters")).toBeVisible();
    await expect(save).toBeDisabled();
    await name.fill(" a b ");
    await expect(name).toHaveValue("ab");
    await expect(save).toBeEnabled();
    await name.fill(`nobody-${randomUUID().slice(0, 6)}`);
    await save.click();
    await page.waitForURL(`${GITHUB_URL}/login/oauth/authorize**login=nobody-**`);
    await consentAs(page, "nora-lindqvist");
  });

  await test.step("[P-417] [P-418] without the app nothing is connected, and a button leads to its installation", async () => {
    await expect(page.getByRole("dialog", { name: "Error" })).toContainText(APP_MISSING);
    await installFrom(page, "Error");
    expect(await person.call("GET", "github/get-github-users")).toEqual([]);
  });

  await test.step("[B-262] the wizard of every platform leads to the platform's own consent page", async () => {
    for (const [platform, label, consent] of [
      ["gitlab", "GitLab", `${GITLAB_URL}/oauth/authorize**`],
      ["trello", "Trello", `${TRELLO_URL}/**authorize**`],
      ["github", "GitHub", `${GITHUB_URL}/login/oauth/authorize**`],
    ] as const) {
      await page.goto(`/app-connector?platform=${platform}&step=authorize`);
      await page.getByRole("button", { name: `Authorize ${label}` }).click();
      await page.waitForURL(consent);
    }
  });

  await test.step("[B-080] consent connects the account in the chosen region", async () => {
    await page.goto(`${WIZARD}&step=authorize`);
    const begun = page.waitForResponse("**/api/github/connect-url");
    await page.getByRole("button", { name: "Authorize GitHub" }).click();
    expect((await begun).request().method()).toBe("GET");
    await consentAs(page, "nora-lindqvist");
    await page.waitForURL(`**${GITHUB_LIST}**`);
    await expect(page.getByText("Europe, United Kingdom").first()).toBeVisible();
  });

  await test.step("[B-194] another region warns that all backups are lost, before anything is saved", async () => {
    await page.goto(WIZARD);
    await expect(page.getByRole("radio", { name: "Europe, United Kingdom" })).toBeChecked();
    const asked = askedBy(page);
    await page.getByRole("radio", { name: "North America" }).check();
    await page.getByRole("button", { name: "Save and continue" }).click();
    const warning = page.getByRole("dialog", { name: "Change the region" });
    await expect(warning).toContainText("All backups of nora-lindqvist are deleted at once and for good");
    await warning.getByRole("button", { name: "Cancel" }).click();
    expect(asked.filter(({ method }) => method === "PATCH")).toEqual([]);
  });

  await test.step("[B-193] a previously chosen region can be skipped", async () => {
    await page.goto(WIZARD);
    await expect(page.getByRole("radio", { name: "Europe, United Kingdom" })).toBeChecked();
    await page.getByRole("link", { name: "Skip", exact: true }).click();
    await expect(page.getByRole("heading", { name: "GitHub is authorized" })).toBeVisible();
  });
});

test("an account is changed after a warning and confirmed by its code, from the wizard or the list", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of (404|409)/);
  await connect(page);
  await page.goto(WIZARD);
  const form = page.getByRole("dialog", { name: "Change account" });
  const save = form.getByRole("button", { name: "Save" });
  const confirm = form.getByLabel("Type nora-lindqvist to confirm");
  const accounts = () => person.call<Account[]>("GET", "github/get-github-users");
  await test.step("[P-127] [P-231] [P-272] [P-421] the form warns, requires another name, and reports a missing app", async () => {
    await page.getByRole("button", { name: "Change account" }).click();
    await expect(form).toContainText("All backups of nora-lindqvist are deleted at once and for good");
    await confirm.fill("nora-lindqvist");
    await expect(form.getByLabel("Account name")).toHaveValue("nora-lindqvist");
    await expect(save).toBeDisabled();
    await form.getByLabel("Account name").fill("nobody-of-this-name");
    await confirm.fill("nora");
    await expect(save).toBeDisabled();
    await confirm.fill("nora-lindqvist");
    await save.click();
    await installFrom(page, "Warning");
    await page.getByRole("button", { name: "Change account" }).click();
    await form.getByRole("button", { name: "Cancel" }).click();
    expect(await accounts()).toMatchObject([{ username: "nora-lindqvist", isConfirmed: true }]);
  });

  const code = page.getByRole("dialog", { name: "Enter the confirmation code" });
  await test.step("[P-273] Save waits for the response, which requests a code", async () => {
    await page.getByRole("button", { name: "Change account" }).click();
    await expect(confirm).toHaveValue("");
    await form.getByLabel("Account name").fill(ORG);
    await confirm.fill("nora-lindqvist");
    const held = Promise.withResolvers<void>();
    await page.route("**/api/github/change-github-user", async (route) => {
      await held.promise;
      await route.continue();
    });
    await save.click();
    await expect(save).toBeDisabled();
    await expect(save).toHaveAttribute("aria-busy", "true");
    held.resolve();
    await expect(code).toContainText(ORG);
    expect(await accounts()).toMatchObject([{ username: ORG, isConfirmed: false }]);
  });

  await test.step("[P-320] [P-419] [B-081] during set-up a code can be entered or sent again, and the wizard shows the state", async () => {
    const delayed = { status: "failure", code: "err.app.delay", message: "Being set up.", result: null };
    await page.route("**/send-confirm-github-user", (route) => route.fulfill({ status: 409, json: delayed }));
    await code.getByRole("button", { name: "Send a new code" }).click();
    await expect(code).toContainText("Being set up");
    await expect(code.getByLabel("Confirmation code")).toBeEditable();
    await page.unroute("**/send-confirm-github-user");
    const before = (await codesFor(person.email)).length;
    const requested = page.waitForRequest("**/api/github/send-confirm-github-user");
    await code.getByRole("button", { name: "Send a new code" }).click();
    expect((await requested).method()).toBe("POST");
    await expect.poll(async () => (await codesFor(person.email)).length).toBe(before + 1);
    await page.goto(`${WIZARD}&githubConfirmStatus=pending`);
    await expect(code).toBeVisible();
    await page.goto(`${WIZARD}&githubConfirmStatus=confirmed`);
    await expect(page.getByText("The account is confirmed")).toBeVisible();
  });

  await test.step("[P-211] [P-212] the code confirms the account at once, and the list reloads ten seconds later", async () => {
    await page.clock.install({ time: Date.now() });
    const heard: (string | undefined)[] = [];
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => heard.push(messageOf(payload)?.event?.method));
    });
    await page.goto(GITHUB_LIST);
    const banner = page.getByRole("alert").filter({ hasText: "waits for its confirmation code" });
    await banner.getByRole("button", { name: "Enter code" }).click();
    await code.getByLabel("Confirmation code").fill((await codesFor(person.email))[0] ?? "");
    // Stops the page's clock: the ten seconds begin with the response, whenever it arrives.
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    await page.clock.pauseAt(Date.now() + 60_000);
    const asked = askedBy(page);
    const loads = () => asked.filter(({ path }) => path.startsWith("/api/github/get-user-github-items"));
    const answered = page.waitForResponse("**/api/github/confirm-code");
    await code.getByRole("button", { name: "Confirm" }).click();
    await answered;
    await expect.poll(() => heard).toContain("connection-changed");
    await expect(banner).toHaveCount(0);
    expect(await accounts()).toMatchObject([{ username: ORG, isConfirmed: true }]);
    // The live event loads it once no further event follows.
    await page.clock.runFor(5_000);
    await expect.poll(loads).toHaveLength(1);
    await page.clock.runFor(4_900);
    expect(loads()).toHaveLength(1);
    await page.clock.runFor(200);
    await expect.poll(loads).toHaveLength(2);
  });
});

/** Connects a GitHub account of this journey alone, whose repository "crane" has a version. Returns its login. */
async function connectOwn(page: Page, person: JourneyPerson): Promise<string> {
  const login = `wren-${randomUUID().slice(0, 6)}`;
  await atGithub(`people/${login}`);
  await createRepository(`${login}/crane`);
  await connect(page, { login });
  await addRepositories(person, login, ["crane"]);
  await waitForBackup(person, "crane");
  return login;
}

test("[P-439] a deleted app pauses all backups until they are resumed", async ({ page, person }) => {
  // Backups are slow on a busy machine.
  test.slow();
  const login = await connectOwn(page, person);
  await page.goto(GITHUB_LIST);
  await expect(page.getByRole("main").getByRole("link", { name: "crane", exact: true })).toBeVisible();
  await atGithub(`installations/${login}`, { isInstalled: false });
  await person.call("POST", "github/backup-now", { repoName: "crane" });
  const gone = page
    .getByRole("alert")
    .filter({ hasText: "GitHub: The app was deleted. All backups are paused until you resume." });
  await expect(gone).toBeVisible({ timeout: JOB_MS });
  await expect(gone.getByRole("link", { name: "Install the app" })).toHaveAttribute("href", INSTALL);
  expect((await itemsOf(person)).map(({ nextDueAt }) => nextDueAt)).toEqual([null]);
  await atGithub(`installations/${login}`, { isInstalled: true });
  await gone.getByRole("link", { name: "Resume backups" }).click();
  await expect(page.getByText("The app was deleted.")).toBeVisible();
  await page.getByRole("button", { name: "Resume backups", exact: true }).click();
  await consentAs(page, login);
  await page.waitForURL(`**${GITHUB_LIST}**`);
  await expect(page.getByRole("main").getByRole("link", { name: "crane", exact: true })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect((await itemsOf(person)).map(({ nextDueAt }) => nextDueAt)).toEqual([expect.any(Number)]);
});

test("[B-194] [P-309] a refused token and another region each say what is kept and lost, and new repositories are announced", async ({
  page,
  person,
  browser,
  expectComplaint,
}) => {
  expectComplaint(/status of 409/);
  // Backups are slow on a busy machine.
  test.slow();
  const says = await voiceOf(page);
  const login = await connectOwn(page, person);
  await page.goto(GITHUB_LIST);
  await expect(page.getByRole("main").getByRole("link", { name: "crane", exact: true })).toBeVisible();

  // Events before the new page subscribes are lost.
  await expect(async () => {
    says({ method: "items-auto-added", platform: "github", names: ["heron", "dock"], count: 2, waiting: 1 });
    const news = page.getByText("2 new items are protected now: heron, dock").first();
    await expect(news).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByText("1 new item exceeds the plan's limit").first()).toBeVisible();

  const colleague = await colleagueOf(person, browser);
  await loseConnection(person);
  await colleague.goto(GITHUB_LIST);
  const refused = colleague.getByRole("alert").filter({ hasText: "GitHub no longer accepts our access." });
  await expect(refused).toContainText("Only the owner of the organisation can do that.");
  for (const link of ["Reconnect", "Install the app"]) {
    await expect(colleague.getByRole("link", { name: link, exact: true })).toHaveCount(0);
  }
  await colleague.goto(WIZARD);
  await expect(colleague.getByText(/^Only the owner of the organisation can reconnect/)).toBeVisible();
  for (const button of ["Change account", "Save and continue", "Reconnect"]) {
    await expect(colleague.getByRole("button", { name: button })).toHaveCount(0);
  }
  await colleague.goto("about:blank");
  await page.goto(GITHUB_LIST);
  await page.getByRole("alert").getByRole("link", { name: "Reconnect" }).click();
  await page.getByRole("button", { name: "Reconnect", exact: true }).click();
  await consentAs(page, login);
  await page.waitForURL(`**${GITHUB_LIST}**`);

  await page.goto(WIZARD);
  await page.getByRole("radio", { name: "North America" }).check();
  await page.getByRole("button", { name: "Save and continue" }).click();
  const warning = page.getByRole("dialog", { name: "Change the region" });
  await expect(warning).toContainText(`All backups of ${login} are deleted at once and for good`);
  await warning.getByRole("button", { name: "Cancel" }).click();
  expect((await itemsOf(person)).map(({ name }) => name)).toEqual(["crane"]);
  // A refused change closes its warning. The next one asks for the name again.
  const save = page.getByRole("button", { name: "Save and continue" });
  const typed = warning.getByLabel(`Type ${login} to confirm`);
  const change = warning.getByRole("button", { name: "Delete and change" });
  const changing = "**/api/user/change-user-platform-s3-region";
  const refusal = { status: "failure", code: "err.app.delay", message: "Being set up.", result: null };
  await page.route(changing, (route) => route.fulfill({ status: 409, json: refusal }));
  await save.click();
  await typed.fill(login);
  await typed.press("Enter");
  await expect(page.getByText("Being set up")).toBeVisible();
  await expect(warning).toHaveCount(0);
  await page.unroute(changing);
  const asked = askedBy(page);
  await save.click();
  await expect(typed).toHaveValue("");
  await expect(change).toBeDisabled();
  await typed.press("Enter");
  await typed.fill(login);
  expect(asked.filter(({ method }) => method === "PATCH")).toEqual([]);
  await change.click();
  await expect(page.getByRole("heading", { name: "GitHub is authorized" })).toBeVisible();
  expect(await itemsOf(person)).toEqual([]);
  await page.getByRole("link", { name: "Open repositories" }).click();
  await expect(page.getByText("North America").first()).toBeVisible();
});

test("a second account is added with its own region, selected in the list, and removed", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 409/);
  await connect(page);
  const accounts = () => person.call<Account[]>("GET", "github/get-github-users");
  await page.goto(WIZARD);
  await page.getByRole("link", { name: "Add another account" }).click();
  await expect(page.getByRole("heading", { name: "Add a GitHub account" })).toBeVisible();
  await page.getByRole("radio", { name: "Europe, United Kingdom" }).check();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("button", { name: "Authorize GitHub" }).click();
  await consentAs(page, "ivo-petrov");
  await page.waitForURL(`**${GITHUB_LIST}?account=*`);
  expect(await accounts()).toMatchObject([{ username: "nora-lindqvist" }, { username: "ivo-petrov" }]);
  await expect(page.getByText("Europe, United Kingdom").first()).toBeVisible();

  await page.getByRole("button", { name: "Account: ivo-petrov" }).click();
  await page.getByRole("menuitemradio", { name: "nora-lindqvist" }).click();
  await expect(page.getByRole("button", { name: "Account: nora-lindqvist" })).toBeVisible();
  await expect(page.getByText("Europe, United Kingdom")).toHaveCount(0);

  await page.goto("/");
  await expect(page.getByRole("region", { name: "GitHub" })).toContainText("nora-lindqvist, ivo-petrov");

  await page.goto(WIZARD);
  await expect(page.getByRole("heading", { name: "GitHub accounts" })).toBeVisible();
  await page.getByRole("link", { name: "Manage ivo-petrov" }).click();
  await page.getByRole("button", { name: "Remove account" }).click();
  const warning = page.getByRole("dialog", { name: "Remove account" });
  await expect(warning).toContainText("All backups of ivo-petrov are deleted at once and for good");
  const typed = warning.getByLabel("Type ivo-petrov to confirm");
  await typed.fill("ivo-petrov");
  await warning.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove account" }).click();
  await expect(typed).toHaveValue("");
  const removing = "**/api/github/remove-account**";
  const refusal = { status: "failure", code: "err.app.delay", message: "Being set up.", result: null };
  await page.route(removing, (route) => route.fulfill({ status: 409, json: refusal }));
  await typed.fill("ivo-petrov");
  await typed.press("Enter");
  await expect(warning).toContainText("Being set up");
  await page.unroute(removing);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Remove account" }).click();
  await expect(typed).toHaveValue("");
  await expect(warning).not.toContainText("Being set up");
  await typed.fill("ivo-petrov");
  await warning.getByRole("button", { name: "Delete and remove" }).click();
  await expect(page.getByRole("heading", { name: "GitHub account", exact: true })).toBeVisible();
  expect(await accounts()).toMatchObject([{ username: "nora-lindqvist" }]);
});

test("[P-228] [P-231] [P-269] [P-270] [P-343] [B-263] a GitLab account is changed by username with its own consent, and its backups are deleted", async ({
  page,
  person,
  expectComplaint,
}) => {
  // Backups are slow on a busy machine.
  test.slow();
  const path = `ivo.petrov/crane-${randomUUID().slice(0, 6)}`;
  const { id } = await atGitlab<{ id: number }>("projects", { path });
  await atGitlab(`projects/${id}/commits`, { count: 1 });
  await page.goto("/app-connector?platform=gitlab&step=authorize");
  await page.getByRole("button", { name: "Authorize GitLab" }).click();
  await page.waitForURL(`${GITLAB_URL}/oauth/authorize**`);
  await consentAs(page, "ivo.petrov");
  await page.waitForURL("**/platform/dashboard/gitlab**");
  await person.call("POST", "gitlab/add-gitlab-projects", { projectsIds: [{ id: String(id) }] });
  const projects = () =>
    person.call<{ view: { id: string; lastBackupAt: number | null } }[]>(
      "GET",
      "gitlab/get-user-gitlab-projects",
      {},
    );
  await expect
    .poll(async () => (await projects())[0]?.view.lastBackupAt ?? null, { timeout: JOB_MS })
    .not.toBeNull();
  const history = { itemId: (await projects())[0]?.view.id ?? "", page: 0, perPage: 20 };
  expect(await person.call<unknown[]>("POST", "user/get-items-backups", history)).toHaveLength(1);

  await page.goto("/app-connector?platform=gitlab");
  await page.getByRole("button", { name: "Change account" }).click();
  await page.getByRole("dialog", { name: "Change account" }).getByRole("button", { name: "Cancel" }).click();
  expect(await projects()).toHaveLength(1);
  const open = async (username: string) => {
    await page.getByRole("button", { name: "Change account" }).click();
    const form = page.getByRole("dialog", { name: "Change account" });
    const name = form.getByLabel("GitLab username");
    const save = form.getByRole("button", { name: "Save" });
    await form.getByLabel("Type ivo.petrov to confirm").fill("ivo.petrov");
    for (const [typed, fault] of [
      ["", "This field is required"],
      ["a", "At least 2 characters"],
    ] as const) {
      await name.fill(typed);
      await name.blur();
      await expect(form.getByText(fault)).toBeVisible();
      await expect(save).toBeDisabled();
    }
    await expect(form).toContainText("All backups of ivo.petrov are deleted at once and for good");
    await name.fill(username);
    const asked = page.waitForRequest("**/api/gitlab/change-gitlab-user**");
    await save.click();
    expect((await asked).method()).toBe("GET");
    await page.waitForURL(`${GITLAB_URL}/oauth/authorize**`);
  };
  await open("somebody-else");
  await consentAs(page, "nora-lindqvist");
  await expect(page.getByText(/not the account that should be connected/)).toBeVisible();
  expect(await projects()).toHaveLength(1);

  await page.goto("/app-connector?platform=gitlab");
  await open("nora-lindqvist");
  await consentAs(page, "nora-lindqvist");
  await page.waitForURL("**/platform/dashboard/gitlab**");
  expect(await projects()).toEqual([]);
  expect(await person.call("GET", "gitlab/get-gitlab-users")).toMatchObject([{ username: "nora-lindqvist" }]);
  expectComplaint(/status of 404/);
  await expect(person.call("POST", "user/get-items-backups", history)).rejects.toThrow("err.not.found");
});

test("[B-232] of members only an admin of the platform may act, while its trial, Essential or Pro runs", async ({
  page,
  person,
  browser,
}) => {
  await connect(page);
  await connectGitlab(page);
  const name = `role-${randomUUID().slice(0, 6)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await addRepositories(person, "nora-lindqvist", [name]);
  const admin = await colleagueOf(person, browser);
  const user = await colleagueOf(person, browser, ["organization_github_user", "organization_gitlab_admin"]);
  const add = (of: Page) => of.getByRole("button", { name: /^Add repositories/ });
  const hour = 3_600_000;
  await user.goto(GITHUB_LIST);
  await expect(add(user)).toHaveAccessibleName(/read only$/);
  for (const plan of ["trial", "essential", "pro"] as const) {
    await startPlan(person, { plan, quantity: 10, endsAt: Date.now() + hour });
    await admin.goto(GITHUB_LIST);
    await expect(add(admin), plan).not.toHaveAttribute("aria-disabled", "true");
    await startPlan(person, { plan, quantity: 10, endsAt: Date.now() - hour });
    await admin.goto(GITHUB_LIST);
    await expect(add(admin), plan).toHaveAccessibleName(/read only$/);
  }
});

/** The page of a colleague, by default with read and write access to GitHub, in a separate browser. */
async function colleagueOf(
  person: JourneyPerson,
  browser: Browser,
  roles = ["organization_github_admin"],
): Promise<Page> {
  await person.call("PUT", "user/account-type", { account_type: "Organization" });
  await person.call("POST", "user/organization/name", { organization_name: "Meridian" });
  const email = freshEmail();
  await person.call("POST", "user/organization-user", { email, roles });
  const link = new URL(/https?:\/\/\S+\/invite\?\S+/.exec(await mailTo(email, /invites you/))?.[0] ?? "");
  const theirs = await (await browser.newContext({ baseURL: APP_URL })).newPage();
  const names = { firstName: "Jide", lastName: "Okafor" };
  const confirmation_code = link.searchParams.get("code");
  await personOf(theirs, email).call("POST", "identity/complete-invitation", {
    email,
    confirmation_code,
    new_password: PASSWORD,
    ...names,
  });
  await signInPast(theirs, email, PASSWORD);
  return theirs;
}

/** The confirmation codes mailed to an address, newest first. Waits for at least one. */
async function codesFor(address: string): Promise<string[]> {
  let codes: string[] = [];
  await expect
    .poll(async () => {
      const mails = (await mailsTo(address)).filter(({ text }) => text.includes("confirm"));
      codes = mails.flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
      return codes.length;
    })
    .toBeGreaterThan(0);
  return codes;
}

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { confirmationLink, fillSignIn } from "./identity-steps.ts";
import { askedOfGithub, fault } from "./outside.ts";
import { freshEmail, type JourneyPerson, PASSWORD, personOf } from "./person.ts";
import { APP_URL, GITHUB_URL, JOB_MS } from "./stack.ts";
import { connect, GITHUB_LIST, rowOf } from "./steps.ts";

test("[A-016] [A-074] [A-076] [B-077] a new person signs up, chooses a region and connects GitHub", async ({
  page,
}) => {
  await page.goto("/auth/sign-up");
  const submit = page.getByRole("button", { name: "Get started" });
  await expect(submit).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("First name").fill("Runa");
  await page.getByLabel("Last name").fill("Holm");
  const email = freshEmail();
  await page.getByLabel("Email").fill(email);
  const rules = page.getByRole("list", { name: "Password rules" });
  await page.getByLabel("Password", { exact: true }).fill("harbour");
  await expect(rules.getByText("not met").first()).toBeAttached();
  await expect(submit).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await expect(rules.getByText("not met")).toHaveCount(0);
  await page.getByLabel("GitHub").check();
  await expect(submit).not.toHaveAttribute("aria-disabled", "true");
  await submit.click();
  await page.goto(await confirmationLink(email));
  await page.waitForURL("**/auth/login?isConfirmed=true");
  await fillSignIn(page, email, PASSWORD);
  await page.waitForURL("**/app-connector");

  await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
  const steps = page.getByRole("listitem").filter({ hasText: /^[123]/ });
  await expect(steps).toHaveText(["1Select application", "2Data residency", "3Authorize"]);
  await page.goto("/");
  await page.waitForURL("**/app-connector");

  await test.step("[B-078] the first step selects one of five applications", async () => {
    const step = page.getByRole("listitem").and(page.locator("[aria-current=step]"));
    await expect(step).toHaveText("1Select application");
    const platforms = {
      GitHub: "github",
      GitLab: "gitlab",
      Trello: "trello",
      Jira: "jira",
      Notion: "notion",
    };
    await expect(page.getByRole("radio")).toHaveCount(Object.keys(platforms).length);
    for (const [label, platform] of Object.entries(platforms).toReversed()) {
      await page.getByRole("radio", { name: label, exact: true }).check();
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page).toHaveURL(`${APP_URL}/app-connector?platform=${platform}`);
      await expect(step).toHaveText("2Data residency");
      if (platform !== "github") await page.goto("/app-connector");
    }
  });
  await test.step("[B-079] [B-192] [P-450] the second step offers four regions", async () => {
    await expect(page.getByRole("radio")).toHaveCount(4);
    for (const region of [
      "Europe, Germany",
      "Europe, United Kingdom",
      "North America",
      "Asia Pacific, Sydney",
    ]) {
      await expect(page.getByRole("radio", { name: region })).toBeVisible();
    }
    await page.getByRole("radio", { name: "North America" }).check();
    await page.getByRole("button", { name: "Save and continue" }).click();
  });
  await test.step("[B-080] the third step leads to the platform", async () => {
    await page.getByRole("button", { name: "Authorize GitHub" }).click();
    await page.waitForURL(`${GITHUB_URL}/login/oauth/authorize**`);
  });
  const consent = new URL(page.url()).searchParams;
  expect(consent.get("state")?.length).toBeGreaterThanOrEqual(32);
  expect(consent.get("code_challenge_method")).toBe("S256");
  expect(consent.get("code_challenge")).toMatch(/^[\w-]{43}$/);
  await page.getByRole("button", { name: /^Authorize/ }).click();
  await page.waitForURL(`**${GITHUB_LIST}**`);
  expect(page.url()).not.toContain("code=");
  const exchanges = await askedOfGithub(/^\/login\/oauth\/access_token/);
  expect(exchanges.at(-1)).toMatchObject({ method: "POST", status: 200 });

  await expect(page.getByRole("heading", { name: "GitHub is connected." })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "North America" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  const statuses = "payments/get-platforms-trial-statuses";
  const { github } = await personOf(page, email).call<{ github: object }>("GET", statuses);
  expect(github).toMatchObject({ trialStatus: "active" });
});

test("[B-280] a callback from GitHub without a started authorisation connects nothing", async ({
  page,
  person,
}) => {
  await page.goto("/connect/github/callback?state=made-up&code=stolen");
  await page.waitForURL("**/app-connector?**");
  const message = new URL(page.url()).searchParams.get("error_message");
  expect(message).toBeTruthy();
  await expect(page.getByText(message ?? "")).toBeVisible();
  expect(await person.call("GET", "github/get-github-users")).toEqual([]);
});

test("[A-003] [A-005] [P-414] a first backup is followed without a reload, through a reload and a lost connection", async ({
  page,
  person,
  context,
  expectComplaint,
}) => {
  expectComplaint(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  // Slows the backup down, so that even a busy browser reloads the page before it ends.
  test.slow();
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await connect(page);
  await person.call("POST", "github/add-places-for-user", { placesIds: await availablePlaces(person) });
  await fault({
    match: { path: "/customs-documents(\\.git)?/git-upload-pack" },
    skip: 1,
    action: { kind: "drip", bytes: 60_000, everyMs: 250 },
  });
  await page.goto(GITHUB_LIST);
  await page.getByRole("button", { name: /^Place:/ }).click();
  await page.getByRole("menuitemradio", { name: /meridian-freight/ }).click();
  await page.getByRole("button", { name: "Choose others" }).click();
  const dialog = page.getByRole("dialog", { name: "Add repositories" });
  await dialog.getByRole("checkbox", { name: /customs-documents/ }).check();
  await dialog.getByRole("button", { name: "Add 1 repository" }).click();

  const row = rowOf(page, "customs-documents");
  const bar = page.getByRole("progressbar", { name: "Progress of customs-documents" });
  await test.step("[A-113] [P-186] [P-189] [P-287] a running action is shown by the row and by a badge", async () => {
    await expect(row.locator(".last-backup__when")).toHaveText(/^-/);
    await expect(bar).toBeVisible();
    await expect(row.getByText("Backing up")).toBeVisible();
    await expect(row.getByRole("checkbox")).toBeDisabled();
    await expect(page.getByRole("main").getByText("1 backup", { exact: true })).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Visit GitHub" }).first()).toBeVisible();
  });
  await expect.poll(() => amountOf(page)).toBeGreaterThan(0);
  const before = await amountOf(page);
  await expect.poll(() => amountOf(page)).toBeGreaterThan(before);

  await page.reload();
  await expect(bar).toBeVisible();
  await expect.poll(() => amountOf(page)).toBeGreaterThanOrEqual(before);

  const opened = sockets.length;
  await context.setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  await context.setOffline(false);
  await expect.poll(() => sockets.length).toBeGreaterThan(opened);
  await test.step("[P-193] [P-195] [P-198] its end is shown without a reload", async () => {
    await expect(row.getByText("Protected")).toBeVisible({ timeout: JOB_MS });
    await expect(bar).toHaveCount(0);
    await expect(row.getByRole("checkbox")).toBeEnabled();
    await expect(row.getByText("just now")).toBeVisible();
    await expect(page.getByText("1 backup", { exact: true })).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Never/ })).toHaveCount(0);
  });
  await test.step("[P-413] the live connection has the person's sub", async () => {
    const { sub } = await person.call<{ sub: string }>("GET", "user/get-user-start-info");
    const socket = new URL(sockets[0] ?? "");
    expect(socket.searchParams.get("sub")).toBe(sub);
    expect(socket.host).toBe(new URL(APP_URL).host);
  });
  await row.getByRole("link", { name: "customs-documents", exact: true }).click();
  const versions = page.getByRole("table", { name: /^Versions of customs-documents/ });
  await expect(versions.getByText("Success").first()).toBeVisible();
});

async function availablePlaces(person: JourneyPerson): Promise<{ id: string }[]> {
  const places = await person.call<{ id: string }[]>("GET", "github/get-available-github-places");
  return places.map(({ id }) => ({ id }));
}

/** The amount in the only progress row, in kilobytes. */
async function amountOf(page: Page): Promise<number> {
  const text = (await page.locator(".progress-row .figs").textContent({ timeout: 5_000 })) ?? "";
  const found = /([\d.]+)\s(KB|MB)/.exec(text);
  return found ? Number(found[1]) * (found[2] === "MB" ? 1000 : 1) : 0;
}

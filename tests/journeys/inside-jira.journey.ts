import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type BrowserContext, chromium, type Frame, type Page, type Response } from "@playwright/test";
import type { ItemView } from "#core/inventory/views.ts";
import { ensureChromium } from "#workers/commands/find-chromium.ts";
import { expect, test } from "./fixtures.ts";
import { atJira } from "./outside.ts";
import { freshEmail, PASSWORD, personOf } from "./person.ts";
import { APP_URL, FORGE_SHELL_URL, JIRA_SITE_URL, JIRA_URL, JOB_MS } from "./stack.ts";
import { connectJira, JIRA_LIST } from "./steps.ts";

/** The page at Jira for a person of a new site. */
const newJiraPage = () => `${JIRA_SITE_URL}/jira/apps/holdfast?site=${randomUUID()}&account=712020:runa`;

const NOTICE = /attachments needs an authorisation on the main website/;

/** Connects a Jira site on the main website, in a browser window of its own. */
async function connectSite(context: BrowserContext, email: string): Promise<void> {
  const main = await context.browser()?.newContext();
  const page = await main?.newPage();
  if (page === undefined) throw new Error("The browser has ended.");
  await personOf(page, email).call("POST", "identity/sign-in", { email, password: PASSWORD });
  await connectJira(page);
  await main?.close();
}

/** A page of somebody else that frames our sign-in and the first page of the app. */
async function servePage(): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => {
    const frames = ["/auth/login", "/forge/frame"].map((path) => `<iframe src="${APP_URL}${path}"></iframe>`);
    response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html>${frames.join("")}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** A browser that blocks the cookies of other sites, as the newest do. */
async function strictBrowser(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const browser = await chromium.launch({
    executablePath: (await ensureChromium()) ?? undefined,
    args: ["--no-sandbox", "--test-third-party-cookie-phaseout"],
  });
  return { context: await browser.newContext(), close: () => browser.close() };
}

/** The frame of our site inside the app's page. */
async function productFrame(page: Page): Promise<Frame> {
  await expect.poll(() => frameOf(page)?.url()).toMatch(/^http:\/\/localhost/);
  return frameOf(page) as Frame;
}

const frameOf = (page: Page) => page.frames().find((frame) => frame.url().startsWith(APP_URL));

/** What Chromium shows in place of a page that may not be framed. */
const REFUSED = "chrome-error://chromewebdata/";

/** Signs a person in on the page in the frame. */
async function signInWithin(frame: Frame, email: string): Promise<void> {
  await frame.getByLabel("Email").fill(email);
  await frame.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await frame.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Expects that the page lets Jira frame it. */
function expectFramed(page: Response | null): void {
  expect(page?.headers()["content-security-policy"]).toContain(FORGE_SHELL_URL);
  expect(page?.headers()["x-frame-options"]).toBeUndefined();
}

test("[A-029] [A-075] [B-082] the app is shown inside Jira, and a new person begins with Jira", async ({
  person,
}) => {
  const { context, close } = await strictBrowser();
  const page = await context.newPage();
  await page.goto(newJiraPage());
  const frame = await productFrame(page);
  await signInWithin(frame, person.email);
  await expect.poll(() => frame.url()).toContain("/app-connector?jiraInIframe=true");
  await expect(frame.getByRole("radio", { name: /Jira/ })).toBeChecked();
  await test.step("[A-030] the frame says that attachments need the main website", () =>
    expect(frame.getByText(NOTICE)).toBeVisible());
  await test.step("[P-003] [P-445] Jira's own page asks for a new tab too, also on a narrow screen", async () => {
    await connectSite(context, person.email);
    expectFramed(await frame.goto(APP_URL + JIRA_LIST));
    expect(frame.url()).toBe(APP_URL + JIRA_LIST);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(frame.getByText(NOTICE)).toBeVisible();
      const link = frame.getByRole("link", { name: "Open in a new tab" });
      await expect(link).toHaveAttribute("target", "_blank");
      await expect(link).toBeInViewport();
    }
  });
  await close();
});

test("[A-031] [A-032] a new person signs up inside Jira, without cookies of other sites", async () => {
  const { context, close } = await strictBrowser();
  const page = await context.newPage();
  const email = freshEmail();
  await test.step("no other page may show ours", async () => {
    const { url, server } = await servePage();
    await page.goto(url);
    // A frame has its address once the browser has refused to show the page.
    const framed = () =>
      page
        .frames()
        .slice(1)
        .map((frame) => frame.url());
    await expect.poll(framed).toEqual([REFUSED, REFUSED]);
    server.close();
  });
  await test.step("the form in the frame has no legal links, and no mail is needed", async () => {
    await page.goto(newJiraPage());
    const frame = await productFrame(page);
    await frame.getByRole("link", { name: "Sign up" }).click();
    await expect(frame.getByRole("heading", { name: "Create your account" })).toBeVisible();
    await expect(frame.getByRole("link", { name: /terms|privacy|SLA/i })).toHaveCount(0);
    await frame.getByLabel("First name").fill("Runa");
    await frame.getByLabel("Last name").fill("Holm");
    await frame.getByLabel("Email").fill(email);
    await frame.getByLabel("Jira").check();
    await frame.getByLabel("Password", { exact: true }).fill(PASSWORD);
    const sent = page.waitForRequest((request) => request.url().endsWith("/identity/sign-up"));
    await frame.getByRole("button", { name: "Get started" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ auto_confirm: true });
    await expect(frame.getByRole("status")).toContainText("Registration successful. Please login");
  });
  await test.step("signing in opens the app in the frame", async () => {
    const frame = await productFrame(page);
    await signInWithin(frame, email);
    await expect.poll(() => frame.url()).toContain("/app-connector?jiraInIframe=true");
    expectFramed(await frame.goto(frame.url()));
  });
  await test.step("every cookie of the frame is kept apart for pages inside Jira", async () => {
    const cookies = await context.cookies(APP_URL);
    expect(cookies.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["holdfast.session_token", "holdfast.frame"]),
    );
    for (const { name, sameSite, partitionKey } of cookies.filter(({ httpOnly }) => httpOnly))
      expect([name, sameSite, partitionKey]).toEqual([name, "None", "http://127.0.0.1"]);
  });
  await test.step("the frame offers to connect the site by the app, and says why the host does not let it", async () => {
    const frame = await productFrame(page);
    await frame.goto(`${APP_URL}/app-connector?platform=jira&step=authorize`);
    const act = frame.getByRole("button", { name: "Connect this site" });
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      await act.scrollIntoViewIfNeeded();
      await expect(act).toBeInViewport();
    }
    await page.setViewportSize({ width: 1280, height: 720 });
    // Jira knows no such site, so the host passes no tokens, as for an app whose update no administrator has accepted yet.
    await act.click();
    await expect(frame.getByText(/Jira sent no access of the app/)).toBeVisible();
  });
  await test.step("a reload of Jira's page opens the session again without a sign-in", async () => {
    await page.reload();
    await expect.poll(() => frameOf(page)?.url()).toContain("/app-connector?jiraInIframe=true");
  });
  await test.step("a new tab opens on our own site, where the frame's session is unknown", async () => {
    await connectSite(context, email);
    const frame = await productFrame(page);
    await frame.goto(APP_URL + JIRA_LIST);
    const opened = context.waitForEvent("page");
    await frame.getByRole("link", { name: "Open in a new tab" }).click();
    const tab = await opened;
    await expect(tab).toHaveURL(/\/auth\/login/);
    await tab.getByLabel("Email").fill(email);
    await tab.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await tab.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(tab).toHaveURL(/\/platform\/dashboard\/jira/);
    await expect(tab.getByRole("main")).toBeVisible();
    await expect(tab.getByText(NOTICE)).toHaveCount(0);
  });
  await close();
});

/** A site of its own with two projects, whose administrator is the person of this Atlassian account. */
async function makeSite(mark: string) {
  const login = `ida.${mark}@meridian.example`;
  const { accountId } = await atJira<{ accountId: string }>("people", {
    email: login,
    displayName: `Ida ${mark}`,
  });
  const slug = `harbour-${mark}`;
  const { cloudId } = await atJira<{ cloudId: string }>("sites", { slug, name: `Harbour ${mark}`, login });
  const projects = `sites/${slug}/projects`;
  for (const [key, name] of Object.entries({ DOCK: "Dock", QUAY: "Quay" }))
    await atJira(projects, { login, key, name: `${name} ${mark}`, template: "business" });
  for (const summary of ["Paint the crane", "Grease the chain"])
    await atJira(`${projects}/DOCK/issues`, { login, summary });
  await atJira(`sites/${slug}/issues/DOCK-1/attachments`, { login, fileName: "crane.txt", text: "red" });
  return { cloudId, accountId, slug };
}

test("a site is connected inside Jira, backed up and restored by the app's own access, in the frame alone", async ({
  person,
}, info) => {
  test.slow();
  const mark = randomUUID().slice(0, 6);
  const { cloudId, accountId, slug } = await makeSite(mark);
  const dock = `Dock ${mark}`;
  const { context, close } = await strictBrowser();
  const page = await context.newPage();
  await page.goto(`${JIRA_SITE_URL}/jira/apps/holdfast?site=${cloudId}&account=${accountId}&mode=dark`);
  const frame = await productFrame(page);
  const look = frame.locator("html");
  await test.step("the frame is as dark as Jira is, from the first page on", async () => {
    await frame.waitForURL("**/auth/login");
    await expect(look).toHaveAttribute("data-appearance", "dark");
    await page.screenshot({ path: info.outputPath("dark-sign-in.png") });
  });
  await test.step("an administrator connects the site without a consent page", async () => {
    await signInWithin(frame, person.email);
    await frame.waitForURL("**/app-connector?jiraInIframe=true");
    await frame.getByRole("button", { name: "Continue" }).click();
    await frame.getByRole("radio", { name: "Europe, Germany" }).check();
    await frame.getByRole("button", { name: "Save and continue" }).click();
    const opened = context.waitForEvent("page");
    await frame.getByRole("button", { name: "Authorize Jira" }).click();
    // A consent refuses to be framed, and belongs to the session of the main site.
    const tab = await opened;
    await expect(tab).toHaveURL(/\/auth\/login\?next=.*app-connector/);
    await tab.close();
    await frame.getByRole("button", { name: "Connect this site" }).click();
    await frame.waitForURL(/account=con_/);
    await expect(frame.getByText("Granted", { exact: true })).toHaveCount(1);
    await page.screenshot({ path: info.outputPath("connected-dark.png") });
  });
  await test.step("its look follows when the person changes Jira's, and the folded sidebar stays folded", async () => {
    await page.getByRole("button", { name: "Theme" }).click();
    await expect(look).toHaveAttribute("data-appearance", "light");
    await frame.getByRole("button", { name: "Collapse" }).click();
    await expect(frame.getByRole("button", { name: "Expand" })).toBeVisible();
    await frame.goto(APP_URL + JIRA_LIST);
    await expect(look).toHaveAttribute("data-appearance", "light");
    await expect(frame.getByRole("button", { name: "Expand" })).toBeVisible();
  });
  const settled = async () => {
    const query = { name: dock };
    const read = async () =>
      (await person.call<{ view: ItemView }[]>("GET", "jira/get-user-jira-projects", query))[0]?.view;
    const isSettled = async () => {
      const item = await read();
      return item !== undefined && item.activeRun === null && item.lastBackupAt !== null;
    };
    await expect.poll(isSettled, { timeout: JOB_MS, intervals: [250] }).toBe(true);
  };
  await test.step("a whole backup by the app: issues are kept, and a file names what it needs", async () => {
    await frame
      .getByRole("main")
      .getByRole("button", { name: /^(Choose others|Add projects)$/ })
      .first()
      .click();
    const adding = frame.getByRole("dialog", { name: "Add projects" });
    await adding.getByRole("checkbox", { name: new RegExp(dock) }).check();
    await adding.getByRole("button", { name: "Add 1 project" }).click();
    await settled();
    await frame.getByRole("link", { name: `View ${dock}` }).click();
    await frame.waitForURL("**/platform/backups/jira**");
    const opened = context.waitForEvent("page");
    // The simulated site has no such page, so the tab itself does not say what it was asked for.
    const asked = context.waitForEvent("request", (request) => request.url().endsWith("/browse/DOCK"));
    // A frame may not open a tab itself.
    await frame.getByRole("link", { name: "Visit Jira" }).filter({ visible: true }).click();
    const tab = await opened;
    await asked;
    await tab.close();
    await frame
      .getByRole("link", { name: /^Open the version of/ })
      .first()
      .click();
    await expect(frame.getByText("Paint the crane").first()).toBeVisible();
    await expect(frame.getByText("Grease the chain").first()).toBeVisible();
    await page.screenshot({ path: info.outputPath("version-light.png") });
  });
  await test.step("the issues come back in another project, written by the app", async () => {
    await frame.goto(APP_URL + JIRA_LIST);
    await frame.getByRole("button", { name: `Restore ${dock}`, exact: true }).click();
    const restoring = frame.getByRole("dialog", { name: `Restore ${dock}` });
    const target = restoring.getByRole("combobox", { name: "Restore into" });
    const quay = target.locator("option").filter({ hasText: `Quay ${mark}` });
    await target.selectOption((await quay.getAttribute("value")) ?? "");
    await page.screenshot({ path: info.outputPath("restore-light.png") });
    await restoring.getByRole("button", { name: /^Restore/ }).click();
    await expect(frame.getByText("Your restore is now in process")).toBeVisible();
    const summaries = async () => {
      const answer = await fetch(`${JIRA_URL}/__sim/jira/sites/${slug}/projects/QUAY/dump`);
      const { issues } = (await answer.json()) as { issues: { summary: string }[] };
      return issues.map(({ summary }) => summary).sort();
    };
    await expect.poll(summaries, { timeout: JOB_MS }).toEqual(["Grease the chain", "Paint the crane"]);
  });
  await close();
});

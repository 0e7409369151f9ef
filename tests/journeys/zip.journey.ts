import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { BrowserContext, Locator, Page } from "@playwright/test";
import { judgeZip } from "#tests/harness/judge-zip.ts";
import { expect, test } from "./fixtures.ts";
import { atGithub, mailsTo } from "./outside.ts";
import { atGithubNow, changeLedger, OWNER, protect } from "./repositories.ts";
import { JOB_MS } from "./stack.ts";
import { connect, historyUrl, waitForBackup } from "./steps.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test("[P-220] [P-411] a ready ZIP opens in a new tab, and its link counts down until another one is requested", async ({
  page,
  person,
  context,
}) => {
  const name = `harbour-log-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const item = await protect(person, name);
  const asked = requestsForZips(page);
  await page.goto(historyUrl(item));
  await downloadBy(context, page.getByRole("button", { name: /^Request ZIP/ }));
  const link = page.getByRole("link", { name: /^Download ZIP/ });
  await expect(link).toHaveText(/^ZIP, (24 h|23 h 59 m) left$/);
  expect(asked).toHaveLength(1);

  await test.step("[P-221] [P-222] the hours and minutes count down with the clock, and at the end the action requests a new link", async () => {
    await page.clock.install();
    // A day passes below. Without `timeoff`, inactivity would end the session.
    await page.goto(historyUrl(item, { timeoff: "1" }));
    await expect(link).toHaveText(/^ZIP, (24 h|23 h 5\d m) left$/);
    await page.clock.pauseAt(Date.now() + 10_000);
    await page.clock.runFor(MINUTE);
    const before = await minutesOf(link);
    await page.clock.runFor(MINUTE);
    await expect.poll(() => minutesOf(link)).toBe(before - 1);
    await page.clock.fastForward(24 * HOUR);
    await expect(page.getByText("ZIP expired")).toBeVisible();
    await expect(link).toHaveCount(0);
    await downloadBy(context, page.getByRole("button", { name: /^Request a new ZIP/ }));
    expect(asked).toHaveLength(2);
  });
});

test("[A-020] [P-219] a version is downloaded, opened with git, and requested again when its link has expired", async ({
  page,
  person,
  context,
}) => {
  const name = `harbour-book-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const item = await protect(person, name);
  const original = await atGithubNow(`${OWNER}/${name}`);
  const asked = requestsForZips(page);
  await page.goto(historyUrl(item));

  const first = await downloadBy(context, page.getByRole("button", { name: /^Request ZIP/ }));
  const opened = await judgeZip(first.bytes);
  expect(asked).toHaveLength(1);
  expect(opened.repository).toEqual(original);
  expect(opened.clonedHead).toBe(original.refs["refs/heads/main"]);
  expect(opened.names.python).toEqual(opened.names.unzip);

  const again = await downloadBy(context, page.getByRole("link", { name: /^Download ZIP/ }));
  expect(again.url).toBe(first.url);
  expect((await judgeZip(again.bytes)).repository).toEqual(original);
  expect(asked).toHaveLength(1);

  await test.step("the link itself has expired too, and a new request returns a new one", async () => {
    await changeLedger(`UPDATE export SET expires_at = ${Date.now() - 1} WHERE item_id = '${item.id}'`);
    const refused = await page.request.get(first.url);
    expect(refused.status()).toBe(410);
    expect(await refused.json()).toMatchObject({ status: "failure", code: "err.link.expired" });
  });

  await test.step("[P-185] a repository deleted at GitHub can still be downloaded", async () => {
    await atGithub(`repos/${OWNER}/${name}/delete`);
    await person.call("POST", "github/backup-now", { repoName: item.id });
    await waitForBackup(person, name, (each) => each.status === "deleted");
    const fresh = await context.newPage();
    await fresh.goto(historyUrl(item));
    await expect(fresh.getByText("Gone at GitHub", { exact: true })).toBeVisible();
    await expect(fresh.getByText("ZIP expired")).toBeVisible();
    const last = await downloadBy(context, fresh.getByRole("button", { name: /^Request a new ZIP/ }).first());
    expect(last.url).not.toBe(first.url);
    expect((await judgeZip(last.bytes)).repository).toEqual(original);
  });
});

test("[P-223] [P-412] [P-430] an unchecked version is prepared, e-mailed, and offered without a reload", async ({
  page,
  person,
}) => {
  const name = `tide-table-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const item = await protect(person, name);
  await changeLedger(`UPDATE snapshot SET verify_state = 'queued' WHERE item_id = '${item.id}'`);
  await page.goto(historyUrl(item));
  await page.getByRole("button", { name: /^Request ZIP/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(
    "The zip download can take a few minutes depending on the size. We will send you an email once it is ready and available to download.",
  );
  await page.getByRole("button", { name: "Close" }).last().click();
  await expect(dialog).toHaveCount(0);
  // The button is hidden while the ZIP is prepared. The keyboard focus stays in its place.
  await expect(page.locator(":focus")).toHaveClass(/zip-action/);
  expect((await mailsTo(person.email)).filter(({ html }) => html.includes("/download/"))).toEqual([]);

  await changeLedger(`UPDATE snapshot SET verify_state = 'verified' WHERE item_id = '${item.id}'`);
  await expect(page.getByRole("link", { name: /^Download ZIP/ })).toBeVisible({ timeout: JOB_MS });
  const mails = async () => (await mailsTo(person.email)).filter(({ text }) => text.includes("/download/"));
  await expect.poll(async () => (await mails()).length, { timeout: JOB_MS }).toBe(1);
  const [mail] = await mails();
  const url = /https?:\/\/\S+\/download\/[\w.-]+/.exec(mail?.text ?? "")?.[0] ?? "";
  const answer = await page.request.get(url);
  expect(answer.headers()["content-type"]).toBe("application/zip");
  const verdict = await judgeZip(await answer.body());
  expect(verdict.repository).toEqual(await atGithubNow(`${OWNER}/${name}`));
});

/** Every ZIP request of a page. */
function requestsForZips(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/github/github-get-zip")) asked.push(request.url());
  });
  return asked;
}

/** Clicks the button, and expects a new tab with a ZIP. Returns its address and bytes. */
async function downloadBy(context: BrowserContext, button: Locator): Promise<{ url: string; bytes: Buffer }> {
  const tabs = await watchTabs(context);
  const [download] = await Promise.all([context.waitForEvent("download"), button.click()]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  await expect.poll(() => tabs.opened()).toBe(1);
  await tabs.stop();
  return { url: download.url(), bytes: await readFile(await download.path()) };
}

/**
 * Counts the tabs that open from now on. Asks the browser over CDP, because Playwright does not report a tab that
 * becomes a download.
 */
async function watchTabs(context: BrowserContext) {
  const browser = await context.browser()?.newBrowserCDPSession();
  if (!browser) throw new Error("The journeys run in a browser of their own.");
  const seen = new Set<string>();
  browser.on("Target.targetCreated", ({ targetInfo }) => {
    if (targetInfo.type === "page") seen.add(targetInfo.targetId);
  });
  await browser.send("Target.setDiscoverTargets", { discover: true });
  const before = seen.size;
  return { opened: () => seen.size - before, stop: () => browser.detach() };
}

/** The remaining time in a link's text, in minutes. */
async function minutesOf(link: Locator): Promise<number> {
  const text = (await link.textContent()) ?? "";
  const hours = Number(/(\d+) h/.exec(text)?.[1] ?? 0);
  return hours * 60 + Number(/(\d+) m/.exec(text)?.[1] ?? 0);
}

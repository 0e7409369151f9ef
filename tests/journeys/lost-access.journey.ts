import { randomUUID } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { ask, mailTo, STRONG } from "./identity-steps.ts";
import { createRepository } from "./outside.ts";
import { freshEmail, type JourneyPerson, PASSWORD } from "./person.ts";
import { OWNER } from "./repositories.ts";
import { APP_URL } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST } from "./steps.ts";

/** Longest wait until a page redirects. A failing socket reconnects at most every 15 s. */
const SECONDS = { timeout: 25_000 };

test("a member who loses a right or is removed no longer sees the organisation's data, without touching the open page", async ({
  page,
  person,
  browser,
}) => {
  test.setTimeout(240_000);
  const name = `ledger-${randomUUID().slice(0, 4)}`;
  await createRepository(`${OWNER}/${name}`);
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  await person.call("PUT", "user/account-type", { account_type: "Organization" });
  await person.call("POST", "user/organization/name", { organization_name: "Meridian Freight" });
  const reader = ["organization_github_user"];

  await test.step("revoking a right removes the list", async () => {
    const colleague = await join(browser, person, reader);
    await look(colleague.page, name);
    await setRoles(person, colleague.email, []);
    await expectAway(colleague.page, name);
    await colleague.page.context().close();
  });

  await test.step("a removed person is sent to the sign-in page, which says why", async () => {
    const colleague = await join(browser, person, reader);
    await look(colleague.page, name);
    await remove(person, colleague.email);
    await expectLeft(colleague.page, name);
    await expect(colleague.page.getByRole("dialog", { name: "You are signed out" })).toBeVisible();
    await colleague.page.context().close();
  });

  await test.step("the same without a live connection", async () => {
    const colleague = await join(browser, person, reader);
    await colleague.page.routeWebSocket(/\/ws/, (socket) => void socket.close({ code: 1011 }));
    await look(colleague.page, name, { isLive: false });
    await setRoles(person, colleague.email, []);
    await expectAway(colleague.page, name);
    await remove(person, colleague.email);
    await expectLeft(colleague.page, name);
    await colleague.page.context().close();
  });
});

test("signing out all other devices, or changing the password, keeps one's own page open", async ({
  page,
  person,
  browser,
  expectComplaint,
}) => {
  // The socket closes with the old session. The page may reconnect and ask before the answer with the new one is here.
  expectComplaint(/status of 401|WebSocket.* 401/);
  const elsewhere = await (await browser.newContext({ baseURL: APP_URL })).newPage();
  await ask(elsewhere, "POST", "/identity/sign-in", { email: person.email, password: PASSWORD });
  await elsewhere.goto("/settings/details");
  await page.goto("/settings/security");
  const opened = page.waitForEvent("websocket", SECONDS);
  await page.reload();
  await opened;
  // The page checks its session when its socket closes, and again after a refused reconnect.
  const kept = page.waitForResponse(
    (answer) => answer.url().endsWith("/api/user/get-user-start-info") && answer.ok(),
    SECONDS,
  );
  const body = { oldPassword: PASSWORD, newPassword: STRONG };
  const changed = await page.evaluate(async (order) => {
    const answer = await fetch("/api/user/change-user-password", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(order),
    });
    return answer.status;
  }, body);
  expect(changed).toBe(200);
  await elsewhere.waitForURL(/\/auth\/login/, SECONDS);
  await kept;
  await expect(page).toHaveURL(/\/settings\/security/);
  await expect(page.getByRole("button", { name: "Change password" })).toBeVisible();
  await elsewhere.context().close();
});

/** A person who accepted an invitation and is signed in in a separate browser. */
async function join(
  browser: Browser,
  owner: JourneyPerson,
  roles: string[],
): Promise<{ page: Page; email: string }> {
  const email = freshEmail();
  await owner.call("POST", "user/organization-user", { email, roles });
  const link = /https?:\/\/\S*\/invite\?\S+/.exec(await mailTo(email, /./))?.[0] ?? "";
  const page = await (await browser.newContext({ baseURL: APP_URL })).newPage();
  await ask(page, "POST", "/identity/complete-invitation", {
    email,
    confirmation_code: new URL(link).searchParams.get("code"),
    new_password: STRONG,
    firstName: "Per",
    lastName: "Holm",
  });
  await ask(page, "POST", "/identity/sign-in", { email, password: STRONG });
  return { page, email };
}

/** Opens the list and waits until it is shown and its live connection, if any, is open. */
async function look(page: Page, name: string, { isLive = true } = {}): Promise<void> {
  const socket = isLive ? page.waitForEvent("websocket") : null;
  await page.goto(GITHUB_LIST);
  await expect(page.getByRole("main").getByRole("link", { name, exact: true })).toBeVisible();
  await (await socket)?.waitForEvent("framereceived");
}

/** The page leaves the platform; the person is still signed in. */
async function expectAway(page: Page, name: string): Promise<void> {
  await page.waitForURL((url) => url.pathname !== GITHUB_LIST, SECONDS);
  await expect(page.getByText(name)).toHaveCount(0);
  expect(new URL(page.url()).pathname).not.toBe("/auth/login");
}

async function expectLeft(page: Page, name: string): Promise<void> {
  await page.waitForURL(/\/auth\/login/, SECONDS);
  await expect(page.getByText(name)).toHaveCount(0);
}

async function subOf(owner: JourneyPerson, email: string): Promise<string> {
  type Users = { organization_users: { email: string; sub: string }[] };
  const { organization_users } = await owner.call<Users>("GET", "user/organization-users");
  return organization_users.find((each) => each.email === email)?.sub ?? "";
}

async function setRoles(owner: JourneyPerson, email: string, roles: string[]): Promise<void> {
  await owner.call("PUT", "user/organization-user", { targetUserSub: await subOf(owner, email), roles });
}

async function remove(owner: JourneyPerson, email: string): Promise<void> {
  await owner.call("DELETE", "user/organization-user", { targetUserSub: await subOf(owner, email) });
}

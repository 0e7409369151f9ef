import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { type BrowserContext, type Page, request as requests } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { createPerson, type JourneyPerson, PASSWORD } from "./person.ts";
import { OWNER, protect } from "./repositories.ts";
import { APP_URL } from "./stack.ts";
import {
  addRepositories,
  connect,
  GITHUB_LIST,
  historyUrl,
  itemsOf,
  messageOf,
  waitForBackup,
} from "./steps.ts";

test("a signed-out person is sent to sign in from every page, and back afterwards", async ({
  page,
  person,
}) => {
  const name = `gate-${randomUUID().slice(0, 4)}`;
  await createRepository(`${OWNER}/${name}`);
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);
  await page.goto(GITHUB_LIST);
  for (const path of ["/", "/app-connector?platform=github", GITHUB_LIST, historyUrl(item)]) {
    // Leaves the page first: without cookies, its live connection would be refused.
    await page.goto("about:blank");
    await page.context().clearCookies();
    await page.goto(path);
    const asked = new URL(page.url());
    expect(asked.pathname).toBe("/auth/login");
    expect(asked.searchParams.get("next")).toBe(path === "/" ? null : path);
    await expect(page.getByText(name)).toHaveCount(0);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    // A visitor of `/` returns to the last page they saw.
    await page.waitForURL(`${APP_URL}${path === "/" ? GITHUB_LIST : path}`);
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  }
});

test("without a session the API returns 423 in its envelope, whatever token is sent", async ({
  page,
  person,
}) => {
  expect(await person.call("GET", "github/get-github-users")).toEqual([]);
  const calls = [
    ["GET", "github/get-user-github-items"],
    ["GET", "github/get-github-users"],
    ["POST", "github/backup-now"],
    ["POST", "github/restore-repos"],
    ["POST", "github/github-get-zip"],
    ["POST", "user/get-items-backups"],
  ] as const;
  const forged = await forgedCookie(page);
  const left = await cookiesOf(page);
  await person.call("POST", "identity/sign-out");
  const shown: Record<string, string>[] = [
    {},
    { Cookie: forged },
    { Cookie: left },
    { Authorization: "Bearer forged" },
  ];
  for (const headers of shown) {
    const nobody = await requests.newContext({ baseURL: APP_URL, extraHTTPHeaders: headers });
    for (const [method, path] of calls) {
      const answer = await nobody.fetch(`/api/${path}`, {
        method,
        headers: { Origin: APP_URL },
        ...(method === "POST" ? { data: {} } : {}),
      });
      expect(answer.status(), path).toBe(423);
      expect(await answer.json(), path).toEqual({
        status: "failure",
        message: "Please sign in to continue.",
        result: null,
        code: "err.session.missing",
      });
    }
    await nobody.dispose();
  }
});

test("another account's item is treated as missing", async ({ page, person, browser, expectComplaint }) => {
  expectComplaint(/status of 404/);
  await connect(page);
  const owner = await newcomer(await browser.newContext());
  const item = await protect(owner.person, `ledger-${randomUUID().slice(0, 4)}`);
  const snapshotId = (
    await owner.person.call<{ versionid: string }[]>("POST", "user/get-items-backups", {
      itemId: item.id,
      page: 0,
      perPage: 20,
    })
  )[0]?.versionid;
  const missing = { ...item, id: `${item.id.slice(0, -4)}zzzz` };

  const seen: object[] = [];
  for (const { id } of [item, missing]) {
    const answer = await page.goto(historyUrl({ id, name: "anything" }));
    const toast = page.locator("[data-sonner-toast]");
    await expect(toast).toHaveText("We could not find what you asked for.");
    await page.waitForURL(`**${GITHUB_LIST}`);
    const calls = [];
    for (const [path, input] of [
      ["user/get-items-backups", { itemId: id, page: 0, perPage: 20 }],
      ["user/get-actions", { platform: "github", id, page: 0, perPage: 20 }],
      ["github/backup-now", { repoName: id }],
      ["github/github-get-zip", { repoId: id, versionId: snapshotId }],
      [
        "github/restore-repos",
        { items: [{ id, versionid: snapshotId, name: "stolen", place: null }], placeId: null, emails: "" },
      ],
    ] as const) {
      const refused = await page.request.post(`/api/${path}`, { headers: { Origin: APP_URL }, data: input });
      calls.push({ path, status: refused.status(), body: await refused.json() });
    }
    seen.push({ status: answer?.status(), calls });
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]).toMatchObject({ status: 404 });
  const own = await owner.person.call<object[]>("POST", "user/get-items-backups", {
    itemId: item.id,
    page: 0,
    perPage: 20,
  });
  expect(own).toHaveLength(1);
  expect(await itemsOf(person)).toEqual([]);
  await owner.page.context().close();
});

test("[P-413] a live connection needs the session's own sub and receives only its own account's events", async ({
  page,
  person,
  browser,
}) => {
  const other = await newcomer(await browser.newContext());
  const heard = listen(page);
  const heardByOther = listen(other.page);
  await connect(page);
  await page.goto(GITHUB_LIST);
  await other.page.goto(GITHUB_LIST);
  const sub = await subOf(heard);
  const otherSub = await subOf(heardByOther);
  expect(sub).not.toBe(otherSub);
  expect(new URL(heard.urls[0] ?? "").pathname).toBe("/ws");

  const cookie = await cookiesOf(page);
  expect(await askForSocket({ sub, cookie })).toBe(101);
  expect(await askForSocket({ sub: otherSub, cookie })).toBe(403);
  for (const each of [sub, otherSub]) expect(await askForSocket({ sub: each })).toBe(423);
  expect(await askForSocket({ sub, cookie: await forgedCookie(page) })).toBe(423);
  expect(await askForSocket({ sub, cookie, origin: "https://elsewhere.example" })).toBe(403);

  const mine = await protect(person, `mine-${randomUUID().slice(0, 4)}`);
  await expect.poll(() => endsOf(heard, mine.id)).toContain("success");
  const theirs = await protect(other.person, `theirs-${randomUUID().slice(0, 4)}`);
  await expect.poll(() => endsOf(heardByOther, theirs.id)).toContain("success");
  expect(heardByOther.frames.join()).not.toContain(mine.id);
  expect(heard.frames.join()).not.toContain(theirs.id);
  await other.page.context().close();
});

/** Another person with their own page and connected GitHub. */
async function newcomer(context: BrowserContext): Promise<{ page: Page; person: JourneyPerson }> {
  const page = await context.newPage();
  const person = await createPerson(page);
  await connect(page);
  return { page, person };
}

async function cookiesOf(page: Page): Promise<string> {
  return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** The page's cookies with another first letter in the session cookie, so that its signature is invalid. */
async function forgedCookie(page: Page): Promise<string> {
  const cookies = await cookiesOf(page);
  const forged = cookies.replace(
    /(session_token=)(.)/,
    (_, name, letter) => name + (letter === "A" ? "B" : "A"),
  );
  expect(forged).not.toBe(cookies);
  return forged;
}

type Heard = { urls: string[]; frames: string[] };

/** Records every live connection of a page and its messages. */
function listen(page: Page): Heard {
  const heard: Heard = { urls: [], frames: [] };
  page.on("websocket", (socket) => {
    heard.urls.push(socket.url());
    socket.on("framereceived", ({ payload }) => void heard.frames.push(payload.toString()));
  });
  return heard;
}

async function subOf(heard: Heard): Promise<string> {
  await expect.poll(() => heard.urls.length).toBeGreaterThan(0);
  const sub = new URL(heard.urls.at(-1) ?? "").searchParams.get("sub");
  if (!sub) throw new Error("The live connection names nobody.");
  return sub;
}

/** How the runs of an item ended, according to the page's live events. */
function endsOf(heard: Heard, itemId: string): string[] {
  return heard.frames.flatMap((frame) => {
    const event = messageOf(frame)?.event;
    return event?.method === "item-status" && event.id === itemId ? [event.status] : [];
  });
}

/** Requests a live connection without the browser. Returns the status. */
function askForSocket(order: { sub: string; cookie?: string; origin?: string }): Promise<number> {
  const { sub, cookie, origin = APP_URL } = order;
  return new Promise((resolve, reject) => {
    const asked = httpRequest(`${APP_URL}/ws?sub=${encodeURIComponent(sub)}`, {
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": Buffer.from(randomUUID().slice(0, 16)).toString("base64"),
        Origin: origin,
        ...(cookie ? { Cookie: cookie } : {}),
      },
    });
    asked.on("upgrade", (answer, socket) => {
      socket.destroy();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject);
    asked.end();
  });
}

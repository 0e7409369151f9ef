import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { createRepository, mailsTo } from "./outside.ts";
import { confirmAddress, createPerson, freshEmail, PASSWORD, personOf } from "./person.ts";
import { OWNER, protect } from "./repositories.ts";
import { APP_URL, ageSessions, startPlan } from "./stack.ts";
import {
  addRepositories,
  connect,
  GITHUB_LIST,
  historyUrl,
  itemsOf,
  rowOf,
  voiceOf,
  waitForBackup,
} from "./steps.ts";

test.describe.configure({ mode: "parallel" });

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TRIAL = { plan: "trial", quantity: 10 } as const;
/** The first call of the dialog that adds a place. */
const PLACES_PATH = "/api/github/get-available-github-places";
const PLACES_CALL = `**${PLACES_PATH}*`;
const FAILURES_SCRIPT = "**/assets/failures-*.js";

test("[A-069] [A-071] [A-074] [A-076] before anything was started there is no rail, and every link leads to the connector", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  await page.goto("/");
  await expect(page).toHaveURL(/\/app-connector$/);
  await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
  await connect(page);
  for (const path of ["/auth/login", "/auth/sign-up", "/auth/password-recovery"]) {
    await page.goto(path);
    await expect(page, path).toHaveURL(`${APP_URL}/`);
  }
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  // Leaves the page first: without cookies, its live connection would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  for (const path of ["/", "/settings", "/subscriptions", "/audit"]) {
    await page.goto(path);
    expect(new URL(page.url()).pathname, path).toBe("/auth/login");
  }
});

test("the rail links to its pages and to started platforms", async ({ page, person }) => {
  expect(person.email).toContain("@");
  await connect(page);
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto("/contact");
  const rail = page.getByRole("navigation", { name: "Main" });
  await test.step("[A-083] [A-084] [A-085] [A-086] [A-087] [A-088] [A-092] every link leads to its page, and only a started platform is listed", async () => {
    const links = await rail.getByRole("link").allInnerTexts();
    expect(links.map((text) => text.trim())).toEqual([
      "Dashboard",
      "App connector",
      "Subscriptions",
      "Audit trail",
      "Profile",
      "Support",
      "GitHub",
    ]);
    // The heading of a page whose data arrive late is replaced, and keeps the focus.
    await page.route("**/api/payments/**", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    for (const [label, path] of [
      ["App connector", "/app-connector"],
      ["Subscriptions", "/subscriptions"],
      ["Audit trail", "/audit"],
      ["Profile", "/profile"],
      ["Dashboard", "/"],
    ] as const) {
      await rail.getByRole("link", { name: label, exact: true }).click();
      await expect(page, label).toHaveURL(APP_URL + path);
      if (path === "/subscriptions")
        await expect(page.getByRole("link", { name: "Payment history" })).toBeVisible();
      await expect(page.getByRole("main").getByRole("heading", { level: 1 }), label).toBeFocused();
    }
  });

  await test.step("[A-077] [A-078] on a wide screen it is 258 pixels wide, and 58 when collapsed", async () => {
    const width = async () => (await rail.boundingBox())?.width;
    expect(await width()).toBe(258);
    await page.getByRole("button", { name: "Collapse" }).click();
    await expect.poll(width).toBe(58);
    await page.reload();
    expect(await width()).toBe(58);
    await page.setViewportSize({ width: 901, height: 800 });
    expect(await width()).toBe(58);
  });

  await test.step("[A-079] [A-080] at 900 pixels and below it is a drawer of 240", async () => {
    await page.setViewportSize({ width: 901, height: 800 });
    await expect(rail).toBeVisible();
    await expect(page.getByRole("button", { name: "Menu", exact: true })).toBeHidden();
    await page.setViewportSize({ width: 900, height: 800 });
    await expect(rail).toBeHidden();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    const drawer = page.getByRole("dialog", { name: "Menu" });
    await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(240);
    await drawer.getByRole("link", { name: "Subscriptions" }).click();
    await expect(page).toHaveURL(/\/subscriptions$/);
    await expect(drawer).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  });
});

test("[A-057] [A-058] [A-063] [A-097] every page of the shell exists and shows the top bar", async ({
  page,
  person,
}) => {
  const name = `frame-${Date.now().toString(36)}`;
  await createRepository(`${OWNER}/${name}`);
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  const [item] = await itemsOf(person);
  // A bulk restore without a selection redirects to the dashboard.
  await page.goto("/");
  await page.evaluate(
    (chosen) => {
      localStorage.setItem("bulkPlatform", "github");
      localStorage.setItem("selectedItem", JSON.stringify([chosen]));
    },
    {
      id: item?.id,
      idName: name,
      name,
      ver: "",
      verDate: null,
      isGist: false,
      projectTypeKey: null,
      matchedColumns: [],
    },
  );
  for (const path of [
    "/",
    "/settings",
    "/contact",
    "/subscriptions",
    "/checkout",
    "/payment-history",
    "/payment",
    "/audit",
    "/bulk-restore",
    "/app-connector",
    GITHUB_LIST,
    historyUrl(item ?? { id: "", name }),
  ]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(200);
    await expect(
      page.getByRole("banner").getByRole("link", { name: "Holdfast, dashboard" }),
      path,
    ).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    expect(page.url()).toContain(APP_URL + path);
  }
});

test("[A-061] [A-062] an unknown URL returns 404 and links back", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/no-such-page: .*status of 404/);
  expect(person.email).toContain("@");
  await page.goto("/contact");
  const answer = await page.goto("/no-such-page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This page does not exist");
  await page.getByRole("button", { name: "Go Back" }).click();
  await expect(page).toHaveURL(/\/contact$/);
});

test("[A-098] [A-099] [A-101] [A-103] the avatar links to the profile, its menu to contact, support and settings", async ({
  page,
  person,
}) => {
  await startPlan(person, { ...TRIAL, endsAt: Date.now() + 5 * DAY });
  await page.goto("/subscriptions");
  await page.getByRole("link", { name: /profile of/ }).click();
  await expect(page).toHaveURL(/\/profile/);
  const item = async (name: string) => {
    await page.getByRole("button", { name: /account menu/ }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await item("Contact us");
  await expect(page).toHaveURL(/\/contact$/);
  await item("Settings");
  await expect(page).toHaveURL(/\/settings/);
  await page.getByRole("button", { name: /account menu/ }).click();
  const items = await page.getByRole("menuitem").allInnerTexts();
  expect(items).toEqual(["Contact us", "Support", "Settings", "Sign out"]);
});

test("signing out ends the session here and on the server, and stores the page from the second time on", async ({
  page,
  person,
}) => {
  await startPlan(person, { ...TRIAL, endsAt: Date.now() + 5 * DAY });
  await page.goto("/contact");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") asked.push(`${new URL(request.url()).pathname} ${request.postData()}`);
  });
  await page.evaluate(() => localStorage.setItem("bulk", "rows"));
  const old = await page.context().cookies();
  await test.step("[A-102] [A-236] [A-237] [A-239] the server ends the session, and the browser clears everything except that it expired", async () => {
    await signOut(page);
    expect(asked).toEqual(['/api/user/user-action {"action":"logout"}', "/identity/sign-out {}"]);
    expect(await stored(page, "session")).toBeNull();
    expect(await stored(page, "bulk")).toBeNull();
    expect(await stored(page, "last-page")).toBeNull();
    expect(await stored(page, "session-expired")).not.toBeNull();
    await page.context().addCookies(old);
    await page.goto("/subscriptions");
    await expect(page).toHaveURL(/\/auth\/login/);
  });

  await test.step("[A-238] [A-240] the audit trail has it, and from the second time on signing in opens the last page", async () => {
    await person.call("POST", "identity/sign-in", { email: person.email, password: PASSWORD });
    await page.goto("/audit");
    await expect(page.getByRole("cell", { name: "Signed out" }).first()).toBeVisible();
    await signOut(page);
    expect(JSON.parse((await stored(page, "last-page")) ?? "{}")).toMatchObject({ path: "/audit" });
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(/\/audit$/);
  });
});

test("[A-241] [A-242] nothing that one person saw is shown to the next one in the same tab", async ({
  page,
  person,
  browser,
  expectComplaint,
}) => {
  expectComplaint(/status of 404/);
  const theirs = await browser.newContext({ baseURL: APP_URL });
  const otherPage = await theirs.newPage();
  const other = await createPerson(otherPage);
  await connect(otherPage, { login: "ivo-petrov" });
  await theirs.close();
  await connect(page);
  const name = `mine-${Date.now().toString(36)}`;
  const item = await protect(person, name);
  await page.goto(historyUrl(item));
  await page.getByRole("link", { name: "All repositories" }).first().click();
  await expect(rowOf(page, name)).toBeVisible();
  await signOut(page);

  await page.addInitScript((old) => {
    const look = () => {
      if (document.documentElement?.textContent?.includes(old)) sessionStorage.setItem("seen", old);
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  }, name);
  await page.reload();
  await page.getByLabel("Email").fill(other.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "GitHub" }).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`${GITHUB_LIST}$`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("GitHub");
  await page.goto(historyUrl({ id: item.id, name: "anything" }));
  await page.waitForURL(`**${GITHUB_LIST}`);
  await expect(page.getByRole("button", { name: "Choose others" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("checkbox").first()).toBeVisible();
  expect(await stored(page, "seen")).toBeNull();
  await expect(page.getByText(name)).toHaveCount(0);
});

test("[A-286] [A-287] [A-288] click, key, scroll and load store an end ten minutes ahead, and the page, except at the checkout", async ({
  page,
  person,
}) => {
  await startPlan(person, { ...TRIAL, endsAt: Date.now() + 5 * DAY });
  await page.clock.install({ time: Date.now() });
  await page.setViewportSize({ width: 800, height: 300 });
  await page.goto("/contact");
  await page.clock.pauseAt(Date.now() + MINUTE);
  const end = async () => {
    const marker = JSON.parse((await stored(page, "session")) ?? "{}") as { expiresAt?: number };
    return (marker.expiresAt ?? 0) - (await page.evaluate(() => Date.now()));
  };
  const acts: Record<string, () => Promise<unknown>> = {
    click: () => page.getByRole("heading", { level: 1 }).click(),
    key: () => page.keyboard.press("Shift"),
    load: () => page.reload(),
    scroll: async () => {
      await page.mouse.wheel(0, 200);
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
      // The last event of a burst is saved when the burst ends.
      await page.clock.runFor(250);
    },
  };
  for (const [name, act] of Object.entries(acts)) {
    await page.clock.runFor(5_000);
    expect(await end(), name).toBeLessThan(600_000);
    await act();
    await expect.poll(end, name).toBe(600_000);
  }
  expect(JSON.parse((await stored(page, "last-page")) ?? "{}")).toMatchObject({ path: "/contact" });
  await page.goto("/checkout");
  await expect.poll(() => stored(page, "last-page")).toBeNull();
});

test("[A-289] [A-290] [A-462] after 600000 ms without activity the session and open dialogs end; the last minute asks", async ({
  page,
  person,
}) => {
  await connect(page);
  await page.clock.install({ time: Date.now() });
  await page.goto(GITHUB_LIST);
  await page.getByRole("button", { name: "Add place" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  const marker = JSON.parse((await stored(page, "session")) ?? "{}") as { expiresAt: number };
  await page.clock.pauseAt(marker.expiresAt - 61_000);
  const warning = page.getByRole("dialog", { name: "Still there?" });
  await expect(warning).toHaveCount(0);
  await page.clock.runFor(1_500);
  await warning.getByRole("button", { name: "Stay signed in" }).click();
  await expect(warning).toHaveCount(0);
  await page.clock.runFor(599_000);
  await expect(warning).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${GITHUB_LIST}$`));
  await page.clock.runFor(1_500);
  await page.waitForURL("**/auth/login?next=*");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(person.call("GET", "github/get-github-users")).rejects.toThrow("err.session.missing");
});

test("[A-291] with timeoff in the URL nobody is signed out for inactivity, here or on the server", async ({
  page,
  person,
}) => {
  await startPlan(person, { ...TRIAL, endsAt: Date.now() + 5 * DAY });
  // A healthy live connection. A failing one would check the session and thereby keep it alive.
  await page.routeWebSocket(/\/ws\?/, (socket) => socket.onMessage(() => socket.send("pong")));
  await page.clock.install({ time: Date.now() });
  await page.goto("/contact?timeoff=1");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const minutes of [6, 6]) {
    // The server's clock cannot be moved, so the session is aged instead.
    await ageSessions(person, minutes * MINUTE);
    const asked = page.waitForResponse("**/api/user/get-user-start-info");
    for (let ms = 0; ms < minutes * MINUTE; ms += 5_000) await page.clock.runFor(5_000);
    expect((await asked).status()).toBe(200);
  }
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/contact\?timeoff=1$/);
  await expect(person.call("GET", "github/get-github-users")).resolves.toEqual([]);
});

test("[A-292] signing out in one tab, or removing its marker, signs the other tab out", async ({
  page,
  person,
  expectComplaint,
}) => {
  // The live connection may retry once before the tab leaves.
  expectComplaint(/WebSocket.* 423/);
  await startPlan(person, { ...TRIAL, endsAt: Date.now() + 5 * DAY });
  await page.goto("/contact");
  const other = await page.context().newPage();
  await other.goto("/subscriptions");
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  await signOut(page);
  await expect(other).toHaveURL(/\/auth\/login/);

  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("checkbox", { name: /remember/i }).check();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem("last-page"));
  await other.goto("/subscriptions");
  // The tab listens to others from the moment in which it stores its page.
  const lastPage = () => other.evaluate(() => localStorage.getItem("last-page"));
  await expect.poll(lastPage).toContain("/subscriptions");
  await page.evaluate(() => localStorage.removeItem("session"));
  await expect(other).toHaveURL(/\/auth\/login/);
});

test("[A-420] [A-421] [A-422] a call answered with 401 or 423 leads to the sign-in page, 401 with its popup", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 4(01|23)/);
  await connect(page);
  for (const status of [423, 401]) {
    await page.goto(GITHUB_LIST);
    const answer = { status, json: { status: "failure", message: "No" } };
    await page.route(PLACES_CALL, (route) => route.fulfill(answer));
    await page.getByRole("button", { name: "Add place" }).click();
    await expect(page).toHaveURL(/\/auth\/login/);
    expect(await stored(page, "session")).toBeNull();
    const popup = page.getByRole("dialog", { name: "Unauthorized Access" });
    if (status === 401) await expect(popup).toContainText("Authorization Required");
    else await expect(popup).toHaveCount(0);
    await page.unroute(PLACES_CALL);
    await person.call("POST", "identity/sign-in", { email: person.email, password: PASSWORD });
  }
});

/** Opens the dialog that adds a place, which calls `PLACES_CALL`, or what is shown in its place. */
async function addPlace(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add place" }).click();
  await expect(page.getByRole("dialog").first()).toBeVisible();
}

test("[A-423] [A-426] an expired session shows a notice, and an aborted call shows nothing", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 403/);
  void person;
  await connect(page);
  await page.goto(GITHUB_LIST);
  const called = page.waitForRequest(PLACES_CALL);
  const aborted = page.waitForEvent("requestfailed", (request) => request.url().includes(PLACES_PATH));
  // It gets no answer, so only leaving it ends it.
  await page.route(PLACES_CALL, () => undefined);
  await addPlace(page);
  await expect(page.getByRole("dialog", { name: "Add place" })).toBeVisible();
  await called;
  await page.keyboard.press("Escape");
  expect((await aborted).failure()?.errorText).toBe("net::ERR_ABORTED");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.unroute(PLACES_CALL);
  await page.evaluate(() => localStorage.setItem("session-expired", "1"));
  const forbidden = { status: 403, json: { status: "failure", message: "No" } };
  await page.route(PLACES_CALL, (route) => route.fulfill(forbidden));
  await addPlace(page);
  await expect(page.getByText("Authorization Required")).toBeVisible();
});

test("[A-424] [A-425] server errors and a lost connection show the server's popup", async ({
  page,
  person,
  context,
  expectComplaint,
}) => {
  expectComplaint(/status of (500|503)|ERR_INTERNET_DISCONNECTED|WebSocket/);
  void person;
  await connect(page);
  await page.goto(GITHUB_LIST);
  const popup = page.getByRole("dialog", { name: "Internal server error" });
  const text = "Server response with error, please try again later";
  // The script that shows the popup may load later than a quick click's call fails.
  const failed = page.waitForResponse(PLACES_CALL);
  await page.route(FAILURES_SCRIPT, async (route) => {
    await failed;
    await route.continue();
  });
  for (const status of [500, 503]) {
    await page.route(PLACES_CALL, (route) => route.fulfill({ status, json: { status: "failure" } }));
    await page.goto(GITHUB_LIST);
    await addPlace(page);
    await expect(popup).toContainText(text);
    await page.unroute(PLACES_CALL);
  }
  await page.unroute(FAILURES_SCRIPT);
  await page.goto(GITHUB_LIST);
  // Loads the dialog and the popup, so that offline only the call fails.
  const loaded = page.waitForResponse(PLACES_CALL);
  await addPlace(page);
  await (await loaded).finished();
  await expect(page.getByRole("dialog", { name: "Add place" })).toBeVisible();
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/failures-")),
  );
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await context.setOffline(true);
  // A read on its way fails too, and its popup may cover the button already.
  await page.locator("button", { hasText: "Add place" }).dispatchEvent("click");
  await expect(popup).toContainText(text);
});

test("a missing script is reported, and the sign-in works without it", async ({
  page,
  person,
  browser,
  expectComplaint,
}) => {
  expectComplaint(/status of 404/);
  const gone = { status: 404, body: "" };
  const name = `scripts-${randomUUID().slice(0, 6)}`;
  await connect(page);
  await createRepository(`nora-lindqvist/${name}`);
  await addRepositories(person, "nora-lindqvist", [name]);
  await waitForBackup(person, name);
  await page.goto(GITHUB_LIST);
  await page.route("**/assets/calls-*.js", (route) => route.fulfill(gone), { times: 1 });
  const daily = page.getByRole("row").getByRole("switch");
  await daily.click();
  const popup = page.getByRole("dialog", { name: "Part of this page is missing" });
  await popup.getByRole("button", { name: "Close" }).last().click();
  await expect(daily).toBeChecked();
  await daily.click();
  await expect(page.getByText(`Daily backup is off for ${name}`)).toBeVisible();

  const context = await browser.newContext({ baseURL: APP_URL });
  const other = await context.newPage();
  await other.route("**/assets/sign-in-flow-*.js", (route) => route.fulfill(gone));
  await other.goto("/auth/login");
  await other.getByRole("button", { name: "Single sign-on" }).click();
  await other.getByLabel("Company domain").fill("meridian.example");
  await other.getByLabel("Company domain").press("Enter");
  await expect(other.getByText("Part of the page could not be loaded")).toBeVisible();
  await other.getByLabel("Email").fill(person.email);
  await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(other).toHaveURL(`${APP_URL}/`);
  await context.close();
});

test("a page is read again after a live event, also when an earlier reading took no time", async ({
  page,
  person,
}) => {
  void person;
  await connect(page);
  const says = await voiceOf(page);
  // The answers that were read, and whether the next one is the last of them again, at once.
  await page.addInitScript(() => {
    const ask = window.fetch;
    const reads = Object.assign(window, { reads: 0, isRepeating: false });
    let kept: Response | null = null;
    window.fetch = async (wanted, init) => {
      if (!String(wanted instanceof Request ? wanted.url : wanted).includes(".data"))
        return ask(wanted, init);
      const answer = reads.isRepeating && kept ? kept : await ask(wanted, init);
      kept = answer.clone();
      reads.reads += 1;
      return answer;
    };
  });
  await page.goto("/settings");
  const reads = () => page.evaluate(() => (window as unknown as { reads: number }).reads);
  const changed = { method: "connection-changed", platform: "github", connectionId: "con_none" } as const;
  const expectRead = async () => {
    const before = await reads();
    await expect(async () => {
      says(changed);
      await expect.poll(reads, { timeout: 2_000 }).toBeGreaterThan(before);
    }).toPass({ timeout: 20_000 });
  };
  await expectRead();
  await page.evaluate(() => Object.assign(window, { isRepeating: true }));
  await expectRead();
  await page.evaluate(() => Object.assign(window, { isRepeating: false }));
  await expectRead();
});

test("a page that lost its connection says so and reloads by itself", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/ERR_FAILED|Failed to fetch/);
  expect(person.email).toContain("@");
  await page.goto("/settings");
  await page.route(/\.data(\?|$)/, (route) => route.abort());
  await page
    .getByRole("banner")
    .getByRole("link", { name: /Holdfast/ })
    .click();
  await expect(page.getByRole("alert")).toContainText("No connection");
  await page.unroute(/\.data(\?|$)/);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("navigating while another page is still loading opens the last one, and the browser logs no error", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  await connect(page);
  await page.addInitScript(() => {
    const ask = window.fetch;
    window.fetch = async (wanted, init) => {
      const answer = await ask(wanted, init);
      if (!answer.url.includes("/audit.data")) return answer;
      // Sends the response's head, but never the rest.
      const body = new ReadableStream({
        start: (rest) => init?.signal?.addEventListener("abort", () => rest.error(init.signal?.reason)),
        pull: () => sessionStorage.setItem("is-arriving", "yes"),
      });
      return new Response(body, answer);
    };
  });
  await page.goto("/");
  const rail = page.getByRole("navigation", { name: "Main" });
  await rail.getByRole("link", { name: "Audit trail" }).click();
  await expect.poll(() => stored(page, "is-arriving")).toBe("yes");
  await rail.getByRole("link", { name: "App connector" }).click();
  await expect(page).toHaveURL(/\/app-connector/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("plans show banners, and their end shows a dialog once", async ({ page, person }) => {
  await connect(page);
  const plan = (endsAt: number, name: "trial" | "essential" = "trial") =>
    startPlan(person, { plan: name, quantity: 10, endsAt });
  const notices = page.getByRole("region", { name: "Notices" });
  await test.step("[A-039] [A-115] [B-108] a banner counts the days of a trial and links to the checkout", async () => {
    await plan(Date.now() + 3 * DAY + MINUTE);
    await page.goto("/");
    await expect(page).toHaveURL(`${APP_URL}/`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard overview");
    await expect(page.getByRole("heading", { name: "GitHub" })).toBeVisible();
    await expect(notices).toContainText("3 days left of your free trial");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await notices.getByRole("link", { name: "Subscribe now" }).click();
    await expect(page).toHaveURL(/\/checkout$/);
  });

  await test.step("[A-108] [A-111] [B-106] the end of a trial is shown once and can be closed", async () => {
    await plan(Date.now() - MINUTE);
    await page.goto("/");
    const trial = page.getByRole("dialog", { name: "Your free trial has ended" });
    await expect(trial).toBeVisible();
    await page.reload();
    await trial.getByRole("button", { name: "Close" }).last().click();
    await expect(trial).toHaveCount(0);
    await expect(page).toHaveURL(`${APP_URL}/`);
    await expect(notices).toContainText("Backups are paused");
    await page.reload();
    await expect(notices).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("[A-109] [A-110] [B-107] the end of a subscription is shown once with another text, and links to the checkout", async () => {
    await plan(Date.now() - 2 * MINUTE, "essential");
    await page.goto("/");
    const ended = page.getByRole("dialog", { name: "Your subscription has ended" });
    await ended.getByRole("button", { name: "Buy subscription now" }).click();
    await expect(page).toHaveURL(/\/checkout$/);
    expect(await stored(page, "checkout-platform")).toBe("github");
    await page.goto("/");
    await expect(notices).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

test("[P-440] [P-452] [P-453] [P-454] [P-455] [B-116] the last day of a subscription shows a link to renew, and a large one is changed by contact", async ({
  page,
  person,
}) => {
  await connect(page);
  const buy = (platform: string, quantity: number, endsAt: number | null) =>
    startPlan(person, { platform, plan: "essential", quantity, endsAt });
  await buy("github", 1_001, null);
  await buy("gitlab", 1_000, Date.now() + 25 * HOUR);
  await page.goto("/");
  const notices = page.getByRole("region", { name: "Notices" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard overview");
  await expect(notices).toHaveCount(0);
  await buy("gitlab", 1_000, Date.now() + 23 * HOUR);
  await page.reload();
  await expect(notices).toContainText("GitLab: Your subscription ends today.");
  await notices.getByRole("link", { name: "Renew" }).click();
  await expect(page).toHaveURL(/\/checkout$/);
  expect(await stored(page, "checkout-platform")).toBe("gitlab");

  for (const [label, most] of [
    ["GitHub", 1_000],
    ["GitLab", 1_000],
    ["Trello", 200],
    ["Notion", 200],
  ] as const) {
    const edit = page.getByRole("region", { name: label }).getByText("Edit subscription");
    await buy(label.toLowerCase(), most + 1, null);
    await page.goto("/subscriptions");
    await expect(edit).toHaveAttribute("aria-disabled", "true");
    await expect(edit).toContainText(`Above ${most.toLocaleString("en-US")} items`);
    await buy(label.toLowerCase(), most, null);
    await page.reload();
    await edit.click();
    await expect(page).toHaveURL(/\/checkout$/);
    expect(await stored(page, "checkout-platform"), label).toBe(label.toLowerCase());
  }
});

test("[B-100] [B-101] [B-102] [B-103] [B-104] [B-105] [B-277] [B-278] the contact form is enabled once complete, and shows the result", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 500/);
  await startPlan(person, { ...TRIAL, endsAt: Date.now() + 5 * DAY });
  await page.goto("/contact");
  const send = page.getByRole("button", { name: "Send" });
  for (const [label, value] of [
    ["First name", "Runa"],
    ["Last name", "Holm"],
    ["Company", ""],
    ["Email", person.email],
    ["Question", ""],
  ] as const) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  }
  await expect(send).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("Company").fill("Meridian Freight");
  await expect(send).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("Question").fill("?");
  await page.getByLabel("Question").blur();
  await expect(page.getByText("At least 2 characters")).toBeVisible();
  await expect(send).toHaveAttribute("aria-disabled", "true");
  const question = `Do you keep versions for a year? ${person.email}`;
  await page.getByLabel("Question").fill(question);
  await expect(send).not.toHaveAttribute("aria-disabled", "true");
  for (const label of ["First name", "Last name", "Company", "Email", "Question"]) {
    const field = page.getByLabel(label, { exact: true });
    const valid = await field.inputValue();
    await field.fill("n");
    await expect(send, label).toHaveAttribute("aria-disabled", "true");
    await field.fill(valid);
    await expect(send, label).not.toHaveAttribute("aria-disabled", "true");
  }
  await page.route("**/api/contactus", (route) =>
    route.fulfill({ status: 500, json: { status: "failure" } }),
  );
  await send.click();
  await expect(
    page.getByText("Unfortunately, your request wasn't sent. Please try again later"),
  ).toBeVisible();
  await page.unroute("**/api/contactus");
  await test.step("[B-259] the call carries the five fields, and support gets them", async () => {
    const sent = page.waitForRequest("**/api/contactus");
    await send.click();
    expect((await sent).postDataJSON()).toEqual({
      ...{ first_name: "Runa", last_name: "Holm", company: "Meridian Freight" },
      ...{ email: person.email, question },
    });
    await expect(page.getByText("Your request was successfully sent!")).toBeVisible();
    await expect
      .poll(async () =>
        (await mailsTo("support@holdfast.example")).some(({ text }) => text.includes(question)),
      )
      .toBe(true);
  });
});

test("a signed-out person can use it too", async ({ page }) => {
  await page.goto("/contact");
  await expect(page).toHaveURL(/\/auth\/contact$/);
  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
});

test("[A-119] without remember-me the marker is in session storage, with it in local storage", async ({
  page,
}) => {
  const person = personOf(page, freshEmail());
  const names = { name: "Runa", family_name: "Holm", email: person.email, password: PASSWORD };
  await person.call("POST", "identity/sign-up", names);
  await confirmAddress(person);
  for (const isRemembered of [false, true]) {
    await page.goto("/auth/login");
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    if (isRemembered) await page.getByRole("checkbox", { name: /remember/i }).check();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(/\/app-connector$/);
    const isLocal = await page.evaluate(() => localStorage.getItem("session") !== null);
    expect(isLocal).toBe(isRemembered);
    await signOut(page);
  }
});

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /account menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/auth/login");
}

/** The browser's stored value of a key, from either storage. */
async function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name) ?? sessionStorage.getItem(name), key);
}

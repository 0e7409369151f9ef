import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import type { ItemView } from "#core/inventory/views.ts";
import { buyConfirmed } from "./checkout-steps.ts";
import { expect, test } from "./fixtures.ts";
import { atTrello } from "./outside.ts";
import type { JourneyPerson } from "./person.ts";
import { changeLedger } from "./repositories.ts";
import { APP_URL, JOB_MS, TRELLO_URL } from "./stack.ts";
import { connectTrello, rowOf, TRELLO_LIST } from "./steps.ts";

const LOGIN = "nora_lindqvist";

/** Allows access on the consent page as `login`. */
async function consentAs(page: Page, login: string): Promise<void> {
  await page.waitForURL(`${TRELLO_URL}/**authorize**`);
  await page.locator(`input[name="login"][value="${login}"]`).check();
  await page.getByRole("button", { name: /^Authorize/ }).click();
}

/** Completes the wizard and the consent page, and ends on the list of boards. */
async function connectByWizard(page: Page): Promise<void> {
  await page.goto(TRELLO_LIST);
  await expect(page).toHaveURL(/\/app-connector\?platform=trello$/);
  await page.getByRole("radio", { name: "Europe, Germany" }).check();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("button", { name: "Authorize Trello" }).click();
  await consentAs(page, LOGIN);
  await page.waitForURL(`**${TRELLO_LIST}**`);
}

async function boardsOf(person: JourneyPerson, name = ""): Promise<ItemView[]> {
  const rows = await person.call<{ view: ItemView }[]>("GET", "trello/get-user-trello-boards", { name });
  return rows.map(({ view }) => view);
}

/** Waits until the board has a backup after `since` and no active run. */
async function settled(person: JourneyPerson, name: string, since = 0): Promise<ItemView> {
  const isSettled = async () => {
    const [board] = await boardsOf(person, name);
    return board !== undefined && board.activeRun === null && (board.lastBackupAt ?? -1) >= since;
  };
  await expect.poll(isSettled, { timeout: JOB_MS, intervals: [250] }).toBe(true);
  const [board] = await boardsOf(person, name);
  if (!board) throw new Error(`There is no board ${name}.`);
  return board;
}

/** The boards with this name at Trello. */
async function atTrelloNow(
  name: string,
): Promise<{ id: string; workspace: string | null; cards: string[] }[]> {
  const at = `${TRELLO_URL}/__sim/trello/boards`;
  const { boards } = (await (await fetch(at)).json()) as { boards: { id: string; name: string }[] };
  const named = boards.filter((board) => board.name === name);
  return Promise.all(
    named.map(async ({ id }) => {
      const { organization } = (await (await fetch(`${at}/${id}/dump`)).json()) as {
        organization: string | null;
      };
      const { cards } = (await (await fetch(`${at}/${id}/cards`)).json()) as { cards: { name: string }[] };
      return { id, workspace: organization, cards: cards.map((card) => card.name) };
    }),
  );
}

async function protect(person: JourneyPerson, id: string): Promise<void> {
  await person.call("POST", "trello/add-boards", { boardsIds: [{ id }] });
}

test("[A-001] [A-008] [P-080] a board is connected, added, backed up, viewed offline, restored to a workspace and paid for", async ({
  page,
  person,
  context,
}, info) => {
  // Backups are slow on a busy machine.
  test.slow();
  const mark = randomUUID().slice(0, 6);
  const name = `Fleet ${mark}`;
  const other = `Yard ${mark}`;
  await atTrello("boards", { name, content: "fleet" });
  await atTrello("boards", { name: other });

  await connectByWizard(page);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^(Choose others|Add boards)$/ })
    .first()
    .click();
  const adding = page.getByRole("dialog", { name: "Add boards" });
  await adding.getByRole("textbox").fill(mark);
  for (const each of [name, other]) await adding.getByRole("checkbox", { name: new RegExp(each) }).check();
  await adding.getByRole("button", { name: "Add 2 boards" }).click();
  // Live: the row shows its first version without a reload.
  await expect(rowOf(page, name)).toBeVisible();
  // Later news of either board would ask for the list again.
  for (const each of [name, other]) await settled(person, each);
  await expect(rowOf(page, name)).toContainText(/just now|second|minute/, { timeout: JOB_MS });

  await test.step("the search sends one request, a second after the last key", async () => {
    const asked: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname === "/api/trello/get-user-trello-boards" && url.searchParams.has("name"))
        asked.push(url.search);
    });
    await page.clock.install();
    await page.goto(TRELLO_LIST);
    await page.clock.pauseAt(Date.now() + 30_000);
    await page.getByRole("textbox", { name: "Search boards" }).pressSequentially("fleet");
    await page.clock.runFor(990);
    expect(asked).toEqual([]);
    await page.clock.runFor(20);
    await page.clock.resume();
    await expect.poll(() => asked.length).toBe(1);
    await expect(rowOf(page, other)).toHaveCount(0);
  });

  await test.step("Backup now takes a second version", async () => {
    await page.goto(TRELLO_LIST);
    const since = Date.now();
    await page
      .getByRole("main")
      .getByRole("button", { name: /^Backup now/ })
      .first()
      .click();
    await expect(page.getByText(/^Backup of \d+ boards? (is|are) queued/)).toBeVisible();
    await settled(person, name, since);
  });

  await page.goto(TRELLO_LIST);
  await page.getByRole("link", { name: `View ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  await expect(page.getByRole("columnheader", { name: "Incremental size" })).toBeVisible();

  await test.step("[A-020] the ZIP opens offline without a request: the board, its cards and a search", async () => {
    // An unchecked version is not downloaded at once but announced by mail.
    await expect(page.getByText(/^verified \d/).first()).toBeVisible({ timeout: JOB_MS });
    const zip = page.waitForEvent("download");
    await page
      .getByRole("button", { name: /^Request ZIP/ })
      .first()
      .click();
    const folder = info.outputPath("zip");
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, "board.zip");
    expect((await zip).suggestedFilename()).toMatch(/\.zip$/);
    await (await zip).saveAs(file);
    execFileSync("unzip", ["-q", file, "-d", folder]);
    const found = execFileSync("find", [folder, "-name", "index.html"]).toString().trim().split("\n");
    expect(found).toHaveLength(1);
    const opened = await context.newPage();
    const asked: string[] = [];
    opened.on("request", (request) => asked.push(request.url()));
    await opened.goto(pathToFileURL(found[0] ?? "").href);
    await expect(opened.getByRole("heading", { level: 1 })).toContainText(name);
    await expect(opened.getByText("Book the Friday ferry Göteborg–Kiel")).toBeVisible();
    await expect(opened.getByText("Waiting at the border").first()).toBeVisible();
    await expect(
      opened.getByText(`Read only. To bring it back: Holdfast, Trello, ${name}, Restore.`),
    ).toBeVisible();
    await opened.screenshot({ path: info.outputPath("viewer.png"), fullPage: true });
    // On a phone the board scrolls sideways, and the page does not.
    const desk = opened.viewportSize() ?? { width: 1280, height: 720 };
    await opened.setViewportSize({ width: 375, height: 720 });
    const widthOf = (element: Element) => element.scrollWidth - element.clientWidth;
    expect(await opened.locator("html").evaluate(widthOf)).toBe(0);
    const board = opened.getByRole("region", { name: "Board" });
    expect(await board.evaluate(widthOf)).toBeGreaterThan(0);
    await board.focus();
    await opened.keyboard.press("ArrowRight");
    await expect.poll(() => board.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
    await opened.setViewportSize(desk);
    await opened.getByRole("searchbox").fill("Rostock");
    await expect(opened.getByText("Timber to Rostock")).toBeVisible();
    await expect(opened.getByText("Book the Friday ferry Göteborg–Kiel")).toHaveCount(0);
    await opened.getByText("Timber to Rostock").click();
    await expect(opened.getByText("Left at 05:40, roads are clear.")).toBeVisible();
    expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
    await opened.close();
  });

  await test.step("[P-262] [P-363] a restore from the list requires a workspace and goes to it", async () => {
    await page.goto(TRELLO_LIST);
    await page.getByRole("button", { name: `Restore ${name}`, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Restore ${name}` });
    const restore = dialog.getByRole("button", { name: /^Restore into/ });
    await dialog.getByRole("textbox", { name: "New name" }).fill(`${name} again`);
    const place = dialog.getByRole("combobox", { name: "Place" });
    await expect(place.locator("option")).toContainText(["Choose", "Harbour Works", "Meridian Freight"]);
    await expect(restore).toBeDisabled();
    await dialog.screenshot({ path: info.outputPath("restore.png") });
    await place.selectOption({ label: "Meridian Freight (workspace)" });
    await expect(restore).toBeEnabled();
    const sent = page.waitForRequest((request) => request.url().endsWith("/api/trello/restore-boards"));
    await restore.click();
    const { items } = (await sent).postDataJSON() as { items: Record<string, unknown>[] };
    expect(items[0]).toMatchObject({ name: `${name} again`, organizationId: { name: "Meridian Freight" } });
    await expect(page.getByText("Your restore is now in process")).toBeVisible();
    await expect.poll(async () => (await atTrelloNow(`${name} again`)).length, { timeout: JOB_MS }).toBe(1);
    await settled(person, name);
    const [source] = await atTrelloNow(name);
    const [made] = await atTrelloNow(`${name} again`);
    expect(made).toMatchObject({ workspace: "meridianfreight", cards: source?.cards });
  });

  await test.step("the report of the restore says where each card is now, searches them and saves them all", async () => {
    const { id } = await settled(person, name);
    await page.goto(`/platform/backups/trello?${new URLSearchParams({ id, name })}`);
    await page.getByRole("link", { name: /^Report of the restore/ }).click();
    const moved = page.getByRole("table", { name: "Where things are now" });
    const lines = moved.getByRole("row");
    await expect(lines.nth(1)).toContainText("Card");
    const all = (await lines.count()) - 1;
    expect(all).toBeGreaterThan(1);
    const was = (await lines.nth(2).getByRole("cell").nth(1).textContent()) ?? "";
    await page.getByRole("textbox", { name: "Find an old number or id" }).fill(was);
    await expect(lines).toHaveCount(2);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /^CSV/ }).click();
    const csv = await readFile(await (await download).path(), "utf8");
    expect(csv.trim().split("\r\n")).toHaveLength(all + 1);
    expect(csv).toContain(`Card,${was},`);
    await page.goto(TRELLO_LIST);
  });

  await page.getByRole("button", { name: `Delete ${other}` }).click();
  const deleting = page.getByRole("dialog", { name: `Delete ${other}` });
  await deleting.getByRole("textbox").fill(other);
  await deleting.getByRole("button", { name: "Delete" }).click();
  await expect(deleting).toHaveCount(0);
  await expect(rowOf(page, other)).toHaveCount(0);

  await test.step("[B-181] a subscription is bought after the bank's confirmation, and is active", () =>
    buyConfirmed(page, { id: "trello", label: "Trello" }));

  // Other journeys restore content that Trello rightly rejects. Nothing may call an endpoint that Trello does not have.
  const answer = await fetch(`${TRELLO_URL}/__sim/refusals`);
  const { refusals } = (await answer.json()) as { refusals: { kind: string }[] };
  expect(refusals.filter(({ kind }) => kind === "unknown")).toEqual([]);
});

test("[A-059] [A-060] [P-042] the token page returns the token in the fragment, which is removed from the URL at once and connects the account", async ({
  page,
  person,
}) => {
  await page.goto("/trello-approve-hidden");
  await expect(page.getByRole("heading", { name: "Connecting Trello" })).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await page.goto("/app/trello/login-trello-callback");
  await expect(page).toHaveURL(/\/app-connector\?platform=trello$/);

  const { url } = await person.call<{ url: string }>("GET", "trello/login-trello", { region: "DE" });
  const state = new URL(url).searchParams.get("state") ?? "";
  const { key } = await atTrello<{ key: string }>("token", { login: LOGIN });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const query = new URLSearchParams({
    ...{ key, response_type: "token", scope: "read,write", expiration: "never", name: "Holdfast" },
    return_url: `${APP_URL}/trello-approve-hidden?state=${encodeURIComponent(state)}`,
  });
  await page.goto(`${TRELLO_URL}/1/authorize?${query}`);
  await consentAs(page, LOGIN);
  await page.waitForURL(`**${TRELLO_LIST}**`);
  const accounts = await person.call<{ user_name: string }[]>("GET", "trello/get-trello-user");
  expect(accounts).toMatchObject([{ user_name: LOGIN }]);
  const ours = asked.filter((each) => each.startsWith(APP_URL));
  expect(ours.some((each) => new URL(each).pathname === "/connect/trello/callback")).toBe(true);
  expect(ours.filter((each) => new URL(each).search.includes("ATTA"))).toEqual([]);
  await page.goBack();
  // The consent page reloads. A navigation meanwhile would be interrupted by it.
  await page.waitForURL(`${TRELLO_URL}/1/authorize**`);
  expect(page.url()).not.toContain("ATTA");
  await page.goto("/app/trello/login-trello-callback");
  await expect(page).toHaveURL(APP_URL + TRELLO_LIST);

  // A page opened through another person's link has an unknown state.
  await page.goto(`/trello-approve-hidden?state=made-up#token=ATTA${"0".repeat(72)}`);
  await expect(
    page.getByText(/could not be connected|has expired|not started here|again/i).first(),
  ).toBeVisible();
  expect(page.url()).not.toContain("ATTA");
});

test("[P-032] [P-033] a history that fails to load shows an error and links back to the boards", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of (404|500)/);
  const name = `Berth ${randomUUID().slice(0, 6)}`;
  const { id } = await atTrello<{ id: string }>("boards", { name });
  await connectTrello(page);
  await protect(person, id);
  await page.goto("/platform/backups/trello?id=itm_nothing&name=Nothing");
  // The page says it, and a toast that stays on the list.
  await expect(page.getByText("We could not find what you asked for.").first()).toBeVisible();
  await page.waitForURL(`**${TRELLO_LIST}**`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Trello");

  // The same after a failure that nobody expected.
  const board = await settled(person, name);
  await changeLedger(
    `UPDATE manifest_row SET completeness = '{' WHERE item = (SELECT number FROM numbered_item WHERE item_id = '${board.id}')`,
  );
  await page.reload();
  await page.getByRole("link", { name: `View ${name}` }).click();
  await expect(page.locator("[data-sonner-toast]").last()).toContainText("Error on data load. Try later");
  await page.waitForURL(`**${TRELLO_LIST}**`);
});

test("[P-227] [P-360] another Trello account replaces the first after a typed confirmation, and the backups of the first are deleted", async ({
  page,
  person,
  expectComplaint,
}) => {
  test.slow();
  expectComplaint(/status of 404/);
  const name = `Quay ${randomUUID().slice(0, 6)}`;
  const { id } = await atTrello<{ id: string }>("boards", { name });
  await connectTrello(page);
  await protect(person, id);
  const board = await settled(person, name);
  const history = { itemId: board.id, page: 0, perPage: 20 };
  expect(await person.call<unknown[]>("POST", "user/get-items-backups", history)).toHaveLength(1);

  await page.goto("/app-connector?platform=trello");
  await page.getByRole("button", { name: "Change account" }).click();
  const form = page.getByRole("dialog", { name: "Change account" });
  const save = form.getByRole("button", { name: /^(Save|Continue)/ });
  await expect(form).toContainText(`All backups of ${LOGIN} are deleted at once and for good`);
  await expect(save).toBeDisabled();
  await form.getByLabel("Trello username").fill("ivo_petrov");
  await expect(save).toBeDisabled();
  await form.getByLabel(`Type ${LOGIN} to confirm`).fill(LOGIN);
  const asked = page.waitForRequest("**/api/trello/change-trello-user**");
  await save.click();
  expect((await asked).method()).toBe("GET");
  await consentAs(page, "ivo_petrov");
  await page.waitForURL(`**${TRELLO_LIST}**`);
  expect(await boardsOf(person)).toEqual([]);
  await expect(person.call("POST", "user/get-items-backups", history)).rejects.toThrow("err.not.found");
});

test("access revoked at Trello is shown on the list, and a new consent resumes the backups", async ({
  page,
  person,
}) => {
  test.slow();
  const login = `wren_${randomUUID().slice(0, 6)}`;
  await atTrello("members", { login, fullName: "Wren Holm" });
  const name = `Dock ${login}`;
  const { id } = await atTrello<{ id: string }>("boards", { name, login, organization: null });
  await connectTrello(page, login);
  await protect(person, id);
  await settled(person, name);
  await atTrello("token/revoke", { login });
  await person.call("POST", "trello/backup-now", { boardId: (await boardsOf(person))[0]?.id });
  await page.goto(TRELLO_LIST);
  const refused = page.getByRole("alert").filter({ hasText: "Trello no longer accepts our access." });
  await expect(refused).toBeVisible({ timeout: JOB_MS });
  await refused.getByRole("link", { name: "Reconnect" }).click();
  await page.getByRole("button", { name: "Reconnect", exact: true }).click();
  await consentAs(page, login);
  await page.waitForURL(`**${TRELLO_LIST}**`);
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect((await boardsOf(person)).map(({ nextDueAt }) => nextDueAt)).toEqual([expect.any(Number)]);
});

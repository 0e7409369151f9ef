import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { ItemView } from "#core/inventory/views.ts";
import { accessibilityFaults } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { ATTACK, ranIn } from "./hostile.ts";
import { atTrello } from "./outside.ts";
import type { JourneyPerson } from "./person.ts";
import { JOB_MS, TRELLO_URL } from "./stack.ts";
import { connectTrello } from "./steps.ts";

/** The protected board, once it has this many versions and no run is active. */
async function boardItem(person: JourneyPerson, name: string, versions: number): Promise<ItemView> {
  let found: ItemView | undefined;
  const isThere = async () => {
    const rows = await person.call<{ view: ItemView }[]>("GET", "trello/get-user-trello-boards", { name });
    found = rows.find(({ view }) => view.name === name)?.view;
    return found !== undefined && found.activeRun === null && (found.versionCount ?? 0) >= versions;
  };
  await expect.poll(isThere, { timeout: JOB_MS, intervals: [300] }).toBe(true);
  if (!found) throw new Error(`There is no board ${name}.`);
  return found;
}

/** Creates a board with a few lists and cards, protects it and waits for its first version. */
async function protectBoard(person: JourneyPerson, name: string) {
  const { id } = await atTrello<{ id: string }>("boards", { name, content: "empty" });
  const list = (title: string) => atTrello<{ id: string }>(`boards/${id}/lists`, { name: title });
  const [todo, done] = [await list("To do"), await list("Done")];
  const card = (listId: string, title: string, more: object = {}) =>
    atTrello<{ id: string }>(`boards/${id}/cards`, { list: listId, name: title, ...more });
  const crane = await card(todo.id, "Fix the crane", {
    desc: hostileText(),
    due: "2026-12-01T08:00:00.000Z",
  });
  await atTrello(`cards/${crane.id}/comments`, { text: `Call **Åsa**.\n\n${hostileText()}` });
  await atTrello(`cards/${crane.id}/checklists`, { name: "Papers", items: ["CMR", "Insurance"] });
  await atTrello(`cards/${crane.id}/attachments`, { name: `<b>scan</b>.txt`, text: "the scan" });
  await atTrello(`cards/${crane.id}/attachments`, { name: "Evil", url: `javascript:${ATTACK}` });
  await card(todo.id, `<img src=x onerror="${ATTACK}">`);
  for (let number = 1; number <= 45; number++) await card(done.id, `Load ${number}`);
  const old = await card(done.id, "Long forgotten");
  await atTrello(`cards/${old.id}/archive`, { isClosed: true });
  await person.call("POST", "trello/add-boards", { boardsIds: [{ id }] });
  return { id, todo, done, crane, item: await boardItem(person, name, 1) };
}

function hostileText(): string {
  return `# Manifest\n\n<script>${ATTACK}</script><img src=x onerror="${ATTACK}">\n\n[go](javascript:${ATTACK})\n`;
}

/** Opens the newest version from the list of versions. */
async function openNewest(page: Page, item: ItemView): Promise<void> {
  await page.goto(`/platform/backups/trello?${new URLSearchParams({ id: item.id, name: item.name })}`);
  await page
    .getByRole("link", { name: /^Open the version of/ })
    .first()
    .click();
  await page.waitForURL("**/version/board?**");
}

/** The current cards of a board at Trello, by list. */
async function cardsAtTrello(board: string): Promise<Record<string, string[]>> {
  const answer = await fetch(`${TRELLO_URL}/__sim/trello/boards/${board}/dump`);
  const { lists } = (await answer.json()) as { lists: { name: string; cards: { name: string }[] }[] };
  return Object.fromEntries(lists.map(({ name, cards }) => [name, cards.map((card) => card.name)]));
}

test("a version's board can be viewed, searched and opened by card, and no script in it runs", async ({
  page,
  person,
}) => {
  const name = `Harbour ${randomUUID().slice(0, 4)}`;
  await connectTrello(page);
  const { item } = await protectBoard(person, name);
  await openNewest(page, item);
  const board = page.getByRole("region", { name: "The board" });
  const done = board.getByRole("region", { name: /^Done/ });
  await expect(board.getByRole("heading", { level: 2 })).toHaveText(["To do", "Done"]);
  expect(await accessibilityFaults(page)).toEqual([]);

  await test.step("a long list shows its next cards", async () => {
    await expect(done.getByRole("listitem").filter({ hasText: /^Load/ })).toHaveCount(30);
    await done.getByRole("button", { name: /^Show 15 more/ }).click();
    await expect(done.getByRole("link", { name: "Load 45", exact: true })).toBeVisible();
    await expect(done.getByRole("button", { name: /more/ })).toHaveCount(0);
  });

  await test.step("archived cards are behind a switch", async () => {
    await expect(board.getByText("Long forgotten")).toHaveCount(0);
    await page.getByRole("switch").check();
    await expect(page).toHaveURL(/archived=1/);
    await page.getByRole("switch").uncheck();
    await expect(page).not.toHaveURL(/archived=1/);
  });

  await test.step("cards are found by their text", async () => {
    await page.getByRole("textbox", { name: "Search cards" }).fill("insurance");
    await page.keyboard.press("Enter");
    await expect(board.getByRole("heading", { level: 2 })).toHaveText(["To do"]);
    await expect(board.getByRole("link", { name: "Fix the crane" })).toBeVisible();
  });

  await test.step("a card opens on top of the board, also by keyboard", async () => {
    await board.getByRole("link", { name: "Fix the crane" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Fix the crane" });
    await expect(dialog.getByRole("heading", { name: "Manifest" }).first()).toBeVisible();
    await expect(dialog.getByText("Insurance", { exact: true })).toBeVisible();
    // The facts are beside the text.
    const isBeside = await dialog.locator(".card-body").evaluate(({ children: [text, facts] }) => {
      return facts!.getBoundingClientRect().left >= text!.getBoundingClientRect().right - 1;
    });
    expect(isBeside).toBe(true);
    await expect(dialog.getByText("made this card in To do")).toBeVisible();
    await expect(dialog.getByText("1 Dec", { exact: false }).first()).toBeVisible();
    const living = dialog.locator(".markdown").locator("script, img, [onerror], a[href^='javascript']");
    await expect(living).toHaveCount(0);
    await expect(dialog.locator("a[href^='javascript']")).toHaveCount(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download <b>scan</b>.txt" }).click();
    expect((await download).suggestedFilename()).toContain("scan");
    await page.reload();
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/version\/board\?.*q=insurance/);
  });
  expect(await ranIn(page)).toBe(0);
});

test("a deleted card is found by comparison and restored to its list, and nothing else changes", async ({
  page,
  person,
}) => {
  const name = `Quay ${randomUUID().slice(0, 4)}`;
  await connectTrello(page);
  const { id, todo, done, crane, item } = await protectBoard(person, name);
  await atTrello(`cards/${crane.id}/delete`);
  await atTrello(`boards/${id}/cards`, { list: todo.id, name: "Buy rope" });
  await atTrello(`lists/${done.id}/edit`, { name: "Delivered" });
  await person.call("POST", "trello/backup-now", { boardId: item.id });
  await boardItem(person, name, 2);
  await openNewest(page, item);
  await page.getByRole("link", { name: "Compare with the version before" }).click();
  await page.waitForURL("**/compare?**");

  const cards = page.getByRole("region", { name: "Cards", exact: true });
  await expect(cards.getByRole("row").filter({ hasText: "Fix the crane" })).toContainText("Was in To do");
  await expect(cards.getByRole("row").filter({ hasText: "Buy rope" })).toContainText("New in To do");
  await expect(page.getByRole("region", { name: "Lists", exact: true })).toContainText("Renamed from Done");
  await cards.getByRole("link", { name: "Fix the crane" }).click();
  await expect(cards.locator(".field-diff")).toContainText("Insurance");
  expect(await accessibilityFaults(page)).toEqual([]);

  const before = await cardsAtTrello(id);
  await cards.getByRole("button", { name: "Restore Fix the crane" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore Fix the crane" });
  await expect(dialog.getByRole("combobox", { name: "Restore into" })).toHaveValue(id);
  await expect(dialog.getByText("Checklist", { exact: true })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: `Restore into ${name}` }).click();
  await page.getByRole("button", { name: "See it" }).click();
  await page.waitForURL("**/platform/backups/trello?**");
  // The comparison links to the card too, and stays for a moment after the address has changed.
  await expect(cards).toBeHidden();
  await expect(page.getByRole("link", { name: "Fix the crane" })).toBeVisible({ timeout: JOB_MS });

  const now = await cardsAtTrello(id);
  expect([...(now["To do"] ?? [])].sort()).toEqual([...(before["To do"] ?? []), "Fix the crane"].sort());
  expect(now.Delivered).toEqual(before.Delivered);
  // The card is back before the restore has recorded its action.
  const actions = async () =>
    JSON.stringify(await person.call("POST", "user/get-actions", { platform: "trello", id: item.id }));
  await expect.poll(actions).toContain("Fix the crane");
});

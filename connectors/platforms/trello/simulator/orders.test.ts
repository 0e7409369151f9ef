import { expect, test } from "vitest";
import { type Json, trelloForTest } from "./test-world.ts";

type Print = { hash: string; counts: Record<string, number> };

test("one request creates a board of thousands of cards and actions, which one call reads", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  await trello.control(`boards/${board.id}/generate`, {
    ...{ lists: 5, labels: 10, cards: 1_950, archivedCards: 50, comments: 6_000 },
    ...{ checklists: 20, items: 4, attachments: 12, attachmentBytes: 333, customFields: 3 },
  });
  const print = await trello
    .json<Print>(`/boards/${board.id}`)
    .then(async () => (await fetch(`${trello.url}/__sim/trello/boards/${board.id}/fingerprint`)).json());
  expect((print as Print).counts).toMatchObject({
    ...{
      lists: 5,
      labels: 10,
      cards: 2_000,
      archivedCards: 50,
      comments: 6_000,
      checklists: 20,
      checkItems: 80,
    },
    ...{ attachments: 12, attachmentBytes: 12 * 333, customFields: 3, fieldValues: 3 },
  });
  const body = await trello.get<{ cards: Json[] }>(`/boards/${board.id}?cards=all&card_attachments=true`);
  expect(body.cards).toHaveLength(2_000);
  const ids = board.actions.map(({ id }) => id);
  expect([...ids].sort()).toEqual(ids);
  // Nothing happens in the future, or before the board was created.
  expect(Date.parse(board.actions.at(-1)?.date ?? "")).toBeLessThanOrEqual(Date.now());
  expect(board.actions[0]?.type).toBe("createBoard");
});

test("two boards from the same request are equal except for ids, and any change makes them differ", async () => {
  const trello = await trelloForTest();
  const print = async (id: string) =>
    ((await (await fetch(`${trello.url}/__sim/trello/boards/${id}/fingerprint`)).json()) as Print).hash;
  const [one, other] = [await trello.board({ content: "full" }), await trello.board({ content: "full" })];
  const before = await print(one.id);
  expect(await print(other.id)).toBe(before);
  const card = (index: number) => other.cards[index]?.id ?? "";
  const changes: [string, unknown][] = [
    [`cards/${card(1)}/edit`, { name: "Renamed", login: "ivo_petrov" }],
    [`cards/${card(1)}/move`, { list: "Backlog", place: "top" }],
    [`cards/${card(1)}/archive`, {}],
    [`cards/${card(1)}/comments`, { text: "Hello", login: "asa_nystrom" }],
    [`cards/${card(1)}/checklists`, { name: "List", items: ["a", "b"] }],
    [`cards/${card(1)}/attachments`, { name: "new.txt", text: "new" }],
    [`cards/${card(1)}/attachments`, { name: "link", url: "https://x.example/" }],
    [`cards/${card(1)}/fields`, { name: "Depot", option: "Kiruna" }],
    [`cards/${card(1)}/vote`, {}],
    [`cards/${card(2)}/delete`, {}],
    [`lists/${other.lists[0]?.id}/edit`, { name: "Renamed list" }],
    [`boards/${other.id}/edit`, { name: "Renamed board", isClosed: true }],
    [`boards/${other.id}/members`, { login: "asa_nystrom", type: null }],
    [`boards/${other.id}/cards`, { name: "One more", list: "On the road" }],
  ];
  const seen = new Set([before]);
  for (const [path, body] of changes) {
    await trello.control(path, body);
    const hash = await print(other.id);
    expect(seen.has(hash), path).toBe(false);
    seen.add(hash);
  }
  const comment = other.actions.find(({ type }) => type === "commentCard")?.id;
  await trello.control(`comments/${comment}/edit`, { text: "Changed" });
  await trello.control(`comments/${comment}/delete`);
  await trello.control(`attachments/${other.cards[0]?.attachments[0]?.id}/delete`);
  expect(seen.has(await print(other.id))).toBe(false);
  expect(await print(one.id)).toBe(before);
});

test("an invalid control request is refused at once", async () => {
  const trello = await trelloForTest();
  const order = async (path: string, body: unknown) => {
    const init = { method: "POST", body: JSON.stringify(body) };
    return (await fetch(`${trello.url}/__sim/trello/${path}`, init)).status;
  };
  expect(await order("boards", { name: "x", colour: "red" })).toBe(400);
  expect(await order("boards/nowhere/generate", {})).toBe(400);
  expect(await order("token", { login: "nobody" })).toBe(400);
  expect(await order("settings", { keyLimits: 3 })).toBe(400);
  expect(await order("moons", {})).toBe(404);
});

test("a control route creates a workspace and changes its plan", async () => {
  const trello = await trelloForTest();
  await trello.control("organizations", { name: "tiny", displayName: "Tiny", plan: "free" });
  const board = await trello.board({ organization: "tiny" });
  expect(await trello.get("/organizations/tiny")).toMatchObject({ displayName: "Tiny", premiumFeatures: [] });
  await trello.control("organizations/tiny/switch", { plan: "premium" });
  expect((await trello.get<{ premiumFeatures: string[] }>("/organizations/tiny")).premiumFeatures).toContain(
    "largeAttachments",
  );
  expect(
    (await trello.get<{ premiumFeatures: string[] }>(`/boards/${board.id}?fields=premiumFeatures`))
      .premiumFeatures,
  ).not.toEqual([]);
});

test("the web site shows boards and cards", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const page = async (path: string) => {
    const answer = await fetch(`${trello.url}${path}`);
    return [answer.status, await answer.text()] as const;
  };
  expect((await page(`/b/${board.shortLink}`))[1]).toContain("&lt;script&gt;");
  expect((await page(`/c/${board.cards[0]?.shortLink}/1-x`))[1]).toContain("Papers ✓");
  expect((await page("/"))[1]).toContain("Quay");
  expect((await page("/b/nothing"))[0]).toBe(404);
});

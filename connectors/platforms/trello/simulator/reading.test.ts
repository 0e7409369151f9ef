import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { contractsAreAbsent } from "#tests/conformance/contracts.ts";
import { misfitsOf } from "./expect-fits.ts";
import { type Json, trelloForTest } from "./test-world.ts";

const EVERYTHING = [
  "fields=all&lists=all&cards=all&card_attachments=true&card_stickers=true&card_customFieldItems=true",
  "card_pluginData=true&checklists=all&customFields=true&labels=all&labels_limit=1000&members=all&memberships=all",
  "pluginData=true&boardPlugins=true&organization=true",
].join("&");

type Nested = Record<
  "cards" | "lists" | "labels" | "checklists" | "customFields" | "members" | "memberships",
  Json[]
> &
  Json;

test("one call reads a whole board: archived lists and cards, files, stickers, values and Power-Up data", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const body = await trello.get<Nested>(`/boards/${board.id}?${EVERYTHING}`);
  expect(body.cards).toHaveLength(10);
  expect(body.cards.filter(({ closed }) => closed)).toHaveLength(1);
  expect(body.lists.map(({ name, closed }) => [name, closed])).toEqual([
    ["Backlog", false],
    ["On the road", false],
    ["Waiting at the border", false],
    ["Delivered", true],
  ]);
  expect(body.labels.map(({ color }) => color)).toEqual(["red", "green", null, "sky_light", "black_dark"]);
  expect(body.customFields.map(({ type }) => type)).toEqual(["number", "text", "date", "checkbox", "list"]);
  expect(body.checklists.map(({ checkItems }) => (checkItems as Json[]).length)).toEqual([4, 0]);
  expect(body.memberships).toHaveLength(3);
  expect(body.pluginData).toHaveLength(1);
  const first = body.cards[0] as Record<"attachments" | "stickers" | "customFieldItems", Json[]> & Json;
  expect(first).toMatchObject({
    idAttachmentCover: expect.any(String),
    idMembersVoted: [expect.any(String)],
  });
  expect(first.attachments.map(({ name, isUpload }) => [name, isUpload])).toEqual([
    ["Ångström (1) 100% #1.png", true],
    ["cmr/scan?.bin", true],
    ["cmr/scan?.bin", true],
    ["empty.txt", true],
    ["Timetable", false],
  ]);
  expect(first.stickers.map(({ rotate }) => rotate)).toEqual([0, 15]);
  expect(first.customFieldItems.map(({ value }) => value ?? null)).toEqual([
    { number: "24.75" },
    { text: "Ring twice, “gently”" },
    { date: "2026-11-24T06:15:00.000Z" },
    { checked: "true" },
    null,
  ]);
  expect(trello.log.refusals()).toEqual([]);
});

test("only requested fields are returned: a plain board has its own fields and no contents", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const body = await trello.get(`/boards/${board.shortLink}`);
  expect(Object.keys(body).sort()).toEqual(
    [
      ...["closed", "desc", "descData", "id", "idEnterprise", "idOrganization", "labelNames", "name"],
      ...["pinned", "prefs", "shortUrl", "url"],
    ].sort(),
  );
});

test("the history is newest first, pages by id, and has no gaps or duplicates", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  await trello.control(`boards/${board.id}/generate`, { lists: 2, cards: 30, comments: 200 });
  const all = board.actions.length;
  const seen: string[] = [];
  for (let before = ""; ; ) {
    const page = await trello.get<Json[]>(`/boards/${board.id}/actions?limit=100${before}`);
    seen.push(...page.map(({ id }) => id));
    if (page.length === 0) break;
    before = `&before=${page.at(-1)?.id}`;
  }
  expect(seen).toHaveLength(all);
  expect(new Set(seen).size).toBe(all);
  expect([...seen].sort().reverse()).toEqual(seen);
});

test("paging the history by date loses events of the same moment", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  await trello.control(`boards/${board.id}/generate`, { lists: 1, cards: 1, comments: 30 });
  const path = `/boards/${board.id}/actions?filter=commentCard&limit=10`;
  const seen = new Set<string>();
  for (let before = ""; ; ) {
    const page = await trello.get<Json[]>(`${path}${before}`);
    if (page.length === 0) break;
    for (const { id } of page) seen.add(id);
    before = `&before=${page.at(-1)?.date}`;
  }
  expect(seen.size).toBeLessThan(30);
});

test("the history returns fifty events by default, at most a thousand, and can start at an id", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  await trello.control(`boards/${board.id}/generate`, { lists: 1, cards: 1, comments: 1_100 });
  expect(await trello.get<Json[]>(`/boards/${board.id}/actions`)).toHaveLength(50);
  expect(await trello.get<Json[]>(`/boards/${board.id}/actions?limit=1000`)).toHaveLength(1_000);
  expect(await trello.refusalOf(`/boards/${board.id}/actions?limit=1001`)).toEqual([
    400,
    "invalid value for limit",
  ]);
  const known = board.actions.at(-4)?.id;
  const later = await trello.get<Json[]>(`/boards/${board.id}/actions?since=${known}`);
  expect(later.map(({ id }) => id)).toEqual(
    board.actions
      .slice(-3)
      .reverse()
      .map(({ id }) => id),
  );
  const [count] = [await trello.get(`/boards/${board.id}/actions?format=count&filter=commentCard`)];
  expect(count).toEqual({ _value: 1_100 });
});

test("labels are limited to fifty unless more are requested, nested in a board too", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  await trello.control(`boards/${board.id}/generate`, { labels: 120 });
  expect(await trello.get<Json[]>(`/boards/${board.id}/labels`)).toHaveLength(50);
  expect(await trello.get<Json[]>(`/boards/${board.id}/labels?limit=1000`)).toHaveLength(120);
  expect((await trello.get<Nested>(`/boards/${board.id}?labels=all`)).labels).toHaveLength(50);
  expect((await trello.get<Nested>(`/boards/${board.id}?labels=all&labels_limit=1000`)).labels).toHaveLength(
    120,
  );
});

test("too many cards with their actions are refused, and so are other parts beyond a set limit", async () => {
  const trello = await trelloForTest({ settings: { actionCardLimit: 5 } });
  const board = await trello.board();
  await trello.control(`boards/${board.id}/generate`, { lists: 1, cards: 6, comments: 6 });
  const error = async (path: string) => {
    const answer = await trello.ask(path);
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  const refused = [403, "API_TOO_MANY_CARDS_REQUESTED"];
  expect(await error(`/boards/${board.id}/cards?actions=commentCard`)).toEqual(refused);
  expect(await error(`/boards/${board.id}?cards=all&card_actions=all`)).toEqual(refused);
  expect(await error(`/boards/${board.id}?cards=all&card_attachments=true`)).toEqual([200, undefined]);
  await trello.control("settings", { nestedCardLimit: 4 });
  expect(await error(`/boards/${board.id}?cards=all&card_attachments=true`)).toEqual(refused);
  expect(await error(`/boards/${board.id}/cards?filter=all`)).toEqual([200, undefined]);
  await trello.control("settings", { plainCardLimit: 3 });
  expect(await error(`/boards/${board.id}/cards?filter=all`)).toEqual(refused);
  const pages: string[] = [];
  for (let before = ""; ; ) {
    const page = await trello.get<Json[]>(
      `/boards/${board.id}/cards?filter=all&attachments=true&limit=3${before}`,
    );
    if (page.length === 0) break;
    pages.push(...page.map(({ id }) => id));
    before = `&before=${page.at(-1)?.id}`;
  }
  expect(pages).toEqual(board.cards.map(({ id }) => id).reverse());
});

test("a file needs the authorisation header and is served by another host, which must not receive it", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  const { id } = await trello
    .control(`boards/${board.id}/lists`, { name: "L" })
    .then(() => trello.control(`boards/${board.id}/cards`, { name: "C" }));
  const made = await trello.control<{ sha256: string }>(`cards/${id}/attachments`, {
    name: "Größe 100%? #1/2.bin",
    bytes: 5_001,
  });
  const [attachment] = await trello.get<Json[]>(`/cards/${id}/attachments`);
  expect(attachment).toMatchObject({ bytes: 5_001, fileName: "Größe 100%? #1_2.bin", isUpload: true });
  const address = String(attachment?.url);
  const as = trello.headerOf("nora_lindqvist");
  const token = /oauth_token="(\w+)"/.exec(as)?.[1];
  const query = `?key=${trello.world.settings.apiKey}&token=${token}`;
  expect((await fetch(`${address}${query}`, { redirect: "manual" })).status).toBe(401);
  expect((await fetch(address, { redirect: "manual" })).status).toBe(401);
  const first = await fetch(address, { redirect: "manual", headers: { Authorization: as } });
  expect(first.status).toBe(302);
  const location = first.headers.get("location") ?? "";
  expect(new URL(location).origin).not.toBe(new URL(trello.url).origin);
  const bytes = new Uint8Array(await (await fetch(location)).arrayBuffer());
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(made.sha256);
  expect((await fetch(location, { headers: { Authorization: as } })).status).toBe(400);
  expect(trello.log.refusals().at(-1)?.reason).toContain("handed on to the storage host");
  await trello.control("settings", { storageLifetimeMs: 0 });
  const late = await fetch(address, { redirect: "manual", headers: { Authorization: as } });
  expect((await fetch(late.headers.get("location") ?? "")).status).toBe(403);
  expect((await fetch(location.replace(/Signature=./, "Signature=x"))).status).toBe(403);
});

test("a batch reads up to ten URLs, and a failing one does not affect the others", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const missing = "0".repeat(24);
  const urls = [`/boards/${board.id}?fields=name%2Cdesc`, `/cards/${missing}`, `/boards/${board.id}/lists`];
  const answer = await trello.get<Record<string, unknown>[]>(
    `/batch?urls=${encodeURIComponent(urls.join(","))}`,
  );
  expect(answer[0]).toEqual({ "200": { id: board.id, name: "Quay", desc: "" } });
  expect(answer[1]).toMatchObject({ statusCode: 404, message: "The requested resource was not found." });
  expect(Object.keys(answer[2] ?? {})).toEqual(["200"]);
  const eleven = Array.from({ length: 11 }, () => "/members/me").join(",");
  expect(await trello.refusalOf(`/batch?urls=${eleven}`)).toEqual([400, "invalid value for urls"]);
});

test("strangers see nothing, workspace members what is open to it, and observers everything without changing it", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  const [ivo, lena] = [trello.headerOf("ivo_petrov"), trello.headerOf("lena_brandt")];
  const refused = [401, "unauthorized permission requested"];
  expect(await trello.refusalOf(`/boards/${board.id}`, { as: ivo })).toEqual(refused);
  await trello.control(`boards/${board.id}/edit`, { prefs: { permissionLevel: "org" } });
  await trello.get(`/boards/${board.id}`, ivo);
  const body = JSON.stringify({ name: "L" });
  const write = { as: ivo, method: "POST", body };
  expect(await trello.refusalOf(`/boards/${board.id}/lists`, write)).toEqual(refused);
  await trello.control(`boards/${board.id}/members`, { login: "ivo_petrov", type: "observer" });
  expect(await trello.refusalOf(`/boards/${board.id}/lists`, write)).toEqual(refused);
  await trello.control(`boards/${board.id}/members`, { login: "ivo_petrov", type: "normal" });
  await trello.post(`/boards/${board.id}/lists`, { name: "L" }, ivo);
  expect(await trello.refusalOf(`/boards/${board.id}`, { as: lena })).toEqual(refused);
  expect(await trello.get<Json[]>("/members/me/boards", lena)).toEqual([]);
  expect(await trello.refusalOf("/boards/nonsense!")).toEqual([400, "invalid id"]);
  expect(await trello.refusalOf(`/boards/${"0".repeat(24)}`)).toEqual([
    404,
    "The requested resource was not found.",
  ]);
});

test("boards and workspaces of a member include plan and filter", async () => {
  const trello = await trelloForTest({ seed: "demo" });
  const names = async (filter: string) =>
    (await trello.get<Json[]>(`/members/me/boards?filter=${filter}&fields=name`)).map(({ name }) => name);
  expect(await names("closed")).toEqual(["Winter 2023 (closed)"]);
  expect(await names("starred")).toEqual(["Fleet planning"]);
  expect(await names("all")).toHaveLength(6);
  const workspaces = await trello.get<Json[]>("/members/me/organizations");
  expect(workspaces.map(({ name, products }) => [name, products])).toEqual([
    ["meridianfreight", [110]],
    ["harbourworks", []],
  ]);
  const [meridian] = workspaces;
  expect(await trello.get<Json[]>(`/organizations/${meridian?.id}/boards?filter=open`)).toHaveLength(3);
  for (const { id } of await trello.get<Json[]>("/members/me/boards?filter=all")) {
    await trello.get(`/boards/${id}?${EVERYTHING}`);
    await trello.get(`/boards/${id}/actions?limit=1000&reactions=true`);
    await trello.get(`/boards/${id}/checklists`);
    await trello.get(`/boards/${id}/customFields`);
    await trello.get(`/boards/${id}/memberships?member=true`);
  }
  expect(trello.log.refusals()).toEqual([]);
});

test("an unknown parameter or field is ignored and recorded", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  await trello.get(`/boards/${board.id}?card_everything=true&fields=name`);
  expect(trello.log.refusals().map(({ reason }) => reason)).toEqual([
    "the parameter card_everything is not declared",
  ]);
  expect((await trello.ask(`/boards/${board.id}/moons`)).status).toBe(404);
  expect(trello.log.refusals().at(-1)).toMatchObject({ kind: "unknown", reason: "no such operation" });
});

test.skipIf(contractsAreAbsent())(
  "the contract check detects wrong types, missing fields and unknown fields",
  () => {
    const label = { id: "a".repeat(24), idBoard: "b".repeat(24), name: "", color: "red" };
    const misfits = (body: unknown, url = "/labels/1") =>
      misfitsOf({ method: "GET", url, status: 200, body });
    expect(misfits(label)).toEqual([]);
    expect(misfits({ ...label, name: 1 })).toEqual([expect.stringContaining("label/name must be string")]);
    expect(misfits({ ...label, moon: 1 })).toEqual(["GET /labels/1: label has a made-up field moon"]);
    const { color, ...rest } = label;
    expect(misfits(rest)).toEqual([expect.stringContaining(`required property 'color'`)]);
    expect(misfits({}, "/moons/1")).toEqual(["GET /moons/1: there is no such operation"]);
  },
);

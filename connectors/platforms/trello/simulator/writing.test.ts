import { expect, test } from "vitest";
import { type Json, trelloForTest } from "./test-world.ts";

type World = Awaited<ReturnType<typeof trelloForTest>>;

async function workspaceOf(trello: World, name: string): Promise<string> {
  return (await trello.get(`/organizations/${name}`)).id;
}

test("everything that a restore writes is read back as written, in order", async () => {
  const trello = await trelloForTest();
  const board = await trello.post("/boards/", {
    name: "Restored <b>quay</b>",
    desc: "As it was",
    idOrganization: await workspaceOf(trello, "meridianfreight"),
    defaultLists: false,
    defaultLabels: false,
    prefs_permissionLevel: "org",
    prefs_voting: "members",
    prefs_comments: "members",
    prefs_selfJoin: false,
    prefs_background: "lime",
  });
  const idBoard = board.id;
  const label = await trello.post("/labels", { name: "urgent", color: "red_light", idBoard });
  const plain = await trello.post("/labels", { name: "plain", color: null, idBoard });
  const second = await trello.post("/lists", { name: "Second", idBoard, pos: 200 });
  const first = await trello.post("/lists", { name: "First", idBoard, pos: 100.5 });
  const field = await trello.post("/customFields", {
    ...{
      idModel: idBoard,
      modelType: "board",
      name: "Depot",
      type: "list",
      pos: 1,
      display_cardFront: false,
    },
    options: [{ value: { text: "Kiruna" }, color: "blue", pos: 1 }],
  });
  const option = await trello.post(`/customFields/${field.id}/options`, {
    value: { text: "Åbo" },
    color: "red",
    pos: 2,
  });
  const tonnes = await trello.post("/customFields", {
    ...{ idModel: idBoard, modelType: "board", name: "Tonnes", type: "number", pos: 2 },
  });
  const me = (await trello.get("/members/me")).id;
  const card = await trello.post("/cards", {
    idList: first.id,
    name: "Card",
    desc: "**text**",
    pos: 12.5,
    due: "2026-12-01T08:00:00.000Z",
    start: "2026-11-20T08:00:00.000Z",
    dueComplete: true,
    idLabels: [label.id, plain.id],
    idMembers: [me],
    coordinates: "57.7,11.9",
    address: "Quay 7",
    locationName: "Göteborg",
    cardRole: null,
  });
  const checklist = await trello.post("/checklists", { idCard: card.id, name: "Papers", pos: 5 });
  await trello.post(`/checklists/${checklist.id}/checkItems`, {
    name: "CMR",
    checked: true,
    pos: 2,
    idMember: me,
  });
  await trello.post(`/checklists/${checklist.id}/checkItems`, {
    name: "T1",
    pos: 1,
    due: "2026-12-02T00:00:00Z",
  });
  await trello.put(`/cards/${card.id}/customFields`, {
    customFieldItems: [
      { idCustomField: field.id, idValue: option.id },
      { idCustomField: tonnes.id, value: { number: "24.75" } },
    ],
  });
  const form = new FormData();
  form.set("name", "Foto ✓.png");
  form.set("mimeType", "image/png");
  form.set("setCover", "true");
  form.set("file", new Blob([new Uint8Array([1, 2, 3])], { type: "image/png" }), "Foto ✓.png");
  const file = await trello.json(`/cards/${card.id}/attachments`, { method: "POST", body: form });
  await trello.post(`/cards/${card.id}/attachments`, { url: "https://ferries.example/", name: "Ferries" });
  await trello.post(`/cards/${card.id}/stickers`, {
    image: "heart",
    top: 1.5,
    left: -20,
    zIndex: 3,
    rotate: 12,
  });
  await trello.put(`/cards/${card.id}`, {
    cover: { idAttachment: file.id, size: "full", brightness: "dark" },
  });
  await trello.post(`/cards/${card.id}/actions/comments`, { text: "@ivo · 2026-01-02\n\nolder" });
  await trello.post(`/cards/${card.id}/actions/comments`, { text: "newer" });
  await trello.post(`/cards/${card.id}/membersVoted`, { value: me });
  await trello.put(`/cards/${card.id}`, { closed: true });
  await trello.put(`/lists/${second.id}`, { closed: true });

  const dump = await (await fetch(`${trello.url}/__sim/trello/boards/${idBoard}/dump`)).json();
  expect(dump).toMatchObject({
    name: "Restored <b>quay</b>",
    desc: "As it was",
    organization: "meridianfreight",
    prefs: {
      permissionLevel: "org",
      voting: "members",
      selfJoin: false,
      background: "lime",
      cardCovers: true,
    },
    labels: [
      { name: "urgent", color: "red_light" },
      { name: "plain", color: null },
    ],
    customFields: [
      {
        ...{ name: "Depot", type: "list", isOnFront: false },
        options: [
          { text: "Kiruna", color: "blue" },
          { text: "Åbo", color: "red" },
        ],
      },
      { name: "Tonnes", type: "number", isOnFront: true, options: [] },
    ],
    lists: [
      { name: "First", isClosed: false },
      { name: "Second", isClosed: true, cards: [] },
    ],
  });
  const { lists } = dump as { lists: { cards: unknown[] }[] };
  expect(lists[0]?.cards).toEqual([
    {
      name: "Card",
      desc: "**text**",
      isClosed: true,
      due: "2026-12-01T08:00:00.000Z",
      dueReminder: null,
      dueComplete: true,
      start: "2026-11-20T08:00:00.000Z",
      address: "Quay 7",
      locationName: "Göteborg",
      coordinates: { latitude: 57.7, longitude: 11.9 },
      cardRole: null,
      isTemplate: false,
      labels: [
        { name: "urgent", color: "red_light" },
        { name: "plain", color: null },
      ],
      members: ["nora_lindqvist"],
      votes: ["nora_lindqvist"],
      cover: {
        color: null,
        idUploadedBackground: null,
        size: "full",
        brightness: "dark",
        attachment: "Foto ✓.png",
      },
      checklists: [
        {
          name: "Papers",
          items: [
            {
              name: "T1",
              state: "incomplete",
              due: "2026-12-02T00:00:00.000Z",
              dueReminder: null,
              member: null,
            },
            { name: "CMR", state: "complete", due: null, dueReminder: null, member: "nora_lindqvist" },
          ],
        },
      ],
      fields: [
        { name: "Depot", value: null, option: "Åbo" },
        { name: "Tonnes", value: { number: "24.75" }, option: null },
      ],
      attachments: [
        expect.objectContaining({ name: "Foto ✓.png", mimeType: "image/png", bytes: 3, isUpload: true }),
        expect.objectContaining({ name: "Ferries", isUpload: false, link: "https://ferries.example/" }),
      ],
      stickers: [{ image: "heart", top: 1.5, left: -20, zIndex: 3, rotate: 12 }],
      comments: [
        expect.objectContaining({ author: "nora_lindqvist", text: "@ivo · 2026-01-02\n\nolder" }),
        expect.objectContaining({ text: "newer" }),
      ],
      pluginData: [],
    },
  ]);
  expect(trello.log.refusals()).toEqual([]);
});

test("a new board has three lists and six labels unless disabled, and names need not be unique", async () => {
  const trello = await trelloForTest();
  const ids = [
    await trello.post("/boards", { name: "Twice" }),
    await trello.post("/boards", { name: "Twice" }),
  ];
  expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
  const [one] = ids;
  const names = (await trello.get<Json[]>(`/boards/${one?.id}/lists`)).map(({ name }) => name);
  expect(names).toEqual(["To Do", "Doing", "Done"]);
  expect(await trello.get<Json[]>(`/boards/${one?.id}/labels`)).toHaveLength(6);
});

test("positions are positive numbers, top or bottom", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  const path = `/boards/${board.id}/lists`;
  for (const pos of [3, 1, 2.5]) await trello.post(path, { name: String(pos), pos });
  await trello.post(path, { name: "last", pos: "bottom" });
  await trello.post(path, { name: "first" });
  const names = (await trello.get<Json[]>(path)).map(({ name }) => name);
  expect(names).toEqual(["first", "1", "2.5", "3", "last"]);
  for (const pos of [0, -1, "middle"]) {
    const body = JSON.stringify({ name: "x", pos });
    expect(await trello.refusalOf(path, { method: "POST", body })).toEqual([400, "invalid value for pos"]);
  }
});

test("custom fields need a paid workspace", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ organization: "harbourworks" });
  const order = { idModel: board.id, modelType: "board", name: "F", type: "text", pos: "bottom" };
  const write = () => trello.ask("/customFields", { method: "POST", body: JSON.stringify(order) });
  const refused = await write();
  expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
    403,
    "PLUGIN_NOT_ENABLED",
  ]);
  await trello.control("organizations/harbourworks/switch", { plan: "standard" });
  expect((await write()).status).toBe(200);
});

test("values of custom fields must fit their type; a list has options and can be unset", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const [card] = board.cards;
  const fieldOf = (type: string) => board.customFields.find((field) => field.type === type)?.id ?? "";
  const put = async (type: string, body: unknown) => {
    const init = { method: "PUT", body: JSON.stringify(body) };
    return (await trello.ask(`/cards/${card?.id}/customField/${fieldOf(type)}/item`, init)).status;
  };
  expect(await put("number", { value: { number: "seven" } })).toBe(400);
  expect(await put("number", { value: { text: "7" } })).toBe(400);
  expect(await put("date", { value: { date: "soon" } })).toBe(400);
  expect(await put("list", { value: {} })).toBe(400);
  expect(await put("list", { idValue: "0".repeat(24) })).toBe(400);
  expect(await put("number", { value: { number: "7" } })).toBe(200);
  expect(await put("text", { value: "" })).toBe(200);
  expect(await put("list", { idValue: "" })).toBe(200);
  expect(await put("checkbox", { value: { checked: "false" } })).toBe(200);
  const left = await trello.get<Json[]>(`/cards/${card?.id}/customFieldItems`);
  expect(left.map(({ value }) => value)).toEqual([{ date: "2026-11-24T06:15:00.000Z" }, { number: "7" }]);
});

test("limits per plan and per object are enforced", async () => {
  const settings = {
    freeAttachmentBytes: 10,
    paidAttachmentBytes: 20,
    checkItemLimit: 1,
    stickerLimit: 1,
    labelLimit: 1,
  };
  const trello = await trelloForTest({
    settings: { ...settings, freeBoardLimit: 2, openListLimit: 2, openCardLimit: 1 },
  });
  const status = async (path: string, body: unknown) =>
    (await trello.ask(path, { method: "POST", body: body instanceof FormData ? body : JSON.stringify(body) }))
      .status;
  const upload = (bytes: number) => {
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(bytes)]), "f.bin");
    return form;
  };
  const cardOn = async (organization: string) => {
    const board = await trello.board({ organization });
    const list = await trello.post("/lists", { name: "L", idBoard: board.id });
    return { board, list, card: await trello.post("/cards", { idList: list.id, name: "C" }) };
  };
  const [free, paid] = [await cardOn("harbourworks"), await cardOn("meridianfreight")];
  expect(await status(`/cards/${free.card.id}/attachments`, upload(11))).toBe(413);
  expect(await status(`/cards/${paid.card.id}/attachments`, upload(11))).toBe(200);
  expect(await status(`/cards/${paid.card.id}/attachments`, upload(21))).toBe(413);
  expect(await status("/cards", { idList: paid.list.id, name: "C2" })).toBe(403);
  const checklist = await trello.post("/checklists", { idCard: paid.card.id, name: "L" });
  expect(await status(`/checklists/${checklist.id}/checkItems`, { name: "1" })).toBe(200);
  expect(await status(`/checklists/${checklist.id}/checkItems`, { name: "2" })).toBe(403);
  const sticker = { image: "star", top: 0, left: 0, zIndex: 1 };
  expect(await status(`/cards/${paid.card.id}/stickers`, sticker)).toBe(200);
  expect(await status(`/cards/${paid.card.id}/stickers`, sticker)).toBe(403);
  const label = { name: "l", color: "red", idBoard: paid.board.id };
  expect([await status("/labels", label), await status("/labels", label)]).toEqual([200, 403]);
  const list = { name: "L", idBoard: paid.board.id };
  expect([await status("/lists", list), await status("/lists", list)]).toEqual([200, 403]);
  const idOrganization = await workspaceOf(trello, "harbourworks");
  expect(
    await status("/boards", { name: "2", idOrganization, defaultLists: false, defaultLabels: false }),
  ).toBe(200);
  expect(
    await status("/boards", { name: "3", idOrganization, defaultLists: false, defaultLabels: false }),
  ).toBe(403);
});

test("ids of another board and values that are too long are invalid", async () => {
  const trello = await trelloForTest();
  const [here, there] = [await trello.board({ content: "full" }), await trello.board({ content: "full" })];
  const idList = here.lists[0]?.id;
  const refusal = (path: string, body: unknown, method = "POST") =>
    trello.refusalOf(path, { method, body: JSON.stringify(body) });
  const card = { idList, name: "x" };
  expect(await refusal("/cards", { ...card, idLabels: [there.labels[0]?.id] })).toEqual([
    400,
    "invalid value for idLabels",
  ]);
  const lena = trello.world.state.members.find(({ username }) => username === "lena_brandt")?.id;
  expect(await refusal("/cards", { ...card, idMembers: [lena] })).toEqual([
    400,
    "invalid value for idMembers",
  ]);
  expect(await refusal("/cards", { ...card, desc: "x".repeat(16_385) })).toEqual([
    400,
    "invalid value for desc",
  ]);
  expect(await refusal("/cards", { ...card, due: "soon" })).toEqual([400, "invalid value for due"]);
  expect(await refusal("/cards", { name: "x" })).toEqual([400, "invalid value for idList"]);
  expect(await refusal("/labels", { name: "x", color: "mauve", idBoard: here.id })).toEqual([
    400,
    "invalid value for color",
  ]);
  const own = here.cards[0]?.id;
  const foreign = there.cards[0]?.attachments[0]?.id;
  expect(await refusal(`/cards/${own}`, { cover: { idAttachment: foreign } }, "PUT")).toEqual([
    400,
    "invalid value for cover",
  ]);
  expect(
    await refusal(
      `/cards/${own}`,
      { cover: { color: "red", idAttachment: here.cards[0]?.attachments[0]?.id } },
      "PUT",
    ),
  ).toEqual([400, "invalid value for cover"]);
  expect(await refusal(`/cards/${own}/stickers`, { image: "moon", top: 0, left: 0, zIndex: 1 })).toEqual([
    400,
    "invalid value for image",
  ]);
  expect(await refusal(`/cards/${own}/attachments`, { url: "javascript:alert(1)" })).toEqual([
    400,
    "invalid value for url",
  ]);
  expect(await refusal(`/cards/${own}/membersVoted`, { value: lena })).toEqual([
    401,
    "unauthorized permission requested",
  ]);
});

test("a card takes the place it is given, also when the request repeats the list it is in", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const [card] = board.cards;
  const idList = card?.idList;
  for (const order of [{ pos: 12.5 }, { idList, pos: 7.25 }]) {
    await trello.put(`/cards/${card?.id}`, order);
    expect(await trello.get(`/cards/${card?.id}`)).toMatchObject({ idList, pos: order.pos });
  }
});

test("changes leave their lines in the history with what was there before", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const [first, second] = board.cards;
  const since = board.actions.at(-1)?.id;
  const other = board.lists[1]?.id;
  await trello.put(`/cards/${first?.id}`, { name: "Renamed", idList: other, pos: "top" });
  await trello.put(`/cards/${first?.id}/idList?value=${board.lists[0]?.id}`, {});
  await trello.put(`/cards/${second?.id}`, { closed: true });
  await trello.remove(`/cards/${second?.id}`);
  const lines = await trello.get<(Json & { data: { old?: object } })[]>(
    `/boards/${board.id}/actions?since=${since}`,
  );
  expect(lines.map(({ type, data }) => [type, data.old]).reverse()).toEqual([
    ["updateCard", { idList: board.lists[0]?.id }],
    ["updateCard", { name: "  leading spaces and a tab\t" }],
    ["updateCard", { idList: other }],
    ["updateCard", { closed: false }],
    ["deleteCard", undefined],
  ]);
  expect(await trello.refusalOf(`/cards/${second?.id}`)).toEqual([
    404,
    "The requested resource was not found.",
  ]);
  const moves = await trello.get<Json[]>(
    `/boards/${board.id}/actions?filter=updateCard:idList&since=${since}`,
  );
  expect(moves).toHaveLength(2);
});

test("only authors edit and delete comments; a deleted comment leaves nothing", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const card = board.cards[1];
  const made = await trello.post(`/cards/${card?.id}/actions/comments`, { text: "one" });
  await trello.put(`/actions/${made.id}`, { text: "two" });
  const shown = await trello.get<{ data: Record<string, unknown> }>(`/actions/${made.id}`);
  expect(shown.data).toMatchObject({ text: "two", dateLastEdited: expect.any(String) });
  const ivo = trello.headerOf("ivo_petrov");
  const change = { as: ivo, method: "PUT", body: JSON.stringify({ text: "three" }) };
  expect(await trello.refusalOf(`/actions/${made.id}`, change)).toEqual([
    401,
    "unauthorized permission requested",
  ]);
  const count = board.actions.length;
  await trello.remove(`/actions/${made.id}`);
  expect(board.actions).toHaveLength(count - 1);
  const created = board.actions.find(({ type }) => type === "createCard")?.id;
  expect((await trello.refusalOf(`/actions/${created}`, { method: "DELETE" }))[0]).toBe(400);
});

test("lists are moved and archived with their cards, a card moves to another board, a deleted label leaves every card", async () => {
  const trello = await trelloForTest();
  const [here, there] = [await trello.board({ content: "full" }), await trello.board({ content: "full" })];
  const [from, to] = [here.lists[0], here.lists[1]];
  const moved = here.cards.filter(({ idList }) => idList === from?.id).length;
  const answer = await trello.post<Json[]>(`/lists/${from?.id}/moveAllCards`, {
    idBoard: here.id,
    idList: to?.id,
  });
  expect(answer).toHaveLength(moved);
  const [label] = here.labels;
  await trello.remove(`/labels/${label?.id}`);
  expect(here.cards.some(({ idLabels }) => idLabels.includes(label?.id ?? ""))).toBe(false);
  const card = here.cards[0];
  const gone = await trello.put(`/cards/${card?.id}/idBoard`, { value: there.id });
  expect(gone).toMatchObject({ id: card?.id, idBoard: there.id, idLabels: [], idShort: there.lastIdShort });
  expect(here.cards).toHaveLength(9);
  // Its comments moved with it.
  const comments = await trello.get<Json[]>(`/cards/${card?.id}/actions?filter=commentCard`);
  expect(comments).toHaveLength(7);
  expect(await trello.get(`/actions/${comments[0]?.id}/board?fields=name`)).toEqual({
    id: there.id,
    name: "Quay",
  });
  await trello.post(`/lists/${to?.id}/archiveAllCards`, {});
  expect(here.cards.filter(({ idList, isClosed }) => idList === to?.id && !isClosed)).toEqual([]);
  await trello.remove(`/boards/${here.id}`);
  expect((await trello.refusalOf(`/cards/${here.cards[0]?.id}`))[0]).toBe(404);
});

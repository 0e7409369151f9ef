import { expect, onTestFinished, test } from "vitest";
import { type Json, temporaryFolder, trelloForTest } from "./test-world.ts";
import { startTrelloSimulator } from "./trello-simulator.ts";

test("unknown outcome: the response is lost but the card exists; a retry creates a second one", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  const { id: idList } = await trello.control(`boards/${board.id}/lists`, { name: "L" });
  trello.fault({ match: { method: "POST", path: "^/1/cards" }, action: { kind: "drop", handled: true } });
  await expect(trello.post("/cards", { idList, name: "once" })).rejects.toThrow();
  await trello.post("/cards", { idList, name: "once" });
  expect(board.cards.map(({ name }) => name)).toEqual(["once", "once"]);
});

test("a gateway timeout returns 504 although the comment was written, for the matching call", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const path = `/cards/${board.cards[1]?.id}/actions/comments`;
  await trello.control("spoil-answers", { method: "POST", path: "/actions/comments$", skip: 1 });
  const statuses = [];
  for (const text of ["one", "two", "three"]) {
    statuses.push((await trello.ask(path, { method: "POST", body: JSON.stringify({ text }) })).status);
  }
  expect(statuses).toEqual([200, 504, 200]);
  const comments = board.actions.filter(
    ({ idCard, type }) => idCard === board.cards[1]?.id && type === "commentCard",
  );
  expect(comments.map(({ data }) => data.text)).toEqual(["one", "two", "three"]);
});

test("a fault set over HTTP affects the matching call, after those it skips", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const order = {
    match: { method: "GET", path: "/actions\\?" },
    skip: 1,
    action: { kind: "answer", status: 500, body: "oh" },
  };
  const answer = await fetch(`${trello.url}/__sim/faults`, { method: "POST", body: JSON.stringify(order) });
  expect(answer.status).toBe(204);
  const path = `/boards/${board.id}/actions?limit=2`;
  const statuses = [];
  for (let index = 0; index < 3; index += 1) statuses.push((await trello.ask(path)).status);
  expect(statuses).toEqual([200, 500, 200]);
});

test("rate limits have Trello's formats", async () => {
  const trello = await trelloForTest();
  const codes = [];
  for (const shape of ["key", "token", "member", "database"]) {
    trello.fault({ match: {}, action: { kind: "rate-limit", shape } });
    const answer = await trello.ask("/members/me/boards");
    codes.push([answer.status, ((await answer.json()) as { error: string }).error]);
  }
  expect(codes).toEqual([
    [429, "API_KEY_LIMIT_EXCEEDED"],
    [429, "API_TOKEN_LIMIT_EXCEEDED"],
    [429, "MEMBER_LIMIT_EXCEEDED"],
    [429, "API_TOKEN_DB_LIMIT_EXCEEDED"],
  ]);
});

test("the storage host has its own faults: cut and refused responses", async () => {
  const trello = await trelloForTest();
  const board = await trello.board({ content: "full" });
  const card = board.cards[0];
  const attachments = await trello.get<(Json & { url: string })[]>(`/cards/${card?.id}/attachments`);
  const scan = attachments.find(({ bytes }) => bytes === 40_000);
  const as = trello.headerOf("nora_lindqvist");
  const download = async () => {
    const first = await fetch(scan?.url ?? "", { redirect: "manual", headers: { Authorization: as } });
    return fetch(first.headers.get("location") ?? "");
  };
  trello.storage.faults.add({ match: {}, action: { kind: "cut", afterBytes: 1_000 } });
  await expect((await download()).arrayBuffer()).rejects.toThrow();
  trello.storage.faults.add({ match: {}, action: { kind: "answer", status: 503 } });
  expect((await download()).status).toBe(503);
  expect((await (await download()).arrayBuffer()).byteLength).toBe(40_000);
  expect(trello.storage.log.requests().map(({ status }) => status)).toEqual([200, 503, 200]);
});

test("a simulator restarted in its folder keeps tokens, boards, history and bytes", async () => {
  const directory = temporaryFolder();
  const first = await startTrelloSimulator({ directory });
  const order = async <T>(base: string, path: string, body: unknown = {}) => {
    const answer = await fetch(`${base}/__sim/trello/${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    return (answer.status === 204 ? null : await answer.json()) as T;
  };
  const fingerprint = async (base: string, id: string) =>
    (await fetch(`${base}/__sim/trello/boards/${id}/fingerprint`)).json();
  const { authorization } = await order<{ authorization: string }>(first.url, "token");
  const { id } = await order<{ id: string }>(first.url, "boards", { name: "Kept", content: "full" });
  const before = await fingerprint(first.url, id);
  await first.stop();

  const second = await startTrelloSimulator({ directory });
  onTestFinished(() => second.stop());
  expect(await fingerprint(second.url, id)).toEqual(before);
  expect(second.world.state.members).toHaveLength(4);
  const init = { headers: { Authorization: authorization }, redirect: "manual" as const };
  const cards = (await (await fetch(`${second.url}/1/boards/${id}/cards?attachments=true`, init)).json()) as {
    attachments: { url: string; bytes: number }[];
  }[];
  const [image] = cards[0]?.attachments ?? [];
  const address = (await fetch(image?.url ?? "", init)).headers.get("location") ?? "";
  expect((await (await fetch(address)).arrayBuffer()).byteLength).toBe(image?.bytes);
});

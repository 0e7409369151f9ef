import { expect, test } from "vitest";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { trelloForTest } from "./test-world.ts";

type World = Awaited<ReturnType<typeof trelloForTest>>;

/** Sends a request several times. Returns the error code of each response, or null without one. */
async function askOften(trello: World, times: number, path: string, as: string): Promise<(string | null)[]> {
  const codes: (string | null)[] = [];
  for (let index = 0; index < times; index += 1) {
    const answer = await trello.ask(path, { as });
    const body = (await answer.json()) as { error?: string };
    codes.push(answer.status === 429 ? (body.error ?? "") : null);
  }
  return codes;
}

test("a token and the whole application have separate limits, and a refusal has no headers about them", async () => {
  const trello = await trelloForTest({ settings: { keyLimit: 8, tokenLimit: 5, windowMs: 60_000 } });
  const board = await trello.board();
  await trello.control(`boards/${board.id}/edit`, { prefs: { permissionLevel: "public" } });
  const path = `/boards/${board.id}?fields=name`;
  const [nora, ivo] = [trello.headerOf("nora_lindqvist"), trello.headerOf("ivo_petrov")];
  const token = "API_TOKEN_LIMIT_EXCEEDED";
  expect(await askOften(trello, 7, path, nora)).toEqual([...Array(5).fill(null), token, token]);
  expect(await askOften(trello, 4, path, ivo)).toEqual([null, null, null, "API_KEY_LIMIT_EXCEEDED"]);
  const answer = await trello.ask(path, { as: ivo });
  expect(answer.status).toBe(429);
  const told = [...answer.headers.keys()].filter((name) => /rate|retry/.test(name));
  expect(told).toEqual([]);
});

test("responses, errors included, tell what is left of the key, the token and the member", async () => {
  const trello = await trelloForTest({ settings: { keyLimit: 300, tokenLimit: 3 } });
  const told = async (path: string, as: string) => {
    const { headers } = await trello.ask(path, { as });
    const own = [...headers].filter(([name]) => name.startsWith("x-rate-limit-"));
    return Object.fromEntries(own.map(([name, value]) => [name.replace("x-rate-limit-", ""), value]));
  };
  const [nora, other] = [trello.headerOf("nora_lindqvist"), trello.headerOf("nora_lindqvist")];
  const figures = (key: string, token: string, member: string) => ({
    ...{ "api-key-interval-ms": "10000", "api-key-max": "300", "api-key-remaining": key },
    ...{ "api-token-interval-ms": "10000", "api-token-max": "3", "api-token-remaining": token },
    ...{ "member-interval-ms": "10000", "member-max": "375", "member-remaining": member },
  });
  expect(await told("/members/me/boards", nora)).toEqual(figures("299", "2", "374"));
  expect(await told("/boards/000000000000000000000000", nora)).toEqual(figures("298", "1", "373"));
  expect(await told("/members/me/boards", other)).toEqual(figures("297", "2", "372"));
  if (contractsAreAbsent()) return;
  const recorded = readContract("trello/recorded.json") as { response: { headers: object } }[];
  const names = new Set(recorded.flatMap(({ response }) => Object.keys(response.headers)));
  expect([...names]).toEqual(
    expect.arrayContaining(Object.keys(figures("", "", "")).map((name) => `x-rate-limit-${name}`)),
  );
});

test("a client that ignores refusals is blocked for the whole application until the window ends", async () => {
  const settings = { keyLimit: 1_000, tokenLimit: 2, blockAfterRefusals: 3, windowMs: 700 };
  const trello = await trelloForTest({ settings });
  const [nora, ivo] = [trello.headerOf("nora_lindqvist"), trello.headerOf("ivo_petrov")];
  const path = "/members/me/organizations";
  await askOften(trello, 2 + 4, path, nora);
  expect(await askOften(trello, 1, path, ivo)).toEqual(["API_KEY_LIMIT_EXCEEDED"]);
  await expect.poll(async () => askOften(trello, 1, path, ivo), { timeout: 5_000 }).toEqual([null]);
});

test("calls about a member have a low limit of their own; paths below a member do not count", async () => {
  const trello = await trelloForTest({ settings: { memberLimit: 2 } });
  const as = trello.headerOf("nora_lindqvist");
  expect(await askOften(trello, 4, "/members/me/boards", as)).toEqual([null, null, null, null]);
  expect(await askOften(trello, 3, "/members/me?fields=id", as)).toEqual([
    null,
    null,
    "MEMBER_LIMIT_EXCEEDED",
  ]);
  expect(await askOften(trello, 1, "/members/me/boards", as)).toEqual([null]);
});

test("each read in a batch counts", async () => {
  const trello = await trelloForTest({ settings: { tokenLimit: 4, windowMs: 60_000 } });
  const as = trello.headerOf("nora_lindqvist");
  const urls = Array.from({ length: 5 }, () => "/members/me/organizations").join(",");
  const answers = await trello.get<Record<string, unknown>[]>(`/batch?urls=${urls}`, as);
  expect(answers.map((answer) => answer.error ?? "read")).toEqual([
    ...["read", "read", "read", "API_TOKEN_LIMIT_EXCEEDED", "API_TOKEN_LIMIT_EXCEEDED"],
  ]);
});

test("the default limits of the simulator are Trello's", async () => {
  const { world } = await trelloForTest();
  expect(world.settings).toMatchObject({ keyLimit: 300, tokenLimit: 100, windowMs: 10_000 });
  expect(world.settings).toMatchObject({
    memberLimit: 100,
    memberRequestLimit: 375,
    memberWindowMs: 900_000,
    blockAfterRefusals: 200,
  });
});

import { expect, test } from "vitest";
import type { HeldPerson } from "#connectors/contract/people.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { people } from "./people.ts";
import { jiraForTest } from "./simulator/test-world.ts";

const READ_AT = Date.UTC(2026, 10, 3);
const held = (...ids: string[]): HeldPerson[] => ids.map((externalId) => ({ externalId, readAt: READ_AT }));

/** A session by the sign-in, whose platform gives these answers in turn. */
function sessionWith(...answers: readonly Response[]) {
  const asked: { url: string; method: string; authorization: string | null; body: unknown }[] = [];
  const session: Session = {
    config: { JIRA_API_URL: "https://api.atlassian.test" },
    fetch: async (url, init) => {
      const authorization = new Headers(init?.headers).get("authorization");
      const answer = answers[asked.length] ?? new Response("no answer was planned", { status: 500 });
      asked.push({ url, method: String(init?.method), authorization, body: JSON.parse(String(init?.body)) });
      return answer;
    },
    accessToken: async (refused) => (refused === undefined ? "token-1" : "token-2"),
    spend: async () => undefined,
    report: async () => undefined,
    clock: { now: () => READ_AT },
    sleep: async () => undefined,
    connectionDetails: { cloudId: "11aa-22bb", siteUrl: "https://meridian.atlassian.test", accountId: "a:1" },
    accountName: "meridian",
    authMethod: "oauth",
    as: () => null,
  };
  return { session, asked };
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(body === null ? null : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

test("a report names ids and times alone, and its answer tells whose names are closed or outdated", async () => {
  const accounts = [
    { accountId: "a:1", status: "closed" },
    { accountId: "a:2", status: "updated" },
    { accountId: "of-somebody-else", status: "closed" },
  ];
  const { session, asked } = sessionWith(answer(200, { accounts }, { "Cycle-Period": "14" }));
  expect(await people.report(session, held("a:1", "a:2", "a:3"))).toEqual({
    news: [
      { externalId: "a:1", state: "closed" },
      { externalId: "a:2", state: "changed" },
    ],
    nextInDays: 14,
  });
  const updatedAt = "2026-11-03T00:00:00.000Z";
  expect(asked).toEqual([
    {
      url: "https://api.atlassian.test/app/report-accounts/",
      method: "POST",
      authorization: "Bearer token-1",
      body: { accounts: ["a:1", "a:2", "a:3"].map((accountId) => ({ accountId, updatedAt })) },
    },
  ]);
});

test.each([
  [null, 7],
  ["7", 7],
  ["0", 7],
  ["P7D", 7],
  ["-3", 7],
  ["9000", 30],
])("nothing to do is 204; the period %j means %i days", async (period, nextInDays) => {
  const headers: Record<string, string> = period === null ? {} : { "Cycle-Period": period };
  const { session } = sessionWith(answer(204, null, headers));
  expect(await people.report(session, held("a:1"))).toEqual({ news: [], nextInDays });
});

test.each([
  [429, { "Retry-After": "120" }, { kind: "rate-limited", retryAt: READ_AT + 120_000 }],
  [401, {}, { kind: "forbidden" }],
  [403, {}, { kind: "forbidden" }],
  [404, {}, { kind: "forbidden" }],
  [503, {}, { kind: "unavailable" }],
])(
  "an answer of %i is a failure of its kind, and no renewal of the access",
  async (status, headers, failure) => {
    const { session, asked } = sessionWith(answer(status, { code: status, message: "No" }, headers));
    await expect(people.report(session, held("a:1"))).rejects.toMatchObject(failure);
    expect(asked).toHaveLength(1);
  },
);

test("an answer of another form is not taken for no news", async () => {
  const { session } = sessionWith(answer(200, { accounts: [{ accountId: "a:1", status: "renamed" }] }));
  await expect(people.report(session, held("a:1"))).rejects.toMatchObject({ kind: "malformed" });
});

test("only a sign-in reports: another method asks with the sign-in, or is refused without a call", async () => {
  const { session, asked } = sessionWith(answer(204, null));
  const byToken: Session = { ...session, authMethod: "token" };
  await expect(people.report(byToken, held("a:1"))).rejects.toMatchObject({ kind: "forbidden" });
  expect(asked).toEqual([]);
  await people.report({ ...byToken, as: (method) => (method === "oauth" ? session : null) }, held("a:1"));
  expect(asked).toHaveLength(1);
});

test("the owner is the person who signed in, and loses the name with the account", async () => {
  const { session } = sessionWith();
  expect(people.ownerOf(session.connectionDetails)).toBe("a:1");
  expect(people.ownerOf({ anything: "else" })).toBeNull();
  expect(await people.renewOwner(session, "closed")).toEqual({
    ...(session.connectionDetails as object),
    fullName: "Former user",
  });
});

test("the simulated Atlassian answers for closed and changed accounts, and refuses what nothing proves", async () => {
  const { url, control, tokenOf, world } = await jiraForTest();
  const person = (name: string) =>
    world.state.people.find(({ email }) => email === `${name}@meridian.example`)!;
  const [ivo, asa, nora] = ["ivo", "asa", "nora"].map((name) => person(name).accountId) as [
    string,
    string,
    string,
  ];
  const report = async (by: string, accounts: unknown) => {
    const response = await fetch(`${url}/app/report-accounts/`, {
      method: "POST",
      headers: { authorization: `Bearer ${by}`, "content-type": "application/json" },
      body: JSON.stringify({ accounts }),
    });
    const text = await response.text();
    return [response.status, response.headers.get("cycle-period"), text === "" ? null : JSON.parse(text)];
  };
  const statusOf = async (by: string, accounts: unknown) => (await report(by, accounts))[0];
  const full = tokenOf("nora@meridian.example").value;
  const at = (ms: number) => new Date(ms).toISOString();
  const all = [ivo, asa, nora].map((accountId) => ({ accountId, updatedAt: at(Date.now() - 1_000) }));
  expect(await report(full, all)).toEqual([204, "7", null]);
  await control("people/ivo@meridian.example/close");
  await control("people/asa@meridian.example/edit", { displayName: "Åsa Nyman" });
  expect(await report(full, all)).toEqual([
    200,
    "7",
    {
      accounts: [
        { accountId: ivo, status: "closed" },
        { accountId: asa, status: "updated" },
      ],
    },
  ]);
  expect(await statusOf(full, [{ accountId: asa, updatedAt: at(Date.now() + 1_000) }])).toBe(204);
  const bare = tokenOf("nora@meridian.example", ["read:jira-work"]).value;
  expect(await statusOf(bare, all)).toBe(401);
  expect(await statusOf("nobody", all)).toBe(401);
  const many = Array.from({ length: 91 }, (_, index) => ({ accountId: `a:${index}`, updatedAt: at(0) }));
  expect(await statusOf(full, many)).toBe(400);
  expect(await statusOf(full, many.slice(1))).toBe(204);
  expect(await statusOf(full, [])).toBe(400);
  expect(await statusOf(full, [{ accountId: "unknown", updatedAt: at(0) }])).toBe(400);
  expect(await statusOf(full, [{ accountId: asa, updatedAt: "yesterday" }])).toBe(400);
});

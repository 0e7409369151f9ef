import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { countSeats } from "./seats.ts";
import { jiraForTest } from "./simulator/test-world.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** A session whose site gives these answers in turn. */
function sessionWith(...answers: readonly [status: number, body: string][]) {
  const asked: string[] = [];
  const renewed: string[] = [];
  const session: Session = {
    config: { JIRA_API_URL: "https://api.atlassian.test" },
    fetch: async (url, init) => {
      const authorization = new Headers(init?.headers).get("authorization");
      const [status, body] = answers[asked.length] ?? [500, "no answer was planned"];
      asked.push(`${init?.method} ${url} ${authorization}`);
      return new Response(body, { status, headers: JSON_TYPE });
    },
    accessToken: async (refused) => {
      if (refused !== undefined) renewed.push(refused);
      return refused === undefined ? "token-1" : "token-2";
    },
    spend: async () => undefined,
    report: async () => undefined,
    clock: { now: () => Date.UTC(2026, 10, 3) },
    sleep: async () => undefined,
    connectionDetails: { cloudId: "11aa-22bb", siteUrl: "https://meridian.atlassian.test" },
    accountName: "meridian",
    authMethod: "oauth",
    as: () => null,
  };
  return { session, asked, renewed };
}

test("the licensed users of the site are Jira's own count across its licences", async () => {
  const { session, asked } = sessionWith([200, '{"key":"license.totalApproximateUserCount","value":"1148"}']);
  expect(await countSeats(session)).toBe(1_148);
  expect(asked).toEqual([
    "GET https://api.atlassian.test/ex/jira/11aa-22bb/rest/api/3/license/approximateLicenseCount Bearer token-1",
  ]);
});

test.each([
  [403, '{"errorMessages":["Only Jira administrators can access license details."],"errors":{}}'],
  [401, '{"code":401,"message":"Unauthorized; scope does not match"}'],
  [404, '{"errorMessages":[],"errors":{}}'],
  [401, '{"code":401,"message":"Unauthorized"}'],
])(
  "a refusal (%i) is forbidden, and costs the connection neither a renewal nor its token",
  async (status, body) => {
    const { session, renewed } = sessionWith([status, body], [status, body]);
    const error = await countSeats(session).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ConnectorError);
    expect((error as ConnectorError).kind).toBe("forbidden");
    expect((error as ConnectorError).message).toContain("licensed users");
    expect(renewed).toEqual([]);
  },
);

test.each(["many", "-1", "1.5", ""])("the count %j is malformed, not a number of users", async (value) => {
  const { session } = sessionWith([200, JSON.stringify({ key: "license.totalApproximateUserCount", value })]);
  await expect(countSeats(session)).rejects.toMatchObject({ kind: "malformed" });
});

test("a simulated site answers an administrator with its active people, and refuses everybody else", async () => {
  const { url, site, world, tokenOf } = await jiraForTest();
  const ask = (email: string, scopes?: string[]) => {
    const { session } = sessionWith();
    return countSeats({
      ...session,
      config: { JIRA_API_URL: url },
      fetch: (address, init) => fetch(address, init),
      accessToken: async () => tokenOf(email, scopes).value,
      connectionDetails: {
        cloudId: site.cloudId,
        siteUrl: "",
        accountId: "",
        fullName: null,
        timeZone: null,
      },
    });
  };
  const people = site.members.flatMap(
    ({ accountId }) => world.state.people.find((each) => each.accountId === accountId) ?? [],
  );
  const active = people.filter(({ isActive, accountType }) => isActive && accountType === "atlassian");
  expect(active.length).toBeGreaterThan(1);
  expect(await ask("nora@meridian.example")).toBe(active.length);
  const other = active.find(({ email }) => email !== "nora@meridian.example")!;
  await expect(ask(other.email)).rejects.toMatchObject({ kind: "forbidden" });
  await expect(ask("nora@meridian.example", ["read:jira-work"])).rejects.toMatchObject({ kind: "forbidden" });
});

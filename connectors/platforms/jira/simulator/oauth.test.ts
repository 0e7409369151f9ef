import { expect, test } from "vitest";
import { startJiraSimulator } from "./jira-simulator.ts";
import { type Json, jiraForTest, jsonOf, temporaryFolder } from "./test-world.ts";

const REDIRECT = "http://localhost:9999/jira/back";
const SCOPES = "read:jira-work read:jira-user offline_access";

type Jira = Awaited<ReturnType<typeof jiraForTest>>;

function requestOf(jira: Jira, more: Record<string, string> = {}): Record<string, string> {
  return {
    audience: "api.atlassian.com",
    client_id: jira.world.settings.clientId,
    scope: SCOPES,
    redirect_uri: REDIRECT,
    state: "s1",
    response_type: "code",
    prompt: "consent",
    ...more,
  };
}

async function consent(
  jira: Jira,
  site: string,
  login = "nora@meridian.example",
  more: Record<string, string> = {},
) {
  const body = new URLSearchParams({ ...requestOf(jira), login, site, decision: "authorize", ...more });
  return fetch(`${jira.url}/authorize`, { method: "POST", body, redirect: "manual" });
}

function trade(jira: Jira, more: Record<string, string>) {
  const { clientId, clientSecret } = jira.world.settings;
  const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret, ...more });
  return fetch(`${jira.url}/oauth/token`, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json" },
  });
}

async function signIn(jira: Jira, cloudId: string): Promise<Json> {
  const location = (await consent(jira, cloudId)).headers.get("location")!;
  const code = new URL(location).searchParams.get("code")!;
  return jsonOf(trade(jira, { grant_type: "authorization_code", code, redirect_uri: REDIRECT }));
}

const resources = (jira: { url: string }, token: string) =>
  jsonOf(
    fetch(`${jira.url}/oauth/token/accessible-resources`, { headers: { Authorization: `Bearer ${token}` } }),
  );

test("the consent page names people, sites and scopes, and sends back a code with the state", async () => {
  const jira = await jiraForTest();
  const page = await (await fetch(`${jira.url}/authorize?${new URLSearchParams(requestOf(jira))}`)).text();
  for (const words of ["Nora Lindqvist", "Meridian Freight", "Harbour Works", "View Jira issue data"]) {
    expect(page).toContain(words);
  }
  const location = new URL((await consent(jira, jira.site.cloudId)).headers.get("location")!);
  expect(location.origin + location.pathname).toBe(REDIRECT);
  expect(location.searchParams.get("state")).toBe("s1");
  const denied = await consent(jira, jira.site.cloudId, undefined, { decision: "cancel" });
  expect(new URL(denied.headers.get("location")!).searchParams.get("error")).toBe("access_denied");
});

test("wrong requests are refused: audience, client, target, prompt, state, scope, a site without access", async () => {
  const jira = await jiraForTest();
  const ask = async (more: Record<string, string>) => {
    const query = new URLSearchParams(requestOf(jira, more));
    const answer = await fetch(`${jira.url}/authorize?${query}`, { redirect: "manual" });
    const location = answer.headers.get("location");
    return location === null ? answer.status : new URL(location).searchParams.get("error");
  };
  expect(await ask({ audience: "" })).toBe(400);
  expect(await ask({ client_id: "x" })).toBe(400);
  expect(await ask({ redirect_uri: "https://evil.example/" })).toBe(400);
  expect(await ask({ prompt: "" })).toBe("invalid_request");
  expect(await ask({ state: "" })).toBe("invalid_request");
  expect(await ask({ scope: "read:everything" })).toBe("invalid_scope");
  expect((await consent(jira, jira.site.cloudId, "lena@harbour.example")).status).toBe(403);
});

test("a code works once; a refresh token works once, and its access token goes on until it expires", async () => {
  const jira = await jiraForTest();
  const location = (await consent(jira, jira.site.cloudId)).headers.get("location")!;
  const code = new URL(location).searchParams.get("code")!;
  const order = { grant_type: "authorization_code", code, redirect_uri: REDIRECT };
  const first = await jsonOf(trade(jira, order));
  expect(first).toMatchObject({ token_type: "Bearer", expires_in: 3_600, scope: SCOPES });
  expect((await trade(jira, order)).status).toBe(403);
  const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token };
  const second = await jsonOf(trade(jira, refresh));
  expect(second.refresh_token).not.toBe(first.refresh_token);
  const again = await trade(jira, refresh);
  expect([again.status, await again.json()]).toEqual([
    403,
    { error: "unauthorized_client", error_description: "refresh_token is invalid" },
  ]);
  for (const token of [first.access_token, second.access_token]) {
    expect((await jira.ask("/myself", { as: `Bearer ${token}` })).status).toBe(200);
  }
  expect((await trade(jira, { ...refresh, client_secret: "wrong" })).status).toBe(401);
});

test("accessible resources are the sites that were chosen, one after the other", async () => {
  const jira = await jiraForTest();
  const [meridian, harbour] = jira.world.state.sites;
  await jira.control("token/revoke");
  const first = await signIn(jira, meridian!.cloudId);
  expect(await resources(jira, first.access_token)).toMatchObject([
    {
      id: meridian!.cloudId,
      url: `${jira.url}/sites/meridian`,
      name: "Meridian Freight",
      scopes: ["read:jira-work", "read:jira-user"],
    },
  ]);
  const hidden = await fetch(`${jira.url}/ex/jira/${harbour!.cloudId}/rest/api/3/myself`, {
    headers: { Authorization: `Bearer ${first.access_token}` },
  });
  expect(hidden.status).toBe(404);
  const second = await signIn(jira, harbour!.cloudId);
  expect((await resources(jira, second.access_token)).map(({ name }: { name: string }) => name)).toEqual([
    "Meridian Freight",
    "Harbour Works",
  ]);
});

test("expired, revoked and unknown tokens are refused, and so are those of people who left", async () => {
  const jira = await jiraForTest();
  const { token, refreshToken } = await jira.control("token");
  const as = `Bearer ${token}`;
  expect((await jira.ask("/myself", { as })).status).toBe(200);
  await jira.control("expire-tokens", { login: "nora@meridian.example" });
  expect(await jira.refusal("/myself", { as })).toEqual([401, { code: 401, message: "Unauthorized" }]);
  const renewed = await jsonOf(trade(jira, { grant_type: "refresh_token", refresh_token: refreshToken }));
  expect((await jira.ask("/myself", { as: `Bearer ${renewed.access_token}` })).status).toBe(200);
  await jira.control("token/revoke");
  expect((await jira.ask("/myself", { as: `Bearer ${renewed.access_token}` })).status).toBe(401);
  expect(
    (await trade(jira, { grant_type: "refresh_token", refresh_token: renewed.refresh_token })).status,
  ).toBe(403);
  expect((await jira.ask("/myself", { as: "Bearer nobody" })).status).toBe(401);
  expect((await jira.ask("/myself", { as: null })).status).toBe(401);
  const ivo = jira.headerOf("ivo@meridian.example");
  await jira.control("sites/meridian/members", { login: "ivo@meridian.example", role: "none" });
  expect((await jira.ask("/myself", { as: ivo })).status).toBe(401);
});

test("scopes are asked for: reading, writing, users, configuration, boards", async () => {
  const jira = await jiraForTest();
  await jira.project();
  const statusOf = async (scopes: string[], path: string, init = {}) => {
    const [status, body] = await jira.refusal(path, {
      as: jira.headerOf("nora@meridian.example", scopes),
      ...init,
    });
    return status === 401 ? body.message : status;
  };
  const MISSING = "Unauthorized; scope does not match";
  expect(await statusOf(["read:jira-user"], "/field")).toBe(MISSING);
  expect(await statusOf(["read:jira-work"], "/field")).toBe(200);
  expect(await statusOf(["read:jira-work"], "/myself")).toBe(MISSING);
  expect(await statusOf(["read:jira-work"], "/workflows/search")).toBe(MISSING);
  expect(await statusOf(["read:jira-work"], "/issue", { method: "POST", body: {} })).toBe(MISSING);
  expect(
    await statusOf(["read:jira-work"], "/search/jql", { method: "POST", body: { jql: "project = QUAY" } }),
  ).toBe(200);
  const agile = { api: "/rest/agile/1.0" };
  expect(await statusOf(["read:jira-work"], "/board", agile)).toBe(MISSING);
  // Boards alone do not suffice: their list names projects, and their configuration has a scope of its own.
  const boards = ["read:board-scope:jira-software"];
  expect(await statusOf(boards, "/board", agile)).toBe(MISSING);
  expect(await statusOf([...boards, "read:project:jira"], "/board", agile)).toBe(200);
  expect(await statusOf([...boards, "read:project:jira"], "/board/1/configuration", agile)).toBe(MISSING);
  const rank = { ...agile, method: "PUT", body: {} };
  expect(await statusOf(["write:sprint:jira-software"], "/issue/rank", rank)).toBe(MISSING);
  expect(await statusOf(["read:jira-work"], "/servicedesk", { api: "/rest/servicedeskapi" })).toBe(MISSING);
});

test("everything is kept across a restart, and addresses follow the new port", async () => {
  const directory = temporaryFolder();
  const first = await startJiraSimulator({ directory, seed: "people" });
  const order = (path: string, body: object) =>
    fetch(`${first.url}/__sim/jira/${path}`, { method: "POST", body: JSON.stringify(body) });
  await order("sites/meridian/projects", { key: "QUAY", name: "Quay", content: "full" });
  const { token } = await jsonOf(order("token", {}));
  const printOf = async ({ url }: { url: string }) =>
    jsonOf(fetch(`${url}/__sim/jira/sites/meridian/projects/QUAY/fingerprint`));
  const before = await printOf(first);
  await first.stop();
  const second = await jiraForTest({ directory });
  expect(await printOf(second)).toEqual(before);
  const [site] = await resources(second, token);
  expect(site.url).toBe(`${second.url}/sites/meridian`);
  expect((await second.ask("/issue/QUAY-1", { as: `Bearer ${token}` })).status).toBe(200);
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { HostCall, HostToken } from "#connectors/contract/host-app.ts";
import { failureOf } from "#tests/conformance/connector/suite.ts";
import { connector } from "./connector.ts";
import { installationGrant, readForgeTokens } from "./installation-grant.ts";
import { type JiraTestWorld, NORA, openJiraWorld } from "./test-world.ts";

const manifest = parse(readFileSync(path.join(import.meta.dirname, "forge/manifest.yml"), "utf8")) as {
  permissions: { scopes: string[] };
};

let world: JiraTestWorld;
let call: HostCall;
beforeAll(async () => {
  world = await openJiraWorld();
  call = {
    siteId: world.site.cloudId,
    siteUrl: "https://meridian.atlassian.net",
    installationId: "installation-1",
    accountId: "712020:nora",
    licence: null,
  };
});
afterAll(() => world.stop());

const io = () => ({
  config: world.config,
  fetch: (url: string, init?: RequestInit) => fetch(url, { ...init, redirect: "manual" as const }),
  clock: { now: () => Date.now() },
});

/** The token that Forge sends for the app, or for a person, with the scopes of our manifest. */
async function tokenOf(
  login?: string,
  more: { scopes?: string[]; lifeMs?: number } = {},
): Promise<HostToken> {
  const order = { scopes: manifest.permissions.scopes, ...(login ? { login } : {}), ...more };
  const { token } = await world.happen<{ token: string }>("/sites/meridian/forge-token", order);
  return readForgeTokens(new Headers({ "x-forge-oauth-system": token })).app!;
}

test("the headers of a call bring the tokens of app and person, with their end", async () => {
  const app = await tokenOf();
  expect(app.expiresAt).toBeGreaterThan(Date.now() + 119 * 60_000);
  const both = { "x-forge-oauth-system": app.accessToken, "x-forge-oauth-user": app.accessToken };
  expect(readForgeTokens(new Headers(both))).toEqual({ app, person: app });
  expect(readForgeTokens(new Headers())).toEqual({ app: null, person: null });
  const endless = `${btoa("{}")}.${btoa('{"a":1}')}.s`.replaceAll("=", "");
  for (const text of ["opaque", endless, "a b", "x".repeat(9_000)])
    expect(readForgeTokens(new Headers({ "x-forge-oauth-system": text })).app, text.slice(0, 20)).toBeNull();
});

test("an administrator of Jira connects the site as the app", async () => {
  const grant = await installationGrant(io(), call, { app: await tokenOf(), person: await tokenOf(NORA) });
  expect(grant).toMatchObject({
    refreshToken: null,
    account: { externalId: call.siteId, name: "meridian", type: "site" },
    details: { cloudId: call.siteId, siteUrl: call.siteUrl, fullName: "Holdfast" },
  });
  expect(grant.accessTokenExpiresAt).toBeGreaterThan(Date.now());
});

test("nobody else connects it: no other person, no call without a person or a token, no other site", async () => {
  const refusal = async (...order: [Partial<HostCall>, Parameters<typeof installationGrant>[2]]) =>
    await failureOf(installationGrant(io(), { ...call, ...order[0] }, order[1]));
  const login = "visitor@meridian.example";
  await world.happen("/people", { email: login, displayName: "Visitor" });
  await world.happen("/sites/meridian/members", { login, role: "user" });
  const [app, person, visitor] = await Promise.all([tokenOf(), tokenOf(NORA), tokenOf(login)]);
  expect(await refusal({}, { app, person: visitor })).toMatchObject({
    kind: "forbidden",
    message: "Only an administrator of Jira can connect this site through the app.",
  });
  expect((await refusal({}, { app, person: null })).kind).toBe("forbidden");
  expect((await refusal({}, { app: null, person })).kind).toBe("forbidden");
  expect((await refusal({ accountId: null }, { app, person })).kind).toBe("forbidden");
  // Tokens of one site do not reach another, whatever the call says.
  expect((await refusal({ siteId: "another-site" }, { app, person })).kind).toBe("gone");
});

test("the app's token reads no more than the manifest declares, and never the bytes of files", async () => {
  const project = await world.makeProject("SCOPE", { content: "full" });
  const ask = (accessToken: string, path: string) =>
    fetch(`${world.simulator.url}/ex/jira/${call.siteId}${path}`, {
      headers: { authorization: `Bearer ${accessToken}` },
      redirect: "manual",
    });
  const narrow = await tokenOf(undefined, { scopes: ["read:app-system-token", "read:jira-user"] });
  expect((await ask(narrow.accessToken, "/rest/api/3/project/search")).status).toBe(401);
  const whole = await tokenOf();
  expect((await ask(whole.accessToken, "/rest/api/3/project/search")).status).toBe(200);
  const attached = world.site.issues
    .filter(({ projectId }) => projectId === project.externalId)
    .flatMap(({ attachments }) => attachments);
  expect(attached.length).toBeGreaterThan(0);
  const file = `/rest/api/3/attachment/content/${attached[0]?.id}`;
  expect((await ask(whole.accessToken, file)).status).toBe(403);
  expect((await ask(await world.issueToken(), file)).status).toBe(303);
});

test("a backup by the app's own token has the issues, and names each file that needs the main site", async () => {
  const project = await world.makeProject("BYAPP", { content: "full" });
  const whole = await world.backUp(project);
  const by =
    (others: Record<string, string> = {}) =>
    async () =>
      world.session({ authMethod: "forge", token: (await tokenOf()).accessToken, others });
  const app = await world.backUp(project, null, await by()());
  const issues = (snapshot: typeof whole) =>
    [...snapshot.entries.keys()].filter((path) => /\/issue\.json$/.test(path)).sort();
  expect(issues(app).length).toBeGreaterThan(0);
  // An issue behind a security level is hidden from the app's account, which is in none.
  expect(issues(whole)).toEqual(expect.arrayContaining(issues(app)));
  const folders = issues(app).map((path) => path.replace("issue.json", ""));
  const files = [...whole.entries.keys()].filter(
    (path) => path.includes("/attachments/") && folders.some((folder) => path.startsWith(folder)),
  );
  expect(files.length).toBeGreaterThan(0);
  const named = app.skipped.filter(({ path }) => path.includes("/attachments/"));
  expect(named.map(({ path }) => path).sort()).toEqual(files.sort());
  for (const { reason } of named) expect(reason).toMatch(/Sign in to Jira on the main site/);
  const both = await world.backUp(project, null, await by({ oauth: await world.issueToken() })());
  expect(both.skipped.filter(({ path }) => path.includes("/attachments/"))).toEqual([]);
});

test("an expired token is refused by Jira as any other", async () => {
  const { accessToken } = await tokenOf(undefined, { lifeMs: -1_000 });
  const query = { kind: "project", place: null, name: null, page: 0, perPage: 10 };
  const failure = await failureOf(connector.listItems(await world.session({ token: accessToken }), query));
  expect(failure.kind).toBe("unauthorized");
});

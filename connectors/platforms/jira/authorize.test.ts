import { afterEach, beforeEach, expect, test } from "vitest";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import { allowInBrowser } from "#tests/conformance/allow-in-browser.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { authoriser } from "./authorize.ts";
import { inventory } from "./inventory.ts";
import { SCOPES } from "./simulator/scopes.ts";
import { type JiraTestWorld, NORA, openJiraWorld } from "./test-world.ts";

let world: JiraTestWorld;
let asked: { url: string; authorization: string | null }[];

beforeEach(async () => {
  world = await openJiraWorld();
  asked = [];
});
afterEach(() => world.stop());

const REDIRECT = "http://localhost:8787/connect/callback";
const io = (): AuthorisationIo => ({
  config: world.config,
  clock: { now: () => Date.now() },
  fetch: (url, init) => {
    asked.push({ url, authorization: new Headers(init?.headers).get("authorization") });
    return fetch(url, { ...init, redirect: "manual" });
  },
});

async function exchangeAt(cloudId: string) {
  const request = { authMethod: "oauth", state: "s", codeChallenge: "", redirectUri: REDIRECT };
  const url = authoriser.consentUrl(world.config, request).replace("&code_challenge=&", "&");
  const back = await allowInBrowser(`${url}&site=${cloudId}`, NORA);
  const answer = {
    authMethod: "oauth",
    code: back.get("code") ?? "",
    codeVerifier: "v",
    redirectUri: REDIRECT,
  };
  return await authoriser.exchange(io(), answer);
}

test("a sign-in at a second site offers both, and the chosen one is the account", async () => {
  const [first, second] = world.simulator.world.state.sites;
  const alone = await exchangeAt(first!.cloudId);
  expect(alone).toMatchObject({
    kind: "granted",
    grant: {
      account: { externalId: first!.cloudId, name: first!.name, type: "site" },
      details: { cloudId: first!.cloudId, fullName: "Nora Lindqvist", timeZone: "Europe/Stockholm" },
    },
  });
  const both = await exchangeAt(second!.cloudId);
  if (both.kind !== "candidates") throw new Error("There is no choice");
  expect(both.candidates.map(({ externalId }) => externalId).sort()).toEqual(
    [first!.cloudId, second!.cloudId].sort(),
  );
  expect(both.candidates.every(({ note }) => note?.startsWith(world.simulator.url))).toBe(true);
  const grant = await authoriser.choose!(io(), both.tokens, second!.cloudId);
  expect(grant.account).toMatchObject({ externalId: second!.cloudId, name: second!.name });
  expect((await failureOf(authoriser.choose!(io(), both.tokens, "another-site"))).kind).toBe("forbidden");
});

test("a refresh token works once: after a lost answer the owner must sign in again", async () => {
  const granted = await exchangeAt(world.site.cloudId);
  if (granted.kind !== "granted") throw new Error("There is no grant");
  const { refreshToken } = granted.grant;
  const renewed = await authoriser.refresh(io(), refreshToken!, "oauth");
  expect(renewed.refreshToken).not.toBe(refreshToken);
  // As if the worker had died before it stored the new token.
  const failure = await failureOf(authoriser.refresh(io(), refreshToken!, "oauth"));
  expect(failure.kind).toBe("unauthorized");
  expect(failure.message).not.toContain(refreshToken);
  expect((await authoriser.refresh(io(), renewed.refreshToken!, "oauth")).accessToken).not.toBe("");
});

test.each([
  ["with scopes at the gateway", Object.keys(SCOPES).filter((scope) => scope !== "offline_access"), false],
  ["without scopes at the site's own address", null, true],
])("an API token %s connects, reads and draws no points", async (_how, scopes, isAtSite) => {
  const { token } = await world.happen<{ token: string }>("/api-token", { scopes });
  const site = world.connectionDetails.siteUrl!;
  const grant = await authoriser.readToken!(io(), `${site} ${NORA}:${token}`);
  expect(grant).toMatchObject({
    accessToken: isAtSite ? `${site} ${NORA}:${token}` : `${NORA}:${token}`,
    refreshToken: null,
    account: { externalId: world.site.cloudId },
  });
  const project = await world.makeProject("OWN", { content: "full" });
  const spent: string[] = [];
  const by = {
    ...(await world.session({ token: grant.accessToken })),
    spend: async (_points: number, quota?: string) => void spent.push(quota ?? "all"),
  };
  const snapshot = await world.backUp(project, null, by);
  expect(snapshot.skipped).toEqual([]);
  expect(
    by.requests.every(
      ({ url }) =>
        url.startsWith(isAtSite ? site : `${world.simulator.url}/ex/jira`) || url.includes("/file/"),
    ),
  ).toBe(true);
  expect(spent).not.toContain("app");
});

test("an API token is sent to no address but Atlassian's", async () => {
  for (const entered of [
    `https://evil.example ${NORA}:secret`,
    `https://meridian.atlassian.net.evil.example ${NORA}:secret`,
    `http://meridian.atlassian.net ${NORA}:secret`,
    `https://x@evil.example/.atlassian.net ${NORA}:secret`,
    `${NORA}:secret`,
    "secret",
  ]) {
    const failure = await failureOf(authoriser.readToken!(io(), entered));
    expect(failure.kind).toBe("unauthorized");
    expect(failure.message).not.toContain("secret");
  }
  expect(asked).toEqual([]);
  const stored = await world.session({ token: `https://evil.example ${NORA}:secret` });
  const query = { kind: "project", place: null, name: null, page: 0, perPage: 10 };
  expect((await failureOf(inventory.listItems(stored, query))).kind).toBe("unauthorized");
  expect(stored.requests).toEqual([]);
});

test("the app inside Jira is connected by its installation", () => {
  const request = { authMethod: "forge", state: "s", codeChallenge: "c", redirectUri: REDIRECT };
  expect(authoriser.consentUrl(world.config, request)).toBe(authoriser.installUrl!(world.config));
});

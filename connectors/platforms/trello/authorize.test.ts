import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_AUTH_METHOD } from "#connectors/contract/descriptor.ts";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { describeWebFlow } from "#tests/conformance/describe-web-flow.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { grantedBy } from "#tests/harness/granted.ts";
import { authoriser } from "./authorize.ts";
import { connector } from "./connector.ts";
import { openTrelloWorld, type TrelloTestWorld } from "./test-world.ts";

const REDIRECT = "http://localhost/connect/trello/callback";
const flow = describeWebFlow({
  authoriser,
  open: openTrelloWorld,
  redirectUri: REDIRECT,
  secretName: "TRELLO_CLIENT_SECRET",
  spentCode: "invalid_grant",
});

let world: TrelloTestWorld;
beforeAll(async () => {
  world = await openTrelloWorld();
});
afterAll(() => world.stop());

const io = (config = world.config): AuthorisationIo => ({
  config,
  fetch: (url, init) => fetch(url, { ...init, redirect: "manual" }),
  clock: { now: () => Date.now() },
});
/** A configuration with only the key of a Power-Up. */
const withoutOauth = () => ({ ...world.config, TRELLO_CLIENT_ID: "", TRELLO_CLIENT_SECRET: "" });
const pageToken = async () => (await world.happen<{ token: string }>("/token", { kind: "legacy" })).token;

test("the consent page requests the scopes of backups and restores, and a refresh token", () => {
  const request = {
    authMethod: DEFAULT_AUTH_METHOD,
    state: "s",
    codeChallenge: flow.codeChallenge,
    redirectUri: REDIRECT,
  };
  const url = new URL(authoriser.consentUrl(world.config, request));
  expect(url.searchParams.get("scope")?.split(" ")).toEqual(
    expect.arrayContaining(["read:board:trello", "write:board:trello", "offline_access"]),
  );
});

test("without an OAuth client users are sent to the token page, which redirects to the hidden page", () => {
  const request = {
    authMethod: DEFAULT_AUTH_METHOD,
    state: "s-1",
    codeChallenge: flow.codeChallenge,
    redirectUri: REDIRECT,
  };
  const url = new URL(authoriser.consentUrl(withoutOauth(), request));
  expect(url.pathname).toBe("/1/authorize");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: "token",
    callback_method: "fragment",
    expiration: "never",
    scope: "read,write",
    return_url: "http://localhost/trello-approve-hidden?state=s-1",
  });
});

test("a token of the token page works as a code or entered manually, and never expires", async () => {
  const token = await pageToken();
  const answer = {
    authMethod: DEFAULT_AUTH_METHOD,
    code: token,
    codeVerifier: "not asked for",
    redirectUri: REDIRECT,
  };
  const grant = await grantedBy(authoriser, io(), authoriser.exchange(io(withoutOauth()), answer));
  expect(grant).toMatchObject({
    accessToken: token,
    refreshToken: null,
    accessTokenExpiresAt: null,
    account: { externalId: world.memberId, name: world.accountName },
  });
  expect(await authoriser.readToken?.(io(), token)).toEqual(grant);
  const by = testSession({ config: world.config, token, accountName: world.accountName });
  expect((await connector.listPlaces(by, { page: 0, perPage: 10 })).items.length).toBeGreaterThan(0);
  expect(by.requests.every(({ url }) => !url.includes(token))).toBe(true);
});

test("an invalid or revoked token is unauthorized and appears in no error", async () => {
  const readToken = (token: string) =>
    authoriser.readToken?.(io(), token) ?? Promise.reject(new Error("absent"));
  expect((await failureOf(readToken("anything at all"))).kind).toBe("unauthorized");
  const token = await pageToken();
  const sent = {
    authorization: `OAuth oauth_consumer_key="${world.config.TRELLO_API_KEY}", oauth_token="${token}"`,
  };
  const revoked = await fetch(`${world.config.TRELLO_API_URL}/tokens/${token}`, {
    method: "DELETE",
    headers: sent,
  });
  expect(revoked.status).toBe(200);
  const failure = await failureOf(readToken(token));
  expect(failure.kind).toBe("unauthorized");
  expect(`${failure.message}${failure.stack}`).not.toContain(token);
});

test("the web flow returns tokens valid for an hour and the account with its id", async () => {
  const grant = await flow.grant();
  expect(grant.account).toMatchObject({ externalId: world.memberId, name: world.accountName, type: "User" });
  expect(grant.details).toMatchObject({ memberId: world.memberId });
  const lasts = (grant.accessTokenExpiresAt ?? 0) - Date.now();
  expect(lasts).toBeGreaterThan(3_500_000);
  expect(lasts).toBeLessThanOrEqual(3_600_000);
});

import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { trelloForTest } from "./test-world.ts";

const CALLBACK = "http://localhost:4321/trello/callback?from=here";
const SCOPE = "read:board:trello read:member:trello read:organization:trello offline_access";

type World = Awaited<ReturnType<typeof trelloForTest>>;
type Grant = { access_token: string; refresh_token: string; expires_in: number; scope: string };

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

/** Goes through the consent page like a browser. Returns the URL it redirects to. */
async function consent(trello: World, query: Record<string, string>, decision = "authorize"): Promise<URL> {
  const page = await fetch(`${trello.url}/authorize?${new URLSearchParams(query)}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Nora Lindqvist")]);
  const form = { ...query, login: "nora_lindqvist", decision };
  const init = { method: "POST", body: new URLSearchParams(form), redirect: "manual" as const };
  const answer = await fetch(`${trello.url}/authorize`, init);
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get("location") ?? "");
}

function questionOf(trello: World, verifier: string): Record<string, string> {
  return {
    audience: "api.atlassian.com",
    client_id: trello.world.settings.clientId,
    redirect_uri: CALLBACK,
    response_type: "code",
    prompt: "consent",
    scope: SCOPE,
    state: "st4te",
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
  };
}

async function trade(trello: World, body: Record<string, string>, address = "/authorize/oauth/token") {
  const { clientId, clientSecret } = trello.world.settings;
  const answer = await fetch(`${trello.url}${address}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, ...body }),
  });
  return { status: answer.status, body: (await answer.json()) as Grant & { error: string } };
}

async function signIn(trello: World, scope = SCOPE): Promise<Grant> {
  const verifier = randomBytes(32).toString("base64url");
  const back = await consent(trello, { ...questionOf(trello, verifier), scope });
  const code = back.searchParams.get("code") ?? "";
  const order = { grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: verifier };
  const { status, body } = await trade(trello, order);
  expect(status).toBe(200);
  return body;
}

test("OAuth 2.0 gives a token after consent, and a refresh token works once", async () => {
  const trello = await trelloForTest();
  const grant = await signIn(trello);
  expect(grant).toMatchObject({ expires_in: 3600, scope: SCOPE });
  const me = await trello.get("/members/me", `Bearer ${grant.access_token}`);
  expect(me).toMatchObject({ username: "nora_lindqvist", email: "nora@meridian.example" });
  const order = { grant_type: "refresh_token", refresh_token: grant.refresh_token };
  const second = await trade(trello, order, "/oauth/token");
  expect(second.status).toBe(200);
  expect(second.body.refresh_token).not.toBe(grant.refresh_token);
  await trello.get("/members/me/boards", `Bearer ${second.body.access_token}`);
  expect(await trade(trello, order)).toMatchObject({ status: 403, body: { error: "unauthorized_client" } });
  expect(trello.log.refusals()).toEqual([]);
});

test("a code needs its verifier and redirect URI, and works once", async () => {
  const trello = await trelloForTest();
  const verifier = randomBytes(32).toString("base64url");
  const back = await consent(trello, questionOf(trello, verifier));
  expect(back.searchParams.get("state")).toBe("st4te");
  expect(back.searchParams.get("from")).toBe("here");
  const code = back.searchParams.get("code") ?? "";
  const order = { grant_type: "authorization_code", code, redirect_uri: CALLBACK };
  const wrong = await trade(trello, { ...order, code_verifier: "something else" });
  expect(wrong).toMatchObject({ status: 403, body: { error: "invalid_grant" } });
  const late = await trade(trello, { ...order, code_verifier: verifier });
  expect(late).toMatchObject({ status: 403, body: { error: "invalid_grant" } });
});

test("denying, a missing challenge, unknown scopes and foreign redirect URIs each fail in their own way", async () => {
  const trello = await trelloForTest();
  const question = questionOf(trello, "v");
  const denied = await consent(trello, question, "cancel");
  expect(denied.searchParams.get("error")).toBe("access_denied");
  const leadsTo = async (change: Record<string, string>) => {
    const query = new URLSearchParams({ ...question, ...change });
    const answer = await fetch(`${trello.url}/authorize?${query}`, { redirect: "manual" });
    return [answer.status, new URL(answer.headers.get("location") ?? "http://x").searchParams.get("error")];
  };
  expect(await leadsTo({ code_challenge: "" })).toEqual([302, "invalid_request"]);
  expect(await leadsTo({ scope: "read:moon:trello" })).toEqual([302, "invalid_scope"]);
  expect(await leadsTo({ response_type: "token" })).toEqual([302, "unsupported_response_type"]);
  expect(await leadsTo({ redirect_uri: "https://elsewhere.example/" })).toEqual([400, null]);
  expect(await leadsTo({ client_id: "nobody" })).toEqual([400, null]);
});

test("without offline_access there is no refresh token, and scopes limit a token", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  const grant = await signIn(trello, "read:board:trello");
  expect(grant.refresh_token).toBeUndefined();
  const as = `Bearer ${grant.access_token}`;
  await trello.get(`/boards/${board.id}`, as);
  expect(await trello.refusalOf("/members/me", { as })).toEqual([401, "missing scopes"]);
  const body = JSON.stringify({ name: "New", idBoard: board.id });
  expect(await trello.refusalOf("/lists", { as, method: "POST", body })).toEqual([401, "missing scopes"]);
});

test("the token page returns the token, or a refusal, in the fragment", async () => {
  const trello = await trelloForTest();
  const question = {
    key: trello.world.settings.apiKey,
    name: "Holdfast",
    expiration: "never",
    scope: "read,write",
    response_type: "token",
    return_url: CALLBACK,
  };
  const page = await fetch(`${trello.url}/1/authorize?${new URLSearchParams(question)}`);
  expect(await page.text()).toContain("Change your boards and workspaces");
  const decide = async (decision: string) => {
    const body = new URLSearchParams({ ...question, login: "ivo_petrov", decision });
    const answer = await fetch(`${trello.url}/1/authorize`, { method: "POST", body, redirect: "manual" });
    return new URL(answer.headers.get("location") ?? "");
  };
  expect((await decide("cancel")).hash).toBe("#error=Token%20request%20rejected");
  const { hash, search } = await decide("authorize");
  expect(search).toBe("?from=here");
  const token = /^#token=(ATTA[0-9a-f]{72})$/.exec(hash)?.[1];
  const as = `OAuth oauth_consumer_key="${question.key}", oauth_token="${token}"`;
  // Without the scope `account` the e-mail address is hidden.
  expect(await trello.get("/members/me", as)).toMatchObject({ username: "ivo_petrov", email: null });
  const foreign = { ...question, return_url: "https://elsewhere.example/" };
  expect((await fetch(`${trello.url}/1/authorize?${new URLSearchParams(foreign)}`)).status).toBe(400);
});

test("revoked, expired, wrong and missing credentials have different plain-text errors", async () => {
  const trello = await trelloForTest();
  const as = trello.headerOf("nora_lindqvist");
  const token = /oauth_token="(\w+)"/.exec(as)?.[1] ?? "";
  expect(await trello.get(`/tokens/${token}`, as)).toMatchObject({ dateExpires: null });
  await trello.json(`/tokens/${token}`, { method: "DELETE", as });
  expect(await trello.refusalOf("/members/me", { as })).toEqual([401, "invalid token"]);
  const refusal = (header: string | null) => trello.refusalOf("/members/me", { as: header });
  expect(await refusal(null)).toEqual([401, "unauthorized permission requested"]);
  expect(await refusal('OAuth oauth_consumer_key="x", oauth_token="y"')).toEqual([401, "invalid key"]);
  const { apiKey } = trello.world.settings;
  expect(await refusal(`OAuth oauth_consumer_key="${apiKey}"`)).toEqual([401, "missing scopes"]);
  const made = await trello.control<{ authorization: string }>("token", { kind: "oauth2" });
  await trello.get("/members/me", made.authorization);
  await trello.control("expire-tokens");
  expect(await refusal(made.authorization)).toEqual([401, "invalid token"]);
  const grant = await signIn(trello);
  const { clientId, clientSecret } = trello.world.settings;
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    token: grant.refresh_token,
  });
  expect((await fetch(`${trello.url}/oauth/revoke`, { method: "POST", body })).status).toBe(200);
  expect(await refusal(`Bearer ${grant.access_token}`)).toEqual([401, "invalid token"]);
});

test("a read-only token of the token page cannot write, and credentials in the URL are recorded", async () => {
  const trello = await trelloForTest();
  const board = await trello.board();
  const as = trello.headerOf("nora_lindqvist", ["read"]);
  const body = JSON.stringify({ name: "x" });
  expect(await trello.refusalOf(`/boards/${board.id}/lists`, { as, method: "POST", body })).toEqual([
    401,
    "unauthorized permission requested",
  ]);
  const token = /oauth_token="(\w+)"/.exec(as)?.[1] ?? "";
  await trello.json(`/boards/${board.id}?key=${trello.world.settings.apiKey}&token=${token}`, { as: null });
  expect(trello.log.refusals().map(({ reason }) => reason)).toEqual([
    "credentials in the address land in logs",
  ]);
});

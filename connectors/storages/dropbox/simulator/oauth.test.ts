import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { DEFAULT_DROPBOX_SETTINGS } from "./dropbox-simulator.ts";
import { dropboxForTest } from "./test-world.ts";

const VERIFIER = "a-verifier-of-at-least-forty-three-characters-long";
const REDIRECT = "http://localhost:5173/connect/storage/callback";
const { clientId, clientSecret } = DEFAULT_DROPBOX_SETTINGS;

type World = Awaited<ReturnType<typeof dropboxForTest>>;

function request(more: Record<string, string> = {}): Record<string, string> {
  return {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: "code",
    token_access_type: "offline",
    scope: "account_info.read files.content.write files.metadata.read",
    state: "opaque",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  };
}

async function decide(dropbox: World, decision: "authorize" | "cancel", more = {}): Promise<URL> {
  const answer = await fetch(`${dropbox.webUrl}/oauth2/authorize`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(request({ login: "nora-lindqvist", decision, ...more })),
  });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get("location") ?? "");
}

async function trade(dropbox: World, parameters: Record<string, string>) {
  const answer = await fetch(`${dropbox.apiUrl}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...parameters }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

function withCode(code: string): Record<string, string> {
  return { grant_type: "authorization_code", code, redirect_uri: REDIRECT, code_verifier: VERIFIER };
}

async function signIn(dropbox: World, more = {}) {
  const back = await decide(dropbox, "authorize", more);
  return trade(dropbox, withCode(back.searchParams.get("code") ?? ""));
}

test("the consent page lists the scopes and keeps the request's parameters", async () => {
  const dropbox = await dropboxForTest();
  const answer = await fetch(`${dropbox.webUrl}/oauth2/authorize?${new URLSearchParams(request())}`);
  const page = await answer.text();
  expect(page).toContain("Allow Holdfast");
  expect(page).toContain("nora@meridian.example");
  expect(page).toContain("files.content.write");
  expect(page).toContain('name="state" value="opaque"');
});

test("a code gives a four-hour token once, only with its verifier", async () => {
  const dropbox = await dropboxForTest();
  const back = await decide(dropbox, "authorize");
  expect([`${back.origin}${back.pathname}`, back.searchParams.get("state")]).toEqual([REDIRECT, "opaque"]);
  const right = withCode(back.searchParams.get("code") ?? "");
  expect((await trade(dropbox, { ...right, code_verifier: "guessed" })).body.error).toBe("invalid_grant");
  expect((await trade(dropbox, { ...right, client_secret: "wrong" })).status).toBe(401);
  const done = await trade(dropbox, right);
  expect(done.body).toMatchObject({ token_type: "bearer", expires_in: 14_400 });
  expect(done.body.account_id).toMatch(/^dbid:.{35}$/);
  const account = await dropbox.call("users/get_current_account", null, done.body.access_token);
  expect(account.json).toMatchObject({ email: "nora@meridian.example", account_id: done.body.account_id });
  expect((await trade(dropbox, right)).body.error).toBe("invalid_grant");
});

test("a refresh token requires offline access, does not change and can be reused", async () => {
  const dropbox = await dropboxForTest();
  expect((await signIn(dropbox, { token_access_type: "online" })).body.refresh_token).toBeUndefined();
  const first = await signIn(dropbox);
  await dropbox.control("/dropbox/expire-tokens");
  const expired = await dropbox.call("users/get_space_usage", null, first.body.access_token);
  expect([expired.status, expired.json.error]).toEqual([401, { ".tag": "expired_access_token" }]);
  const refresh = { grant_type: "refresh_token", refresh_token: first.body.refresh_token ?? "" };
  for (let time = 0; time < 2; time += 1) {
    const { body } = await trade(dropbox, refresh);
    expect(body.refresh_token).toBeUndefined();
    expect((await dropbox.call("users/get_space_usage", null, body.access_token)).status).toBe(200);
  }
});

test("revoking a grant revokes all its tokens", async () => {
  const dropbox = await dropboxForTest();
  const { body } = await signIn(dropbox);
  expect((await dropbox.call("auth/token/revoke", null, body.access_token)).text).toBe("null");
  const refused = await dropbox.call("users/get_space_usage", null, body.access_token);
  expect([refused.status, refused.json.error]).toEqual([401, { ".tag": "invalid_access_token" }]);
  const refresh = { grant_type: "refresh_token", refresh_token: body.refresh_token ?? "" };
  expect((await trade(dropbox, refresh)).body.error).toBe("invalid_grant");
});

test("a call beyond the grant's scopes is refused with the missing scope", async () => {
  const dropbox = await dropboxForTest();
  const reader = dropbox.tokenOf("nora-lindqvist", ["files.metadata.read"]);
  const refused = await dropbox.call("files/create_folder_v2", { path: "/a" }, reader);
  expect(refused.status).toBe(401);
  expect(refused.json.error).toEqual({ ".tag": "missing_scope", required_scope: "files.content.write" });
});

test("denying returns access_denied; a foreign redirect URI, client or scope is not followed", async () => {
  const dropbox = await dropboxForTest();
  expect((await decide(dropbox, "cancel")).searchParams.get("error")).toBe("access_denied");
  for (const [name, value] of [
    ["redirect_uri", "https://evil.example/"],
    ["client_id", "x"],
    ["scope", "all"],
  ] as const) {
    const query = new URLSearchParams(request({ [name]: value }));
    const answer = await fetch(`${dropbox.webUrl}/oauth2/authorize?${query}`, { redirect: "manual" });
    expect(answer.status).toBe(400);
  }
});

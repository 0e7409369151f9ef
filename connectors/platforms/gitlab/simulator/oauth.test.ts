import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { DEFAULT_GITLAB_SETTINGS } from "./gitlab-simulator.ts";
import { gitlabForTest } from "./test-world.ts";

const VERIFIER = "a-verifier-of-at-least-forty-three-characters-long";
const REDIRECT = "http://localhost:5173/connect/gitlab/callback";
const { clientId, clientSecret } = DEFAULT_GITLAB_SETTINGS;

type World = Awaited<ReturnType<typeof gitlabForTest>>;

function request(more: Record<string, string> = {}): Record<string, string> {
  return {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: "code",
    scope: "read_api read_repository",
    state: "opaque",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  };
}

async function decide(gitlab: World, decision: "authorize" | "cancel"): Promise<URL> {
  const answer = await fetch(`${gitlab.url}/oauth/authorize`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(request({ login: "nora-lindqvist", decision })),
  });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get("location") ?? "");
}

async function post(gitlab: World, path: string, parameters: Record<string, string>) {
  const answer = await fetch(`${gitlab.url}${path}`, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...parameters }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

async function signIn(gitlab: World) {
  const code = (await decide(gitlab, "authorize")).searchParams.get("code") ?? "";
  const parameters = {
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
  };
  return { parameters, answer: await post(gitlab, "/oauth/token", parameters) };
}

test("the consent page lists the scopes, lets the user choose a person and keeps the request's parameters", async () => {
  const gitlab = await gitlabForTest();
  const answer = await fetch(`${gitlab.url}/oauth/authorize?${new URLSearchParams(request())}`);
  const page = await answer.text();
  expect(page).toContain("Authorize Holdfast");
  expect(page).toContain("Ivo Petrov");
  expect(page).toContain("read_repository");
  expect(page).toContain('name="state" value="opaque"');
});

test("an authorisation code gives a two-hour token once, only with its verifier", async () => {
  const gitlab = await gitlabForTest();
  const back = await decide(gitlab, "authorize");
  expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
  const code = back.searchParams.get("code") ?? "";
  const right = {
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
  };
  const guessed = await post(gitlab, "/oauth/token", { ...right, code_verifier: "guessed" });
  expect([guessed.status, guessed.body.error]).toEqual([400, "invalid_grant"]);
  const elsewhere = await post(gitlab, "/oauth/token", { ...right, redirect_uri: `${REDIRECT}/x` });
  expect(elsewhere.body.error).toBe("invalid_grant");
  const stranger = await post(gitlab, "/oauth/token", { ...right, client_secret: "wrong" });
  expect([stranger.status, stranger.body.error]).toEqual([401, "invalid_client"]);
  const done = await post(gitlab, "/oauth/token", right);
  expect(done.body).toMatchObject({
    token_type: "Bearer",
    expires_in: 7_200,
    scope: "read_api read_repository",
  });
  expect((await gitlab.ask("/user", done.body.access_token ?? "")).status).toBe(200);
  expect((await post(gitlab, "/oauth/token", right)).body.error).toBe("invalid_grant");
});

test("a refresh token works once, revokes its access token and outlives it", async () => {
  const gitlab = await gitlabForTest();
  const { answer: first } = await signIn(gitlab);
  await gitlab.control("/gitlab/expire-tokens");
  const expired = await gitlab.ask("/user", first.body.access_token ?? "");
  expect(await expired.json()).toMatchObject({ error: "invalid_token" });
  const refresh = { grant_type: "refresh_token", refresh_token: first.body.refresh_token ?? "" };
  const second = await post(gitlab, "/oauth/token", refresh);
  expect((await gitlab.ask("/user", second.body.access_token ?? "")).status).toBe(200);
  const again = await post(gitlab, "/oauth/token", refresh);
  expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
});

test("a revoked token is refused with its reason and cannot be refreshed", async () => {
  const gitlab = await gitlabForTest();
  const { answer } = await signIn(gitlab);
  const { access_token = "", refresh_token = "" } = answer.body;
  expect((await post(gitlab, "/oauth/revoke", { token: access_token, client_secret: "wrong" })).status).toBe(
    403,
  );
  expect((await post(gitlab, "/oauth/revoke", { token: access_token })).status).toBe(200);
  const refused = await gitlab.ask("/user", access_token);
  expect(refused.status).toBe(401);
  expect(((await refused.json()) as { error_description: string }).error_description).toContain("revoked");
  const refresh = { grant_type: "refresh_token", refresh_token };
  expect((await post(gitlab, "/oauth/token", refresh)).body.error).toBe("invalid_grant");
  expect((await gitlab.ask("/user", "never-issued")).status).toBe(401);
});

test("denying returns access_denied; a foreign callback or client is not followed; an unknown scope is returned as an error", async () => {
  const gitlab = await gitlabForTest();
  const back = await decide(gitlab, "cancel");
  expect([back.searchParams.get("error"), back.searchParams.get("state")]).toEqual([
    "access_denied",
    "opaque",
  ]);
  const open = (more: Record<string, string>) =>
    fetch(`${gitlab.url}/oauth/authorize?${new URLSearchParams(request(more))}`, { redirect: "manual" });
  expect((await open({ redirect_uri: "https://evil.example/" })).status).toBe(401);
  expect((await open({ client_id: "nobody" })).status).toBe(401);
  const scope = await open({ scope: "sudo" });
  expect(new URL(scope.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_scope");
});

test("a token can do only what its scopes allow", async () => {
  const gitlab = await gitlabForTest();
  const reader = gitlab.tokenOf("nora-lindqvist", ["read_api"]);
  expect((await gitlab.ask("/projects?membership=true", reader)).status).toBe(200);
  const write = await gitlab.ask("/projects", reader, { method: "POST", body: '{"name":"x"}' });
  expect(write.status).toBe(403);
  expect(await write.json()).toMatchObject({ error: "insufficient_scope", scope: "api" });
  const git = gitlab.tokenOf("nora-lindqvist", ["read_repository"]);
  expect((await gitlab.ask("/projects", git)).status).toBe(403);
});

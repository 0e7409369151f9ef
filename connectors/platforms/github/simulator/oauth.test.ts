import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { DEFAULT_GITHUB_SETTINGS } from "./github-simulator.ts";
import { githubForTest } from "./test-world.ts";

const VERIFIER = "a-verifier-of-at-least-forty-three-characters-long";
const REDIRECT = "http://localhost:5173/connect/github/callback";
const { clientId, clientSecret } = DEFAULT_GITHUB_SETTINGS;

type Github = Awaited<ReturnType<typeof githubForTest>>;

function request(more: Record<string, string> = {}): Record<string, string> {
  const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
  return {
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: "opaque",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
}

async function decide(github: Github, decision: "authorize" | "cancel"): Promise<URL> {
  const answer = await fetch(`${github.webUrl}/login/oauth/authorize`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(request({ login: "nora-lindqvist", decision })),
  });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get("location") ?? "");
}

async function trade(github: Github, parameters: Record<string, string>): Promise<Record<string, string>> {
  const answer = await fetch(`${github.webUrl}/login/oauth/access_token`, {
    method: "POST",
    headers: { Accept: "application/json" },
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...parameters }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, string>;
}

test("the consent page names the App, lets the user choose a person and keeps the request's parameters", async () => {
  const github = await githubForTest();
  const answer = await fetch(`${github.webUrl}/login/oauth/authorize?${new URLSearchParams(request())}`);
  const page = await answer.text();
  expect(page).toContain("Authorize Holdfast");
  expect(page).toContain("Ivo Petrov");
  expect(page).toContain('name="state" value="opaque"');
});

test("an authorisation code gives a token once, only with its verifier", async () => {
  const github = await githubForTest();
  const back = await decide(github, "authorize");
  expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
  expect(back.searchParams.get("state")).toBe("opaque");
  const code = back.searchParams.get("code") ?? "";
  const wrong = await trade(github, { code, redirect_uri: REDIRECT, code_verifier: "guessed" });
  expect(wrong.error).toBe("bad_verification_code");
  const elsewhere = await trade(github, { code, redirect_uri: `${REDIRECT}/x`, code_verifier: VERIFIER });
  expect(elsewhere.error).toBe("redirect_uri_mismatch");
  const right = await trade(github, { code, redirect_uri: REDIRECT, code_verifier: VERIFIER });
  expect(right).toMatchObject({ token_type: "bearer", scope: "", expires_in: 28_800 });
  expect(right.access_token).toMatch(/^ghu_/);
  expect((await github.ask("/user", right.access_token ?? "")).status).toBe(200);
  const again = await trade(github, { code, redirect_uri: REDIRECT, code_verifier: VERIFIER });
  expect(again.error).toBe("bad_verification_code");
});

test("a refresh token works once and revokes its access token", async () => {
  const github = await githubForTest();
  const code = (await decide(github, "authorize")).searchParams.get("code") ?? "";
  const first = await trade(github, { code, code_verifier: VERIFIER });
  await github.control("/github/expire-tokens");
  const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token ?? "" };
  const second = await trade(github, refresh);
  expect(second.access_token).not.toBe(first.access_token);
  expect((await github.ask("/user", second.access_token ?? "")).status).toBe(200);
  expect((await github.ask("/user", first.access_token ?? "")).status).toBe(401);
  expect((await trade(github, refresh)).error).toBe("bad_refresh_token");
});

test("errors have status 200 and are form-encoded unless JSON is requested", async () => {
  const github = await githubForTest();
  const denied = await trade(github, { code: "x", client_secret: "wrong" });
  expect(denied.error).toBe("incorrect_client_credentials");
  const answer = await fetch(`${github.webUrl}/login/oauth/access_token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code: "x" }),
  });
  expect(new URLSearchParams(await answer.text()).get("error")).toBe("bad_verification_code");
});

test("unknown parameters, wrong types and malformed bodies are refused", async () => {
  const github = await githubForTest();
  const page = new URLSearchParams(request({ colour: "blue" }));
  expect((await fetch(`${github.webUrl}/login/oauth/authorize?${page}`)).status).toBe(400);
  const ask = async (body: string) =>
    (
      await fetch(`${github.webUrl}/login/oauth/access_token`, {
        method: "POST",
        headers: { Accept: "application/json", "Content-Type": "application/json" },
        body,
      })
    ).status;
  for (const body of ["{", '{"code":7}', '{"password":"x"}', '{"code":{"a":1}}'])
    expect([body, await ask(body)]).toEqual([body, 400]);
  expect(await ask(JSON.stringify({ client_id: clientId, client_secret: clientSecret, code: "x" }))).toBe(
    200,
  );
  expect(github.log.refusals()).toHaveLength(5);
});

test("cancelling returns access_denied, and a foreign callback is not followed", async () => {
  const github = await githubForTest();
  const back = await decide(github, "cancel");
  expect([back.searchParams.get("error"), back.searchParams.get("state")]).toEqual([
    "access_denied",
    "opaque",
  ]);
  const foreign = new URLSearchParams(request({ redirect_uri: "https://evil.example/" }));
  expect((await fetch(`${github.webUrl}/login/oauth/authorize?${foreign}`)).status).toBe(400);
  const nobody = new URLSearchParams(request({ client_id: "Iv1.nobody" }));
  expect((await fetch(`${github.webUrl}/login/oauth/authorize?${nobody}`)).status).toBe(404);
});

test("revoking a grant revokes every token of the user", async () => {
  const github = await githubForTest();
  const [one, two] = [github.tokenOf("nora-lindqvist"), github.tokenOf("nora-lindqvist")];
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  const revoke = (authorization: string) =>
    github.ask(`/applications/${clientId}/grant`, null, {
      method: "DELETE",
      headers: { Authorization: authorization },
      body: JSON.stringify({ access_token: one }),
    });
  expect((await revoke("Basic wrong")).status).toBe(401);
  expect((await revoke(basic)).status).toBe(204);
  expect((await github.ask("/user", two)).status).toBe(401);
});

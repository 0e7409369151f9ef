import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { authoriser, configSchema } from "./authorize.ts";
import { type GithubTestWorld, openGithubWorld } from "./test-world.ts";

let world: GithubTestWorld;
let io: AuthorisationIo;
const REDIRECT = "http://localhost:8787/connect/github/callback";
const VERIFIER = "a-verifier-of-more-than-forty-three-characters-000";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

beforeAll(async () => {
  world = await openGithubWorld();
  io = { config: world.config, fetch: (url, init) => fetch(url, init), clock: { now: () => Date.now() } };
});
afterAll(() => world.stop());

/** Goes to the consent page as Nora and allows; returns the code that GitHub sends back. */
async function consent(state = "s1"): Promise<string> {
  const url = new URL(
    authoriser.consentUrl(io.config, { state, codeChallenge: CHALLENGE, redirectUri: REDIRECT }),
  );
  const form = new URLSearchParams(url.searchParams);
  form.set("login", "nora-lindqvist");
  form.set("decision", "authorize");
  const answer = await fetch(`${url.origin}${url.pathname}`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const back = new URL(answer.headers.get("location") ?? "");
  expect(back.searchParams.get("state")).toBe(state);
  return back.searchParams.get("code") ?? "";
}

const exchange = (code: string, codeVerifier = VERIFIER) =>
  authoriser.exchange(io, { code, codeVerifier, redirectUri: REDIRECT });

test("the web flow ends with tokens, the account and where the App is installed", async () => {
  const grant = await exchange(await consent());
  expect(grant.account).toMatchObject({ name: "nora-lindqvist", type: "User" });
  expect(grant.accessToken).toMatch(/^ghu_/);
  expect(grant.refreshToken).toMatch(/^ghr_/);
  expect(grant.accessTokenExpiresAt).toBeGreaterThan(Date.now());
  expect(grant.details).toMatchObject({ installUrl: expect.stringContaining("/apps/") });
  expect(JSON.stringify(grant.details)).not.toContain(grant.accessToken);
});

test("a code works once, and only with its verifier", async () => {
  const code = await consent();
  expect((await failureOf(exchange(code, `${VERIFIER}-wrong`))).kind).toBe("unauthorized");
  await exchange(code);
  const again = await failureOf(exchange(code));
  expect(again.kind).toBe("unauthorized");
  expect(again.message).toContain("The code passed is incorrect or expired.");
});

test("a refresh token is rotated; the old one is no longer accepted", async () => {
  const grant = await exchange(await consent());
  const renewed = await authoriser.refresh(io, grant.refreshToken ?? "");
  expect(renewed.accessToken).not.toBe(grant.accessToken);
  expect(renewed.refreshToken).not.toBe(grant.refreshToken);
  const failure = await failureOf(authoriser.refresh(io, grant.refreshToken ?? ""));
  expect(failure.kind).toBe("unauthorized");
  expect(failure.message).not.toContain(grant.refreshToken ?? "nothing");
});

test("a wrong client secret is our own trouble and revokes nobody", async () => {
  const wrong = { ...io, config: { ...io.config, GITHUB_CLIENT_SECRET: "something-else" } };
  const failure = await failureOf(authoriser.refresh(wrong, "ghr_x"));
  expect(failure.kind).toBe("unavailable");
  expect(failure.message).not.toContain("something-else");
});

test("the configuration has GitHub's addresses by default, without trailing slashes", () => {
  expect(configSchema.parse({ GITHUB_API_URL: "http://localhost:9/api/", OTHER: "x" })).toEqual({
    GITHUB_API_URL: "http://localhost:9/api",
    GITHUB_WEB_URL: "https://github.com",
    GITHUB_CLIENT_ID: "",
    GITHUB_CLIENT_SECRET: "",
    GITHUB_APP_SLUG: "holdfast-backup",
  });
});

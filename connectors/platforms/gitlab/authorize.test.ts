import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { authoriser, configSchema } from "./authorize.ts";
import { type GitlabTestWorld, openGitlabWorld } from "./test-world.ts";

let world: GitlabTestWorld;
let io: AuthorisationIo;
const REDIRECT = "http://localhost:8787/connect/gitlab/callback";
const VERIFIER = "a-verifier-of-more-than-forty-three-characters-000";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

beforeAll(async () => {
  world = await openGitlabWorld();
  io = { config: world.config, fetch: (url, init) => fetch(url, init), clock: { now: () => Date.now() } };
});
afterAll(() => world.stop());

/** Goes to the consent page as Nora and allows; returns the code that GitLab sends back. */
async function consent(state = "s1"): Promise<string> {
  const url = new URL(
    authoriser.consentUrl(io.config, { state, codeChallenge: CHALLENGE, redirectUri: REDIRECT }),
  );
  const form = new URLSearchParams(url.searchParams);
  form.set("login", "nora-lindqvist");
  form.set("decision", "authorize");
  const address = `${url.origin}${url.pathname}`;
  const answer = await fetch(address, { method: "POST", body: form, redirect: "manual" });
  const back = new URL(answer.headers.get("location") ?? "");
  expect(back.searchParams.get("state")).toBe(state);
  return back.searchParams.get("code") ?? "";
}

const exchange = (code: string, codeVerifier = VERIFIER) =>
  authoriser.exchange(io, { code, codeVerifier, redirectUri: REDIRECT });

test("the web flow ends with tokens that last two hours and the account", async () => {
  const grant = await exchange(await consent());
  expect(grant.account).toMatchObject({ name: "nora-lindqvist", type: "User" });
  expect(grant.details).toEqual({ fullName: "Nora Lindqvist" });
  const lasts = (grant.accessTokenExpiresAt ?? 0) - Date.now();
  expect(lasts).toBeGreaterThan(7_100_000);
  expect(lasts).toBeLessThanOrEqual(7_200_000);
  expect(JSON.stringify(grant.details)).not.toContain(grant.accessToken);
});

test("the consent page asks for the scopes that are configured", () => {
  const request = { state: "s", codeChallenge: CHALLENGE, redirectUri: REDIRECT };
  const scopeOf = (scopes?: string) => {
    const config = configSchema.parse({ ...world.config, ...(scopes ? { GITLAB_SCOPES: scopes } : {}) });
    return new URL(authoriser.consentUrl(config, request)).searchParams.get("scope");
  };
  expect(scopeOf()).toBe("api");
  expect(scopeOf("read_api read_repository")).toBe("read_api read_repository");
});

test("a self-managed GitLab is reached below its own address, whatever slashes it is written with", () => {
  const config = configSchema.parse({ GITLAB_URL: "https://code.example.test/gitlab/" });
  const request = { state: "s", codeChallenge: CHALLENGE, redirectUri: REDIRECT };
  const url = authoriser.consentUrl(config, request);
  expect(url).toContain("https://code.example.test/gitlab/oauth/authorize?");
});

test("a code works once, and only with its verifier", async () => {
  expect((await failureOf(exchange(await consent(), `${VERIFIER}-wrong`))).kind).toBe("unauthorized");
  const code = await consent();
  await exchange(code);
  const again = await failureOf(exchange(code));
  expect(again.kind).toBe("unauthorized");
  expect(again.message).toContain("invalid_grant");
});

test("a refresh token is rotated; the old one is no longer accepted", async () => {
  const grant = await exchange(await consent());
  const renewed = await authoriser.refresh(io, grant.refreshToken ?? "");
  expect(renewed.accessToken).not.toBe(grant.accessToken);
  expect(renewed.refreshToken).not.toBe(grant.refreshToken);
  expect((await failureOf(authoriser.refresh(io, grant.refreshToken ?? ""))).kind).toBe("unauthorized");
});

test("a fault of our own application is not the owner's to mend", async () => {
  const wrong = { ...io, config: configSchema.parse({ ...world.config, GITLAB_CLIENT_SECRET: "wrong" }) };
  const failure = await failureOf(authoriser.refresh(wrong, "whatever"));
  expect(failure.kind).toBe("unavailable");
  expect(failure.message).not.toContain("wrong");
});

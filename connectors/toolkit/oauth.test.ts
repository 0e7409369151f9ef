import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { consentQuery, type TokenDesk, tradeCode, tradeRefreshToken } from "./oauth.ts";

const NOW = 1_800_000_000_000;
const desk: TokenDesk = {
  site: { platform: "Example", baseUrl: "https://auth.example", headers: {} },
  path: "/token",
  clientId: "client",
  clientSecret: "secret",
  refusedGrant: /invalid_grant|bad_code/,
};
const code = { code: "c0de", codeVerifier: "verifier", redirectUri: "https://app.example/back" };

/** A site that always returns the same response and records its requests. */
function site(status: number, body: object, headers: Record<string, string> = {}) {
  const forms: Record<string, string>[] = [];
  const io = {
    config: {},
    clock: { now: () => NOW },
    fetch: async (_url: string, init?: RequestInit) => {
      forms.push(Object.fromEntries(new URLSearchParams(String(init?.body))));
      return Response.json(body, { status, headers });
    },
  };
  return { io, forms };
}

async function failureOf(status: number, body: object, headers?: Record<string, string>) {
  const error = await tradeCode(site(status, body, headers).io, desk, code).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ConnectorError);
  const { kind, message } = error as ConnectorError;
  return [kind, message];
}

test("the query of a consent page has the PKCE challenge and the site's own parameters", () => {
  const request = { state: "st", codeChallenge: "ch", redirectUri: code.redirectUri };
  expect(Object.fromEntries(consentQuery("client", request, { scope: "read" }))).toEqual({
    response_type: "code",
    client_id: "client",
    redirect_uri: code.redirectUri,
    state: "st",
    code_challenge: "ch",
    code_challenge_method: "S256",
    scope: "read",
  });
});

test("a code is traded with its verifier, and expiry counts from now", async () => {
  const answer = { access_token: "a", expires_in: "7200", refresh_token: "r", scope: "read write" };
  const { io, forms } = site(200, answer);
  expect(await tradeCode(io, desk, code)).toEqual({
    tokens: { accessToken: "a", accessTokenExpiresAt: NOW + 7_200_000, refreshToken: "r" },
    scopes: ["read", "write"],
  });
  expect(forms).toEqual([
    {
      client_id: "client",
      client_secret: "secret",
      grant_type: "authorization_code",
      code: "c0de",
      code_verifier: "verifier",
      redirect_uri: code.redirectUri,
    },
  ]);
});

test("a response without a new refresh token keeps the old one, and a token may never expire", async () => {
  const { io, forms } = site(200, { access_token: "a", expires_in: null, refresh_token: "" });
  const tokens = { accessToken: "a", accessTokenExpiresAt: null, refreshToken: null };
  expect(await tradeRefreshToken(io, desk, "old")).toEqual(tokens);
  expect(forms[0]).toMatchObject({ grant_type: "refresh_token", refresh_token: "old" });
});

test("only a refused grant is unauthorized, whatever the status", async () => {
  const accepted = "Example did not accept the authorisation. It said: ";
  const refused = "Example refuses to give us access at the moment. It said: ";
  expect(await failureOf(200, { error: "bad_code", error_description: "Too old." })).toEqual([
    "unauthorized",
    `${accepted}Too old.`,
  ]);
  expect(await failureOf(200, { error: "bad_code" })).toEqual(["unauthorized", `${accepted}bad_code`]);
  expect(await failureOf(200, { error: "bad_client" })).toEqual(["unavailable", `${refused}bad_client`]);
  expect((await failureOf(400, { error: "invalid_grant" }))[0]).toBe("unauthorized");
  for (const status of [400, 401, 403]) {
    const [kind, message] = await failureOf(status, { error: "invalid_client" });
    expect([status, kind, message?.startsWith(refused)]).toEqual([status, "unavailable", true]);
  }
});

test("rate limits, server errors and malformed responses have their own error kinds", async () => {
  expect((await failureOf(429, {}, { "retry-after": "5" }))[0]).toBe("rate-limited");
  expect((await failureOf(503, {}))[0]).toBe("unavailable");
  expect((await failureOf(200, { access_token: "" }))[0]).toBe("malformed");
});

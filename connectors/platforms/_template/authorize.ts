import { z } from "zod";
import type { AuthorisationIo, PlatformAuthoriser } from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { exampleApi, paths } from "./client.ts";
import { accountSchema, tokensSchema } from "./payloads.ts";

/** The platform's environment variables. */
export const configSchema = z.object({
  EXAMPLE_API_URL: z.url().default("https://api.boards.example"),
  EXAMPLE_CLIENT_ID: z.string().default(""),
  EXAMPLE_CLIENT_SECRET: z.string().default(""),
});

/** The OAuth 2.0 authorization code flow (RFC 6749) with PKCE (RFC 7636). */
export const authoriser: PlatformAuthoriser = {
  consentUrl(config, { state, codeChallenge, redirectUri }) {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: config.EXAMPLE_CLIENT_ID ?? "",
      redirect_uri: redirectUri,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
    });
    return `${exampleApi(config).baseUrl}/authorize?${query}`;
  },
  async exchange(io, { code, codeVerifier, redirectUri }) {
    const parameters = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
    const tokens = await trade(io, { ...parameters, redirect_uri: redirectUri });
    const client = createHttpClient(
      { ...io, accessToken: async () => tokens.accessToken },
      exampleApi(io.config),
    );
    const me = await client.request({ method: "GET", path: paths.me, about: "your account" }, accountSchema);
    return {
      ...tokens,
      account: { externalId: me.id, nodeId: null, name: me.name, type: "User" },
      details: null,
    };
  },
  refresh: (io, refreshToken) => trade(io, { grant_type: "refresh_token", refresh_token: refreshToken }),
};

async function trade(io: AuthorisationIo, parameters: Record<string, string>) {
  const body = new URLSearchParams({
    client_id: io.config.EXAMPLE_CLIENT_ID ?? "",
    client_secret: io.config.EXAMPLE_CLIENT_SECRET ?? "",
    ...parameters,
  });
  const client = createHttpClient({ fetch: io.fetch, clock: io.clock }, exampleApi(io.config));
  const call = { method: "POST", path: "/token", body, about: "the authorisation" } as const;
  const answer = await client.request(call, tokensSchema);
  return {
    accessToken: answer.access_token,
    accessTokenExpiresAt: io.clock.now() + answer.expires_in * SECOND_MS,
    refreshToken: answer.refresh_token,
  };
}

import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { AuthorisationIo, PlatformAuthoriser } from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { gitlabApi, gitlabWeb, paths, webBase } from "./client.ts";
import { accountSchema, tokensSchema } from "./payloads.ts";

const url = z.url().transform((text) => text.replace(/\/+$/, ""));

/**
 * GitLab's environment variables: an OAuth application on gitlab.com or on a self-managed GitLab. Restores need the
 * scope `api`; with `read_api read_repository` a connection can only be backed up.
 */
export const configSchema = z.object({
  GITLAB_URL: url.default("https://gitlab.com"),
  GITLAB_CLIENT_ID: z.string().default(""),
  GITLAB_CLIENT_SECRET: z.string().default(""),
  GITLAB_SCOPES: z.string().default("api"),
});

/**
 * OAuth's web flow (RFC 6749) with PKCE (RFC 7636). An access token expires after two hours. A refresh token works once
 * and invalidates its access token, so the engine runs one renewal at a time per connection.
 */
export const authoriser: PlatformAuthoriser = {
  consentUrl(config, { state, codeChallenge, redirectUri }) {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: config.GITLAB_CLIENT_ID ?? "",
      redirect_uri: redirectUri,
      scope: config.GITLAB_SCOPES ?? "api",
      state,
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
    });
    return `${webBase(config)}/oauth/authorize?${query}`;
  },

  async exchange(io, { code, codeVerifier, redirectUri }) {
    const parameters = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
    const tokens = await trade(io, { ...parameters, redirect_uri: redirectUri });
    const client = createHttpClient(
      { ...io, accessToken: async () => tokens.accessToken },
      gitlabApi(io.config),
    );
    const user = await client.request(
      { method: "GET", path: paths.user, about: "your account" },
      accountSchema,
    );
    return {
      ...tokens,
      account: { externalId: user.id, nodeId: null, name: user.username, type: "User" },
      details: { fullName: user.name },
    };
  },

  refresh: (io, refreshToken) => trade(io, { grant_type: "refresh_token", refresh_token: refreshToken }),
};

async function trade(io: AuthorisationIo, parameters: Record<string, string>) {
  const body = new URLSearchParams({
    client_id: io.config.GITLAB_CLIENT_ID ?? "",
    client_secret: io.config.GITLAB_CLIENT_SECRET ?? "",
    ...parameters,
  });
  const client = createHttpClient({ fetch: io.fetch, clock: io.clock }, gitlabWeb(io.config));
  const call = { method: "POST", path: "/oauth/token", body, about: "the authorisation" } as const;
  const answer = await client.request(call, tokensSchema).catch((error: unknown) => {
    throw refusal(error);
  });
  return {
    accessToken: answer.access_token,
    accessTokenExpiresAt: answer.expires_in === null ? null : io.clock.now() + answer.expires_in * SECOND_MS,
    refreshToken: answer.refresh_token,
  };
}

/** The owner must fix a refused grant. A refused application (`invalid_client`) is our fault. */
function refusal(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || (error.status !== 400 && error.status !== 401)) return error;
  const options = { status: error.status, cause: error };
  const said = error.message.replace(/^.*?It said: /, "");
  if (/invalid_grant|access_denied/.test(error.message)) {
    return new ConnectorError(
      "unauthorized",
      `GitLab did not accept the authorisation. It said: ${said}`,
      options,
    );
  }
  const message = `GitLab refuses to give us access at the moment. It said: ${said}`;
  return new ConnectorError("unavailable", message, options);
}

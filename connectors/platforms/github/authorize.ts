import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  AuthorisationIo,
  ConnectorConfig,
  Grant,
  PlatformAuthoriser,
} from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { accountOf, listInstallations } from "./accounts.ts";
import { githubApi, githubWeb, paths, webBase } from "./client.ts";
import { accountSchema, tokenAnswerSchema } from "./payloads.ts";

const url = z.url().transform((text) => text.replace(/(?<!\/)\/+$/, ""));

/** GitHub's environment variables. The client id and secret belong to a GitHub App. */
export const configSchema = z.object({
  GITHUB_API_URL: url.default("https://api.github.com"),
  GITHUB_WEB_URL: url.default("https://github.com"),
  GITHUB_CLIENT_ID: z.string().default(""),
  GITHUB_CLIENT_SECRET: z.string().default(""),
  GITHUB_APP_SLUG: z.string().default("holdfast-backup"),
});

/**
 * The web flow of a GitHub App (RFC 6749 with PKCE, RFC 7636). It requests no scopes, because the App's permissions
 * decide what a token can do. Codes and refresh tokens are single-use, so no request here is retried.
 */
export const authoriser: PlatformAuthoriser = {
  consentUrl(config, { state, codeChallenge, redirectUri, accountHint }) {
    const query = new URLSearchParams({
      client_id: config.GITHUB_CLIENT_ID ?? "",
      redirect_uri: redirectUri,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
      ...(accountHint === undefined ? {} : { login: accountHint }),
    });
    return `${webBase(config)}/login/oauth/authorize?${query}`;
  },

  async exchange(io, { code, codeVerifier, redirectUri }) {
    const tokens = await trade(io, { code, code_verifier: codeVerifier, redirect_uri: redirectUri });
    return { ...tokens, ...(await readAccount(io, tokens.accessToken)) };
  },

  refresh: (io, refreshToken) => trade(io, { grant_type: "refresh_token", refresh_token: refreshToken }),

  installUrl,

  async readToken(io, accessToken) {
    const read = await readAccount(io, accessToken);
    return { accessToken, accessTokenExpiresAt: null, refreshToken: null, ...read };
  },
};

/** Reads the account that a token belongs to, and the details that the connection stores. */
async function readAccount(
  io: AuthorisationIo,
  accessToken: string,
): Promise<Pick<Grant, "account" | "details">> {
  const client = createHttpClient({ ...io, accessToken: async () => accessToken }, githubApi(io.config));
  const user = await client.request(
    { method: "GET", path: paths.user, about: "your account" },
    accountSchema,
  );
  return {
    account: accountOf(user),
    details: { installations: await listInstallations(client), installUrl: installUrl(io.config) },
  };
}
/** The page for installing the App on an account or organisation. */
export function installUrl(config: ConnectorConfig): string {
  return `${webBase(config)}/apps/${encodeURIComponent(config.GITHUB_APP_SLUG ?? "")}/installations/new`;
}

async function trade(io: AuthorisationIo, parameters: Record<string, string>) {
  const body = new URLSearchParams({
    client_id: io.config.GITHUB_CLIENT_ID ?? "",
    client_secret: io.config.GITHUB_CLIENT_SECRET ?? "",
    ...parameters,
  });
  const client = createHttpClient({ fetch: io.fetch, clock: io.clock }, githubWeb(io.config));
  const call = {
    method: "POST",
    path: "/login/oauth/access_token",
    body,
    about: "the authorisation",
  } as const;
  const answer = await client.request(call, tokenAnswerSchema);
  if ("error" in answer) throw refusal(answer.error, answer.error_description);
  return {
    accessToken: answer.access_token,
    accessTokenExpiresAt: answer.expires_in === null ? null : io.clock.now() + answer.expires_in * SECOND_MS,
    refreshToken: answer.refresh_token,
  };
}

/** GitHub returns OAuth errors with HTTP 200. Only errors about the grant are for the account owner to fix. */
function refusal(code: string, description: string | null): ConnectorError {
  const said = description ?? code;
  if (
    ["bad_verification_code", "bad_refresh_token", "access_denied", "unverified_user_email"].includes(code)
  ) {
    return new ConnectorError("unauthorized", `GitHub did not accept the authorisation. It said: ${said}`);
  }
  return new ConnectorError(
    "unavailable",
    `GitHub refuses to give us access at the moment. It said: ${said}`,
  );
}

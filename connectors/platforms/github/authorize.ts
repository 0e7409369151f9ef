import { z } from "zod";
import type {
  AuthorisationIo,
  ConnectorConfig,
  Grant,
  PlatformAuthoriser,
} from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { consentQuery, type TokenDesk, tradeCode, tradeRefreshToken } from "#connectors/toolkit/oauth.ts";
import { accountOf, listInstallations } from "./accounts.ts";
import { githubApi, githubWeb, paths, webBase } from "./client.ts";
import { accountSchema } from "./payloads.ts";

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
 * The web flow of a GitHub App (RFC 6749 with PKCE, RFC 7636). The App's permissions decide what we may do, so we
 * request no scopes. Codes and refresh tokens work once.
 */
export const authoriser: PlatformAuthoriser = {
  consentUrl(config, request) {
    const { accountHint: login } = request;
    const query = consentQuery(config.GITHUB_CLIENT_ID, request, login === undefined ? {} : { login });
    return `${webBase(config)}/login/oauth/authorize?${query}`;
  },

  async exchange(io, answer) {
    const { tokens } = await tradeCode(io, tokenDesk(io.config), answer);
    return { kind: "granted", grant: { ...tokens, ...(await readAccount(io, tokens.accessToken)) } };
  },

  refresh: (io, refreshToken) => tradeRefreshToken(io, tokenDesk(io.config), refreshToken),

  installUrl,

  async readToken(io, accessToken) {
    const read = await readAccount(io, accessToken);
    return { accessToken, accessTokenExpiresAt: null, refreshToken: null, ...read };
  },
};

/** GitHub returns refusals with HTTP 200. */
const tokenDesk = (config: ConnectorConfig): TokenDesk => ({
  site: githubWeb(config),
  path: "/login/oauth/access_token",
  clientId: config.GITHUB_CLIENT_ID,
  clientSecret: config.GITHUB_CLIENT_SECRET,
  refusedGrant: /bad_verification_code|bad_refresh_token|access_denied|unverified_user_email/,
});

/** Reads the account of a token and the details that a connection stores. */
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

import { z } from "zod";
import type { ConnectorConfig, PlatformAuthoriser } from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { consentQuery, type TokenDesk, tradeCode, tradeRefreshToken } from "#connectors/toolkit/oauth.ts";
import { gitlabApi, gitlabWeb, paths, webBase } from "./client.ts";
import { accountSchema } from "./payloads.ts";

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
  consentUrl(config, request) {
    const query = consentQuery(config.GITLAB_CLIENT_ID, request, { scope: config.GITLAB_SCOPES ?? "api" });
    return `${webBase(config)}/oauth/authorize?${query}`;
  },

  async exchange(io, answer) {
    const { tokens } = await tradeCode(io, tokenDesk(io.config), answer);
    const client = createHttpClient(
      { ...io, accessToken: async () => tokens.accessToken },
      gitlabApi(io.config),
    );
    const user = await client.request(
      { method: "GET", path: paths.user, about: "your account" },
      accountSchema,
    );
    const account = { externalId: user.id, name: user.username, type: "User" };
    return { kind: "granted", grant: { ...tokens, account, details: { fullName: user.name } } };
  },

  refresh: (io, refreshToken) => tradeRefreshToken(io, tokenDesk(io.config), refreshToken),
};

const tokenDesk = (config: ConnectorConfig): TokenDesk => ({
  site: gitlabWeb(config),
  path: "/oauth/token",
  clientId: config.GITLAB_CLIENT_ID,
  clientSecret: config.GITLAB_CLIENT_SECRET,
  refusedGrant: /invalid_grant|access_denied/,
});

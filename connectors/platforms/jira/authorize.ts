import { z } from "zod";
import type { ConnectorConfig, PlatformAuthoriser } from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { consentQuery, type TokenDesk, tradeCode, tradeRefreshToken } from "#connectors/toolkit/oauth.ts";
import { exampleApi, paths } from "./client.ts";
import { accountSchema } from "./payloads.ts";

/** The platform's environment variables. */
export const configSchema = z.object({
  JIRA_API_URL: z.url().default("https://api.boards.example"),
  JIRA_CLIENT_ID: z.string().default(""),
  JIRA_CLIENT_SECRET: z.string().default(""),
});

/** The OAuth 2.0 authorization code flow (RFC 6749) with PKCE (RFC 7636). */
export const authoriser: PlatformAuthoriser = {
  consentUrl(config, request) {
    return `${exampleApi(config).baseUrl}/authorize?${consentQuery(config.JIRA_CLIENT_ID, request)}`;
  },
  async exchange(io, answer) {
    const { tokens } = await tradeCode(io, tokenDesk(io.config), answer);
    const client = createHttpClient(
      { ...io, accessToken: async () => tokens.accessToken },
      exampleApi(io.config),
    );
    const me = await client.request({ method: "GET", path: paths.me, about: "your account" }, accountSchema);
    const account = { externalId: me.id, name: me.name, type: "User" };
    return { kind: "granted", grant: { ...tokens, account, details: null } };
  },
  refresh: (io, refreshToken) => tradeRefreshToken(io, tokenDesk(io.config), refreshToken),
};

const tokenDesk = (config: ConnectorConfig): TokenDesk => ({
  site: exampleApi(config),
  path: "/token",
  clientId: config.JIRA_CLIENT_ID,
  clientSecret: config.JIRA_CLIENT_SECRET,
  refusedGrant: /invalid_grant/,
});

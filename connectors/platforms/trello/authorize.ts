import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  AuthorisationIo,
  ConnectorConfig,
  Grant,
  GrantTokens,
  PlatformAuthoriser,
} from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { consentQuery, type TokenDesk, tradeCode, tradeRefreshToken } from "#connectors/toolkit/oauth.ts";
import { atlassianAuth, isPageToken, paths, trelloApi, webBase } from "./client.ts";
import { accountSchema } from "./payloads.ts";

const url = z.url().transform((text) => text.replace(/(?<!\/)\/+$/, ""));

/**
 * Trello's environment variables: an OAuth 2.0 client, the key of a Power-Up for the older token page, or both. With
 * both, people sign in with OAuth 2.0, and tokens from the token page still work.
 */
export const configSchema = z.object({
  TRELLO_API_URL: url.default("https://api.trello.com/1"),
  TRELLO_URL: url.default("https://trello.com"),
  TRELLO_AUTH_URL: url.default("https://auth.atlassian.com"),
  TRELLO_CLIENT_ID: z.string().default(""),
  TRELLO_CLIENT_SECRET: z.string().default(""),
  TRELLO_API_KEY: z.string().default(""),
  TRELLO_SCOPES: z
    .string()
    .default(
      "read:board:trello read:member:trello read:organization:trello write:board:trello write:board:membership:trello offline_access",
    ),
});

/** The page that reads the token from the URL's fragment, which browsers never send to a server. */
const APPROVE_PAGE = "/trello-approve-hidden";

/**
 * OAuth 2.0 with PKCE (RFC 7636): a refresh token works once, so the engine runs one renewal at a time per connection.
 * Or Trello's token page: its token takes the place of the code, never expires and cannot be renewed.
 */
export const authoriser: PlatformAuthoriser = {
  consentUrl(config, request) {
    if (!config.TRELLO_CLIENT_ID && config.TRELLO_API_KEY) return tokenPage(config, request);
    const more = { scope: config.TRELLO_SCOPES ?? "", prompt: "consent" };
    const query = consentQuery(config.TRELLO_CLIENT_ID, request, more);
    return `${config.TRELLO_AUTH_URL ?? "https://auth.atlassian.com"}/authorize?${query}`;
  },

  async exchange(io, answer) {
    const { code } = answer;
    const tokens = isPageToken(code)
      ? { accessToken: code, accessTokenExpiresAt: null, refreshToken: null }
      : (await tradeCode(io, tokenDesk(io.config), answer)).tokens;
    return { kind: "granted", grant: await grantOf(io, tokens) };
  },

  async readToken(io, accessToken) {
    if (!isPageToken(accessToken)) {
      throw new ConnectorError("unauthorized", "This is no token of Trello's token page.");
    }
    return await grantOf(io, { accessToken, accessTokenExpiresAt: null, refreshToken: null });
  },

  refresh: (io, refreshToken) => tradeRefreshToken(io, tokenDesk(io.config), refreshToken),
};

const tokenDesk = (config: ConnectorConfig): TokenDesk => ({
  site: atlassianAuth(config),
  path: "/oauth/token",
  clientId: config.TRELLO_CLIENT_ID,
  clientSecret: config.TRELLO_CLIENT_SECRET,
  refusedGrant: /invalid_grant|refresh.?token/i,
});

function tokenPage(
  config: AuthorisationIo["config"],
  { state, redirectUri }: { state: string; redirectUri: string },
): string {
  const back = new URL(APPROVE_PAGE, redirectUri);
  back.searchParams.set("state", state);
  const query = new URLSearchParams({
    expiration: "never",
    scope: "read,write",
    response_type: "token",
    callback_method: "fragment",
    name: "Holdfast",
    key: config.TRELLO_API_KEY ?? "",
    return_url: back.href,
  });
  return `${webBase(config)}/1/authorize?${query}`;
}

async function grantOf(io: AuthorisationIo, tokens: GrantTokens): Promise<Grant> {
  const client = createHttpClient(
    { ...io, accessToken: async () => tokens.accessToken },
    trelloApi(io.config),
  );
  const query = { fields: "id,username,fullName" };
  const call = { method: "GET", path: paths.me, query, about: "your account" } as const;
  const me = await client.request(call, accountSchema);
  return {
    ...tokens,
    account: { externalId: me.id, name: me.username, type: "User" },
    details: { memberId: me.id, fullName: me.fullName },
  };
}

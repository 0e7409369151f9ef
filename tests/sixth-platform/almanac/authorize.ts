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
import { almanacApi, listPages, paths } from "./client.ts";
import { siteSchema } from "./payloads.ts";

/** Almanac's environment variables. */
export const configSchema = z.object({
  ALMANAC_URL: z
    .url()
    .transform((text) => text.replace(/(?<!\/)\/+$/, ""))
    .default("https://almanac.example"),
  ALMANAC_CLIENT_ID: z.string().default(""),
  ALMANAC_CLIENT_SECRET: z.string().default(""),
});

/**
 * OAuth 2.0 with PKCE (RFC 7636). A consent opens every site of the person, for books or for their readers, and a
 * refresh token works once.
 */
export const authoriser: PlatformAuthoriser = {
  consentUrl(config, request) {
    const query = consentQuery(config.ALMANAC_CLIENT_ID, request, {
      scope: `${request.authMethod} offline`,
    });
    return `${almanacApi(config).baseUrl}/authorize?${query}`;
  },

  async exchange(io, answer) {
    const { tokens } = await tradeCode(io, tokenDesk(io.config), answer);
    const sites: z.output<typeof siteSchema>[] = [];
    const call = { path: paths.sites, about: "your sites" };
    for await (const { items } of listPages(clientOf(io, tokens), call, siteSchema)) sites.push(...items);
    const [only] = sites;
    if (only === undefined) throw new ConnectorError("forbidden", "This person has no site at Almanac.");
    if (sites.length === 1) return { kind: "granted", grant: grantOf(only, tokens) };
    const candidates = sites.map(({ id, name, address }) => ({ externalId: id, name, note: address }));
    return { kind: "candidates", candidates, tokens };
  },

  async choose(io, tokens, externalId) {
    const call = { method: "GET", path: paths.site(externalId), about: "this site" } as const;
    return grantOf(await clientOf(io, tokens).request(call, siteSchema), tokens);
  },

  refresh: (io, refreshToken) => tradeRefreshToken(io, tokenDesk(io.config), refreshToken),
};

function clientOf(io: AuthorisationIo, { accessToken }: GrantTokens) {
  const { fetch, clock, config } = io;
  return createHttpClient({ fetch, clock, accessToken: async () => accessToken }, almanacApi(config));
}

function grantOf({ id, name, address }: z.output<typeof siteSchema>, tokens: GrantTokens): Grant {
  const account = { externalId: id, name, type: "site" };
  return { ...tokens, account, details: { siteId: id, address } };
}

const tokenDesk = (config: ConnectorConfig): TokenDesk => ({
  site: almanacApi(config),
  path: "/oauth/token",
  clientId: config.ALMANAC_CLIENT_ID,
  clientSecret: config.ALMANAC_CLIENT_SECRET,
  refusedGrant: /invalid_grant/,
});

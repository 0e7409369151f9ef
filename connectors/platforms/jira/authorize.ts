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
import {
  atlassianAuth,
  gatewayApi,
  gatewayPaths,
  isSiteAddress,
  paths,
  readApiToken,
  siteClient,
  TENANT_PATH,
} from "./client.ts";
import { meSchema, type Site, sitesSchema, tenantSchema } from "./payloads.ts";

const url = z.url().transform((text) => text.replace(/(?<!\/)\/+$/, ""));

/** Jira's environment variables. The client is an OAuth 2.0 (3LO) app of Atlassian's developer console. */
export const configSchema = z.object({
  JIRA_API_URL: url.default("https://api.atlassian.com"),
  JIRA_AUTH_URL: url.default("https://auth.atlassian.com"),
  /** Pages of a site whose own address is unknown. */
  JIRA_URL: url.default("https://home.atlassian.com"),
  /** Where an administrator installs the app inside Jira. */
  JIRA_INSTALL_URL: url.default("https://marketplace.atlassian.com/search?query=Holdfast"),
  JIRA_CLIENT_ID: z.string().default(""),
  JIRA_CLIENT_SECRET: z.string().default(""),
  JIRA_SCOPES: z
    .string()
    .default(
      "read:jira-work write:jira-work read:jira-user manage:jira-project manage:jira-configuration read:board-scope:jira-software read:board-scope.admin:jira-software write:board-scope:jira-software read:sprint:jira-software write:sprint:jira-software write:issue:jira-software read:project:jira read:issue-details:jira read:jql:jira read:servicedesk-request report:personal-data offline_access",
    ),
});

/**
 * OAuth 2.0 (3LO). A refresh token works once, so the engine runs one renewal at a time and stores the new one before it
 * is used. A grant covers one or several sites, and each is an account. Instead, a person may enter an API token of
 * their own. The app inside Jira gets its credential from its installation, not from a consent page.
 */
export const authoriser: PlatformAuthoriser = {
  consentUrl(config, request) {
    if (request.authMethod === "forge") return installUrl(config);
    const more = { audience: "api.atlassian.com", scope: config.JIRA_SCOPES ?? "", prompt: "consent" };
    const query = consentQuery(config.JIRA_CLIENT_ID, request, more);
    return `${atlassianAuth(config).baseUrl}/authorize?${query}`;
  },

  installUrl,

  async exchange(io, answer) {
    const { tokens } = await tradeCode(io, tokenDesk(io.config), answer);
    const sites = await listSites(io, tokens);
    const [only] = sites;
    if (only === undefined) {
      throw new ConnectorError("forbidden", "This Atlassian account has no Jira site that we may reach.");
    }
    if (sites.length === 1) return { kind: "granted", grant: await grantOf(io, tokens, only) };
    const candidates = sites.map(({ id, name, url: address }) => ({ externalId: id, name, note: address }));
    return { kind: "candidates", candidates, tokens };
  },

  async choose(io, tokens, externalId) {
    const site = (await listSites(io, tokens)).find(({ id }) => id === externalId);
    if (site === undefined) throw new ConnectorError("forbidden", "The sign-in does not cover this site.");
    return await grantOf(io, tokens, site);
  },

  /**
   * Takes `https://site.atlassian.net email:token`. A token with scopes works at the gateway, one without only at the
   * site (Atlassian's documentation, "Manage API tokens for your Atlassian account"); the token does not tell, so both
   * are tried.
   */
  async readToken(io, entered) {
    const token = readApiToken(entered);
    if (token?.site == null || !isSiteAddress(io.config, token.site)) {
      throw new ConnectorError(
        "unauthorized",
        "Enter the address of the site, then the e-mail address and the API token: https://example.atlassian.net name@example.com:token",
      );
    }
    const site = await readSite(io, token.site);
    const scoped = `${token.email}:${token.secret}`;
    const byToken = (accessToken: string) =>
      grantOf(io, { accessToken, accessTokenExpiresAt: null, refreshToken: null }, site);
    return await byToken(scoped).catch((error: unknown) => {
      const isRefused = error instanceof ConnectorError && ["unauthorized", "gone"].includes(error.kind);
      if (!isRefused) throw error;
      return byToken(`${token.site} ${scoped}`);
    });
  },

  refresh: (io, refreshToken) => tradeRefreshToken(io, tokenDesk(io.config), refreshToken),
};

/** Atlassian gives `invalid_grant` or 403 `unauthorized_client: refresh_token is invalid` for a used refresh token. */
const tokenDesk = (config: ConnectorConfig): TokenDesk => ({
  site: atlassianAuth(config),
  path: "/oauth/token",
  clientId: config.JIRA_CLIENT_ID,
  clientSecret: config.JIRA_CLIENT_SECRET,
  refusedGrant: /invalid_grant|refresh.?token/i,
});

function installUrl(config: ConnectorConfig): string {
  return config.JIRA_INSTALL_URL ?? "https://marketplace.atlassian.com";
}

/** The Jira sites of a grant. A site that also has Confluence is listed once for each product. */
async function listSites(io: AuthorisationIo, { accessToken }: GrantTokens): Promise<Site[]> {
  const client = createHttpClient({ ...io, accessToken: async () => accessToken }, gatewayApi(io.config));
  const call = { method: "GET", path: gatewayPaths.sites, about: "your sites" } as const;
  const all = await client.request(call, sitesSchema);
  const jira = all.filter(({ scopes }) => scopes.some((scope) => /:jira/.test(scope)));
  return [...new Map(jira.map((site) => [site.id, site])).values()];
}

/** A site by its address, which returns its id without sign-in. */
async function readSite(io: AuthorisationIo, address: string): Promise<Site> {
  const api = { ...gatewayApi(io.config), baseUrl: address };
  const call = { method: "GET", path: TENANT_PATH, about: "this site" } as const;
  const { cloudId } = await createHttpClient(io, api).request(call, tenantSchema);
  return { id: cloudId, name: new URL(address).hostname.split(".")[0] ?? address, url: address, scopes: [] };
}

async function grantOf(io: AuthorisationIo, tokens: GrantTokens, site: Site): Promise<Grant> {
  const client = siteClient({ ...io, accessToken: async () => tokens.accessToken }, io.config, site.id);
  const call = { method: "GET", path: paths.me, about: "your account", endpoint: "account" } as const;
  const me = await client.request(call, meSchema);
  return {
    ...tokens,
    account: { externalId: site.id, name: site.name, type: "site" },
    details: {
      cloudId: site.id,
      siteUrl: site.url,
      accountId: me.accountId,
      fullName: me.displayName,
      timeZone: me.timeZone,
    },
  };
}

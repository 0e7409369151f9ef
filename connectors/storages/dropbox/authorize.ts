import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import type { ConsentAuthoriser } from "#connectors/contract/storage-connector.ts";
import { createHttpClient, type HttpApi } from "#connectors/toolkit/http-client.ts";
import { consentQuery, type TokenDesk, tradeCode, tradeRefreshToken } from "#connectors/toolkit/oauth.ts";

const url = (standard: string) =>
  z
    .url()
    .transform((text) => text.replace(/(?<!\/)\/+$/, ""))
    .default(standard);

/** Dropbox's part of the environment: a scoped app with the access type "App folder" (dropbox.com/developers/apps). */
export const configSchema = z.object({
  DROPBOX_URL: url("https://www.dropbox.com"),
  DROPBOX_API_URL: url("https://api.dropboxapi.com"),
  DROPBOX_CONTENT_URL: url("https://content.dropboxapi.com"),
  DROPBOX_CLIENT_ID: z.string().default(""),
  DROPBOX_CLIENT_SECRET: z.string().default(""),
});

/** Scopes for writing and finding copies, and for reading the account and its free space. */
const SCOPES = ["account_info.read", "files.content.write", "files.metadata.read"];

const accountSchema = z.object({ account_id: z.string().min(1), email: z.string() });

/**
 * OAuth's authorization code flow (RFC 6749) with PKCE (RFC 7636). `token_access_type=offline` requests a refresh
 * token. It stays valid and unchanged until the grant is revoked; access tokens expire after four hours.
 */
export const authoriser: ConsentAuthoriser = {
  by: "consent",

  consentUrl(config, request) {
    if (!config.DROPBOX_CLIENT_ID) {
      throw new ConnectorError(
        "unsupported",
        "Dropbox is not set up on this server yet, so it cannot be connected.",
      );
    }
    const more = { token_access_type: "offline", scope: SCOPES.join(" ") };
    const query = consentQuery(config.DROPBOX_CLIENT_ID, request, more);
    return `${config.DROPBOX_URL}/oauth2/authorize?${query}`;
  },

  async exchange(io, answer) {
    const { tokens } = await tradeCode(io, tokenDesk(io), answer);
    const call = {
      method: "POST",
      path: "/2/users/get_current_account",
      about: "your account",
      isRepeatable: true,
    } as const;
    const account = await apiClient(io, tokens.accessToken).request(call, accountSchema);
    return { ...tokens, account: { externalId: account.account_id, name: account.email }, details: {} };
  },

  refresh: (io, refreshToken) => tradeRefreshToken(io, tokenDesk(io), refreshToken),

  async revoke(io, { accessToken, refreshToken }) {
    try {
      await revokeToken(io, accessToken);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      // An expired access token cannot revoke its grant; a new one can.
      if (refreshToken === null) return;
      await endByRefreshToken(io, refreshToken);
    }
  },
};

async function endByRefreshToken(io: AuthorisationIo, refreshToken: string): Promise<void> {
  try {
    const { accessToken } = await authoriser.refresh(io, refreshToken);
    await revokeToken(io, accessToken);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
  }
}

async function revokeToken(io: AuthorisationIo, accessToken: string): Promise<void> {
  const path = "/2/auth/token/revoke";
  await apiClient(io, accessToken).send({ method: "POST", path, about: "the authorisation" });
}

const tokenDesk = (io: AuthorisationIo): TokenDesk => ({
  site: dropboxApi(io),
  path: "/oauth2/token",
  clientId: io.config.DROPBOX_CLIENT_ID,
  clientSecret: io.config.DROPBOX_CLIENT_SECRET,
  refusedGrant: /invalid_grant/,
});

function apiClient(io: AuthorisationIo, accessToken: string) {
  return createHttpClient(
    { fetch: io.fetch, clock: io.clock, accessToken: async () => accessToken },
    dropboxApi(io),
  );
}

function dropboxApi({ config }: AuthorisationIo): HttpApi {
  return { platform: "Dropbox", baseUrl: config.DROPBOX_API_URL ?? "", headers: {} };
}

const isUnauthorized = (error: unknown) => error instanceof ConnectorError && error.kind === "unauthorized";

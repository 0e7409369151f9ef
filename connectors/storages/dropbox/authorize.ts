import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import type { ConsentAuthoriser } from "#connectors/contract/storage-connector.ts";
import { createHttpClient, type HttpApi } from "#connectors/toolkit/http-client.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";

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

const tokensSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
});
const accountSchema = z.object({ account_id: z.string().min(1), email: z.string() });

/**
 * OAuth's authorization code flow (RFC 6749) with PKCE (RFC 7636). `token_access_type=offline` requests a refresh
 * token. It stays valid and unchanged until the grant is revoked; access tokens expire after four hours.
 */
export const authoriser: ConsentAuthoriser = {
  by: "consent",

  consentUrl(config, { state, codeChallenge, redirectUri }) {
    if (!config.DROPBOX_CLIENT_ID) {
      throw new ConnectorError(
        "unsupported",
        "Dropbox is not set up on this server yet, so it cannot be connected.",
      );
    }
    const query = new URLSearchParams({
      client_id: config.DROPBOX_CLIENT_ID,
      response_type: "code",
      token_access_type: "offline",
      redirect_uri: redirectUri,
      scope: SCOPES.join(" "),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
    });
    return `${config.DROPBOX_URL}/oauth2/authorize?${query}`;
  },

  async exchange(io, { code, codeVerifier, redirectUri }) {
    const parameters = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
    const tokens = await trade(io, { ...parameters, redirect_uri: redirectUri });
    const call = {
      method: "POST",
      path: "/2/users/get_current_account",
      about: "your account",
      isRepeatable: true,
    } as const;
    const account = await apiClient(io, tokens.accessToken).request(call, accountSchema);
    return { ...tokens, account: { externalId: account.account_id, name: account.email }, details: {} };
  },

  refresh: (io, refreshToken) => trade(io, { grant_type: "refresh_token", refresh_token: refreshToken }),

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

async function trade(io: AuthorisationIo, parameters: Record<string, string>) {
  const body = new URLSearchParams({
    client_id: io.config.DROPBOX_CLIENT_ID ?? "",
    client_secret: io.config.DROPBOX_CLIENT_SECRET ?? "",
    ...parameters,
  });
  const call = { method: "POST", path: "/oauth2/token", body, about: "the authorisation" } as const;
  const client = createHttpClient({ fetch: io.fetch, clock: io.clock }, dropboxApi(io));
  const answer = await client.request(call, tokensSchema).catch((error: unknown) => {
    throw refusalOf(error);
  });
  return {
    accessToken: answer.access_token,
    accessTokenExpiresAt: io.clock.now() + answer.expires_in * SECOND_MS,
    refreshToken: answer.refresh_token ?? null,
  };
}

function apiClient(io: AuthorisationIo, accessToken: string) {
  return createHttpClient(
    { fetch: io.fetch, clock: io.clock, accessToken: async () => accessToken },
    dropboxApi(io),
  );
}

function dropboxApi({ config }: AuthorisationIo): HttpApi {
  return { platform: "Dropbox", baseUrl: config.DROPBOX_API_URL ?? "", headers: {} };
}

/** The owner can fix only a rejected grant; a rejected application (`invalid_client`) is our fault. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || (error.status !== 400 && error.status !== 401)) return error;
  const options = { status: error.status, cause: error };
  const said = error.message.replace(/^.*?It said: /, "");
  return /invalid_grant/.test(error.message)
    ? new ConnectorError(
        "unauthorized",
        `Dropbox did not accept the authorisation. It said: ${said}`,
        options,
      )
    : new ConnectorError(
        "unavailable",
        `Dropbox gives us no access at the moment. It said: ${said}`,
        options,
      );
}

const isUnauthorized = (error: unknown) => error instanceof ConnectorError && error.kind === "unauthorized";

import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import type { ConsentAuthoriser } from "#connectors/contract/storage-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { consentQuery, type TokenDesk, tradeCode, tradeRefreshToken } from "#connectors/toolkit/oauth.ts";

const url = (standard: string) =>
  z
    .url()
    .transform((text) => text.replace(/(?<!\/)\/+$/, ""))
    .default(standard);

/** Google Drive's part of the environment: an OAuth client of the type "Web application" with the Drive API enabled. */
export const configSchema = z.object({
  GOOGLE_DRIVE_WEB_URL: url("https://accounts.google.com"),
  GOOGLE_DRIVE_TOKEN_URL: url("https://oauth2.googleapis.com"),
  GOOGLE_DRIVE_API_URL: url("https://www.googleapis.com"),
  GOOGLE_DRIVE_CLIENT_ID: z.string().default(""),
  GOOGLE_DRIVE_CLIENT_SECRET: z.string().default(""),
});

/** Access only to files that Holdfast has created. */
const SCOPE = "https://www.googleapis.com/auth/drive.file";

const aboutSchema = z.object({
  user: z.object({ permissionId: z.string().min(1), emailAddress: z.string() }),
});

/**
 * OAuth's authorization code flow (RFC 6749) with PKCE (RFC 7636). `access_type=offline` requests a refresh token;
 * Google issues another one only if consent is requested again (`prompt=consent`). The refresh token does not expire
 * or change; access tokens expire after an hour.
 */
export const authoriser: ConsentAuthoriser = {
  by: "consent",

  consentUrl(config, request) {
    if (!config.GOOGLE_DRIVE_CLIENT_ID) {
      throw new ConnectorError(
        "unsupported",
        "Google Drive is not set up on this server yet, so it cannot be connected.",
      );
    }
    const more = { access_type: "offline", prompt: "consent", scope: SCOPE };
    const query = consentQuery(config.GOOGLE_DRIVE_CLIENT_ID, request, more);
    return `${config.GOOGLE_DRIVE_WEB_URL}/o/oauth2/v2/auth?${query}`;
  },

  async exchange(io, answer) {
    const { tokens, scopes } = await tradeCode(io, tokenDesk(io), answer);
    // The consent page has a checkbox for the only scope, and a person may leave it unticked.
    if (!scopes.includes(SCOPE)) {
      const message =
        "Google Drive was not allowed for Holdfast: connect it again and tick the box for Google Drive files.";
      throw new ConnectorError("forbidden", message);
    }
    const client = createHttpClient(
      { fetch: io.fetch, clock: io.clock, accessToken: async () => tokens.accessToken },
      { platform: "Google Drive", baseUrl: io.config.GOOGLE_DRIVE_API_URL ?? "", headers: {} },
    );
    const query = { fields: "user(permissionId,emailAddress)" };
    const call = { method: "GET", path: "/drive/v3/about", query, about: "your account" } as const;
    const { user } = await client.request(call, aboutSchema);
    const account = { externalId: user.permissionId, name: user.emailAddress };
    return { ...tokens, account, details: {} };
  },

  refresh: (io, refreshToken) => tradeRefreshToken(io, tokenDesk(io), refreshToken),

  /** Revoking one token ends the whole grant; 400 = the grant is already invalid. */
  async revoke(io, { accessToken, refreshToken }) {
    const body = new URLSearchParams({ token: refreshToken ?? accessToken });
    const call = { method: "POST", path: "/revoke", body, about: "the authorisation" } as const;
    await createHttpClient({ fetch: io.fetch, clock: io.clock }, tokenDesk(io).site)
      .send(call)
      .catch((error: unknown) => {
        if (!(error instanceof ConnectorError) || error.status !== 400) throw error;
      });
  },
};

const tokenDesk = ({ config }: AuthorisationIo): TokenDesk => ({
  site: { platform: "Google", baseUrl: config.GOOGLE_DRIVE_TOKEN_URL ?? "", headers: {} },
  path: "/token",
  clientId: config.GOOGLE_DRIVE_CLIENT_ID,
  clientSecret: config.GOOGLE_DRIVE_CLIENT_SECRET,
  refusedGrant: /invalid_grant/,
});

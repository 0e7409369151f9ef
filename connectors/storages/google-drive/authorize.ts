import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import type { ConsentAuthoriser } from "#connectors/contract/storage-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";

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

const tokensSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().default(""),
});
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

  consentUrl(config, { state, codeChallenge, redirectUri }) {
    if (!config.GOOGLE_DRIVE_CLIENT_ID) {
      throw new ConnectorError(
        "unsupported",
        "Google Drive is not set up on this server yet, so it cannot be connected.",
      );
    }
    const query = new URLSearchParams({
      client_id: config.GOOGLE_DRIVE_CLIENT_ID,
      response_type: "code",
      access_type: "offline",
      prompt: "consent",
      redirect_uri: redirectUri,
      scope: SCOPE,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
    });
    return `${config.GOOGLE_DRIVE_WEB_URL}/o/oauth2/v2/auth?${query}`;
  },

  async exchange(io, { code, codeVerifier, redirectUri }) {
    const parameters = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
    const { scope, ...tokens } = await trade(io, { ...parameters, redirect_uri: redirectUri });
    // The consent page has a checkbox for our only scope, and the user may leave it unticked.
    if (!scope.split(" ").includes(SCOPE)) {
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

  async refresh(io, refreshToken) {
    const { scope: _, ...tokens } = await trade(io, {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    });
    return tokens;
  },

  /** Revoking one token ends the whole grant; 400 = the grant is already invalid. */
  async revoke(io, { accessToken, refreshToken }) {
    const body = new URLSearchParams({ token: refreshToken ?? accessToken });
    const call = { method: "POST", path: "/revoke", body, about: "the authorisation" } as const;
    await tokenClient(io)
      .send(call)
      .catch((error: unknown) => {
        if (!(error instanceof ConnectorError) || error.status !== 400) throw error;
      });
  },
};

async function trade(io: AuthorisationIo, parameters: Record<string, string>) {
  const body = new URLSearchParams({
    client_id: io.config.GOOGLE_DRIVE_CLIENT_ID ?? "",
    client_secret: io.config.GOOGLE_DRIVE_CLIENT_SECRET ?? "",
    ...parameters,
  });
  const call = { method: "POST", path: "/token", body, about: "the authorisation" } as const;
  const answer = await tokenClient(io)
    .request(call, tokensSchema)
    .catch((error: unknown) => {
      throw refusalOf(error);
    });
  return {
    accessToken: answer.access_token,
    accessTokenExpiresAt: io.clock.now() + answer.expires_in * SECOND_MS,
    refreshToken: answer.refresh_token ?? null,
    scope: answer.scope,
  };
}

function tokenClient({ config, fetch, clock }: AuthorisationIo) {
  const baseUrl = config.GOOGLE_DRIVE_TOKEN_URL ?? "";
  return createHttpClient({ fetch, clock }, { platform: "Google", baseUrl, headers: {} });
}

/** The owner can fix only a rejected grant; a rejected application (`invalid_client`) is our fault. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || (error.status !== 400 && error.status !== 401)) return error;
  const options = { status: error.status, cause: error };
  const said = error.message.replace(/^.*?It said: /, "");
  return /invalid_grant/.test(error.message)
    ? new ConnectorError("unauthorized", `Google did not accept the authorisation. It said: ${said}`, options)
    : new ConnectorError("unavailable", `Google gives us no access at the moment. It said: ${said}`, options);
}

import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { createHttpClient, type HttpApi } from "./http-client.ts";

/** A site's token endpoint (RFC 6749) and our client credentials. */
export type TokenDesk = {
  site: HttpApi;
  path: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
  /** Matches messages that refuse the grant, which its owner can renew, and not messages about our application. */
  refusedGrant: RegExp;
};

/** The tokens in a response. Times are epoch ms; null = does not expire. */
export type TradedTokens = {
  accessToken: string;
  accessTokenExpiresAt: number | null;
  refreshToken: string | null;
};
type Trade = {
  tokens: TradedTokens;
  /** The granted scopes, if the site returns them. */
  scopes: readonly string[];
};

/** A site's token response. Some sites return refusals with HTTP 200. */
export const tokenAnswerSchema = z.union([
  z.object({ error: z.string(), error_description: z.string().nullish() }),
  z.object({
    access_token: z.string().min(1),
    expires_in: z.coerce.number().positive().nullish(),
    refresh_token: z.string().nullish(),
    scope: z.string().default(""),
  }),
]);

/** The query of a consent page: the code flow (RFC 6749) with PKCE (RFC 7636). */
export function consentQuery(
  clientId: string | undefined,
  { state, codeChallenge, redirectUri }: { state: string; codeChallenge: string; redirectUri: string },
  more: Readonly<Record<string, string>> = {},
): URLSearchParams {
  return new URLSearchParams({
    response_type: "code",
    client_id: clientId ?? "",
    redirect_uri: redirectUri,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
    ...more,
  });
}

/** Exchanges a code, which works once. @throws ConnectorError `unauthorized` when the site does not accept it */
export function tradeCode(
  io: AuthorisationIo,
  desk: TokenDesk,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
): Promise<Trade> {
  const parameters = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
  return trade(io, desk, { ...parameters, redirect_uri: redirectUri });
}

/** Exchanges a refresh token. @throws ConnectorError `unauthorized` when the site no longer accepts it */
export async function tradeRefreshToken(
  io: AuthorisationIo,
  desk: TokenDesk,
  refreshToken: string,
): Promise<TradedTokens> {
  const { tokens } = await trade(io, desk, { grant_type: "refresh_token", refresh_token: refreshToken });
  return tokens;
}

/** Sends a token request. Never retries it, because codes and many refresh tokens work once. */
async function trade(
  io: AuthorisationIo,
  desk: TokenDesk,
  parameters: Record<string, string>,
): Promise<Trade> {
  const client = { client_id: desk.clientId ?? "", client_secret: desk.clientSecret ?? "" };
  const body = new URLSearchParams({ ...client, ...parameters });
  const call = { method: "POST", path: desk.path, body, about: "the authorisation" } as const;
  const http = createHttpClient({ fetch: io.fetch, clock: io.clock }, desk.site);
  const answer = await http.request(call, tokenAnswerSchema).catch((error: unknown) => {
    throw refusedTrade(desk, error);
  });
  if ("error" in answer) throw refusal(desk, `${answer.error}: ${answer.error_description || answer.error}`);
  const { expires_in: seconds } = answer;
  return {
    tokens: {
      accessToken: answer.access_token,
      accessTokenExpiresAt: seconds == null ? null : io.clock.now() + seconds * SECOND_MS,
      refreshToken: answer.refresh_token || null,
    },
    scopes: answer.scope.split(" "),
  };
}

/** The error of a token request, which says whether the owner can renew the grant if the site refused it. */
export function refusedTrade(
  desk: Pick<TokenDesk, "refusedGrant"> & { site: Pick<HttpApi, "platform"> },
  error: unknown,
): unknown {
  return isRefusal(error) ? refusal(desk, error.message, error) : error;
}

/** Whether the site refused the request. A rate limit is not a refusal, whatever its status. */
function isRefusal(error: unknown): error is ConnectorError {
  return (
    error instanceof ConnectorError &&
    error.kind !== "rate-limited" &&
    [400, 401, 403].includes(error.status ?? 0)
  );
}

/** `unauthorized` if the site refused the grant, else `unavailable`: the owner cannot fix e.g. `invalid_client`. */
function refusal(
  { site, refusedGrant }: Parameters<typeof refusedTrade>[0],
  message: string,
  cause?: ConnectorError,
): ConnectorError {
  const said = message.replace(/^(?:.*?It said: |\w+: )/, "");
  const options = cause && { cause, status: cause.status ?? undefined };
  return refusedGrant.test(message)
    ? new ConnectorError(
        "unauthorized",
        `${site.platform} did not accept the authorisation. It said: ${said}`,
        options,
      )
    : new ConnectorError(
        "unavailable",
        `${site.platform} refuses to give us access at the moment. It said: ${said}`,
        options,
      );
}

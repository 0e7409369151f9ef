import { AppError } from "#core/kernel/app-error.ts";
import { randomBytes, sha256, sha256Hex, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import { getOrganisationKey, type Member } from "#core/organisations/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { sealSecret } from "#core/vault/index.ts";
import { savedRegion } from "../accounts/choose-region.ts";
import { checkedAccountName } from "../accounts/reach-account.ts";
import type { ConnectionRow } from "../connection.store.ts";
import { AUTHORISATION_MS } from "../limits.ts";
import { authMethodsOf, connectorOf } from "../open-session.ts";
import { type ConnectionScope, requireAccount } from "../require-connection.ts";
import { insertAuthorisation } from "./authorisation.store.ts";
import { requireStanding } from "./require-standing.ts";

/** The purpose under which the code verifier is sealed. */
export const VERIFIER_PURPOSE = "code-verifier";

/** The request that sends a person to the consent page. */
export type AuthorisationOrder = ConnectionScope & {
  /** Defaults to the region saved for the platform; a connected account keeps its own. */
  region?: Region;
  redirectUri: string;
  /** The account to connect, if named; any other account is refused. */
  accountName?: string;
  isAutoAdd?: boolean;
  /** Another account may replace the connected one, whose backups are then deleted. Owner only. */
  isChange?: boolean;
  /** How access is granted. Defaults to the renewed connection's lost method, else to the platform's preferred one. */
  authMethod?: string;
};

/**
 * Starts connecting an account: stores a single-use state bound to this person, and returns the URL of the provider's
 * consent page. Uses PKCE S256 (RFC 7636). The region is fixed here and never changes, even when the account is
 * changed. A named connection is renewed, or changed with `isChange`. Otherwise the account that consents is connected
 * in addition to the others. With another method than the connection's own, a renewal adds a credential to it. Every
 * manager may connect the first account, unless a consent is an item; everything else requires the owner (spec P-309).
 *
 * @throws AppError `err.role.forbidden`, `err.plan.required`, `err.platform.unknown`, `err.connection.missing`,
 *   `err.request.invalid`
 */
export async function beginAuthorisation(
  s: AccessServices & Uses<"connectorConfig" | "settings">,
  member: Member,
  input: AuthorisationOrder,
): Promise<{ url: string }> {
  const { platform } = input;
  const rows = await requireStanding(s, member, platform);
  const isNamed = input.isChange === true || !!input.connectionId;
  const named = isNamed ? (await requireAccount(s, member, input, "own")).connection : null;
  const connector = connectorOf(s, platform);
  const accountName =
    input.accountName === undefined ? null : checkedAccountName(s, platform, input.accountName);
  const authMethod = chosenMethod(s, platform, {
    asked: input.authMethod,
    renewed: input.isChange ? null : named,
  });
  const state = toBase64Url(randomBytes(32));
  const verifier = toBase64Url(randomBytes(32));
  const key = await getOrganisationKey(s, member.organisationId);
  const stateHash = await sha256Hex(state);
  await insertAuthorisation(s.control, {
    stateHash,
    organisationId: member.organisationId,
    userId: member.userId,
    platform,
    region: named?.region ?? input.region ?? (await usualRegion(s, member, platform, rows)),
    replacesId: input.isChange ? (named?.id ?? null) : null,
    renewsId: input.isChange ? null : (named?.id ?? null),
    authMethod,
    accountName,
    isAutoAdd: input.isAutoAdd ?? null,
    sealedCodeVerifier: await sealSecret(key, { purpose: VERIFIER_PURPOSE, ownerId: stateHash }, verifier),
    expiresAt: s.clock.now() + AUTHORISATION_MS,
  });
  const codeChallenge = toBase64Url(await sha256(utf8(verifier)));
  return {
    url: connector.authoriser.consentUrl(s.connectorConfig, {
      authMethod,
      state,
      codeChallenge,
      redirectUri: input.redirectUri,
      ...(accountName === null ? {} : { accountHint: accountName }),
    }),
  };
}

/** @throws AppError `err.request.invalid` for a method that the platform does not have */
function chosenMethod(
  s: Uses<"connectors">,
  platform: string,
  { asked, renewed }: { asked: string | undefined; renewed: ConnectionRow | null },
): string {
  const declared = authMethodsOf(s, platform);
  const lost = renewed?.credentials.filter(({ status }) => status === "revoked");
  const meant =
    asked ?? declared.find((id) => lost?.some(({ authMethod }) => authMethod === id)) ?? declared[0];
  if (meant !== undefined && declared.includes(meant)) return meant;
  const { label } = connectorOf(s, platform).descriptor;
  throw new AppError("err.request.invalid", { message: `${label} has no such way to grant access.` });
}

/** The default region of a new account: that of the first account, or the one saved for the platform. */
async function usualRegion(
  s: Uses<"control">,
  member: Member,
  platform: string,
  [first]: readonly ConnectionRow[],
): Promise<Region> {
  return first?.region ?? (await savedRegion(s, member, platform)) ?? REGIONS[0];
}

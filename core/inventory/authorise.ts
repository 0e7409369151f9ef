import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { auditStatement } from "#core/audit/index.ts";
import { startTrial } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { randomBytes, sha256, sha256Hex, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { getOrganisationKey, type Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { openSecret, sealSecret } from "#core/vault/index.ts";
import { insertAuthorisation, saveConnection, takeAuthorisation } from "./connection.store.ts";
import { AUTHORISATION_MS } from "./limits.ts";
import { connectorOf, sealTokens } from "./open-session.ts";
import { doneBy, requireRight } from "./scope.ts";
import { toConnectionView } from "./to-views.ts";
import { translateFailure } from "./translate-failure.ts";
import type { ConnectionView } from "./views.ts";

const VERIFIER_PURPOSE = "code-verifier";

/**
 * Begins connecting an account: remembers a single-use state bound to this person, and answers the provider's
 * consent page. PKCE S256 (RFC 7636); the region is chosen here and kept for life.
 *
 * @throws AppError `err.role.forbidden`, `err.plan.required`, `err.platform.unknown`
 */
export async function beginAuthorisation(
  s: CoreServices,
  member: Member,
  input: { platform: string; region: Region; redirectUri: string },
): Promise<{ url: string }> {
  if (!s.connectors.has(input.platform)) throw new AppError("err.platform.unknown");
  await requireRight(s, member, input.platform, "manage");
  const connector = connectorOf(s, input.platform);
  const state = toBase64Url(randomBytes(32));
  const verifier = toBase64Url(randomBytes(32));
  const key = await getOrganisationKey(s, member.organisationId);
  const stateHash = await sha256Hex(state);
  await insertAuthorisation(s.control, {
    stateHash,
    organisationId: member.organisationId,
    userId: member.userId,
    platform: input.platform,
    region: input.region,
    sealedCodeVerifier: await sealSecret(key, { purpose: VERIFIER_PURPOSE, ownerId: stateHash }, verifier),
    expiresAt: s.clock.now() + AUTHORISATION_MS,
  });
  const codeChallenge = toBase64Url(await sha256(utf8(verifier)));
  return {
    url: connector.authoriser.consentUrl(s.connectorConfig, {
      state,
      codeChallenge,
      redirectUri: input.redirectUri,
    }),
  };
}

/**
 * Ends connecting: the state answers once, for the person who began; the code is traded for tokens, which are
 * sealed before they are stored. The first connection of a platform starts its trial.
 *
 * @throws AppError `err.connection.state`, `err.role.forbidden`, `err.plan.required`, `err.platform.unavailable`
 */
export async function completeAuthorisation(
  s: CoreServices,
  member: Member,
  input: { platform: string; state: string; code: string; redirectUri: string },
): Promise<ConnectionView> {
  if (!s.connectors.has(input.platform)) throw new AppError("err.platform.unknown");
  const stateHash = await sha256Hex(input.state);
  const begun = await takeAuthorisation(s.control, {
    stateHash,
    organisationId: member.organisationId,
    userId: member.userId,
    platform: input.platform,
    now: s.clock.now(),
  });
  if (!begun) throw new AppError("err.connection.state");
  // The right may have been taken between consent and return.
  await requireRight(s, member, input.platform, "manage");
  const key = await getOrganisationKey(s, member.organisationId);
  const codeVerifier = await openSecret(
    key,
    { purpose: VERIFIER_PURPOSE, ownerId: stateHash },
    begun.sealedCodeVerifier,
  );
  const connector = connectorOf(s, input.platform);
  const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
  const grant = await connector.authoriser
    .exchange(io, { code: input.code, codeVerifier, redirectUri: input.redirectUri })
    .catch((cause: unknown) => {
      if (cause instanceof ConnectorError && cause.kind === "unauthorized") {
        throw new AppError("err.connection.state", { cause });
      }
      throw translateFailure(cause);
    });
  const sealed = await sealTokens(
    s,
    { organisationId: member.organisationId, platform: input.platform, externalId: grant.account.externalId },
    grant,
  );
  const connected = auditStatement(s, {
    ...doneBy(member, input.platform),
    action: "connect-account",
    subject: grant.account.name,
    occasion: `connect:${stateHash}`,
  });
  const order = {
    id: s.ids.next("connection"),
    organisationId: member.organisationId,
    platform: input.platform,
    region: begun.region,
    externalId: grant.account.externalId,
    nodeId: grant.account.nodeId,
    name: grant.account.name,
    accountType: grant.account.type,
    ...sealed,
    accessTokenExpiresAt: grant.accessTokenExpiresAt,
    details: grant.details,
    now: s.clock.now(),
  };
  const row = await saveConnection(s.control, order, connected);
  await startTrial(s, member.organisationId, input.platform);
  await s.live.publish(member.organisationId, [
    { method: "connection-changed", platform: input.platform, connectionId: row.id },
  ]);
  return toConnectionView(row);
}

import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Grant } from "#connectors/contract/platform-connector.ts";
import { auditStatement } from "#core/audit/index.ts";
import { startTrial } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { randomBytes, sha256, sha256Hex, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import { getOrganisationKey, type Member, requireOwner } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { openSecret, sealSecret } from "#core/vault/index.ts";
import { mailCode } from "./accounts/account-code.ts";
import { replaceAccount } from "./accounts/change-account.ts";
import { savedRegion } from "./accounts/choose-region.ts";
import { checkedAccountName, installDetails, isSameName, reachAccount } from "./accounts/reach-account.ts";
import { findAccountRow } from "./accounts/require-account.ts";
import {
  type AuthorisationRow,
  type ConnectionRow,
  insertAuthorisation,
  saveConnection,
  takeAuthorisation,
} from "./connection.store.ts";
import { AUTHORISATION_MS } from "./limits.ts";
import { connectorOf, openTokenSession, sealTokens } from "./open-session.ts";
import { doneBy } from "./require-connection.ts";
import { resumeConnection } from "./resume-connection.ts";
import { toConnectionView } from "./to-views.ts";
import { translateFailure } from "./translate-failure.ts";
import type { ConnectionView } from "./views.ts";

const VERIFIER_PURPOSE = "code-verifier";

/** Parameters of an authorisation. */
export type AuthorisationOrder = {
  platform: string;
  /** Defaults to the region saved for the platform. A connected account keeps its own. */
  region?: Region;
  redirectUri: string;
  /** The expected account, if one was named. Any other account is refused. */
  accountName?: string;
  isAutoAdd?: boolean;
  /** Allows another account to replace the connected one, whose backups are then deleted. Owner only. */
  isChange?: boolean;
};

/**
 * Starts connecting an account: stores a single-use state bound to this person and returns the URL of the provider's
 * consent page. Uses PKCE S256 (RFC 7636). The region is fixed here and kept even when the account is changed. Every
 * manager may connect a first account; only the owner may renew or change a connected one (spec P-309).
 *
 * @throws AppError `err.role.forbidden`, `err.plan.required`, `err.platform.unknown`, `err.connection.missing`
 */
export async function beginAuthorisation(
  s: CoreServices,
  member: Member,
  input: AuthorisationOrder,
): Promise<{ url: string }> {
  const right = input.isChange ? "own" : "manage";
  const replaced = await findAccountRow(s, member, input.platform, right);
  if (replaced) requireOwner(member);
  if (input.isChange && !replaced) throw new AppError("err.connection.missing");
  const connector = connectorOf(s, input.platform);
  const accountName = input.accountName === undefined ? null : checkedAccountName(input.accountName);
  const state = toBase64Url(randomBytes(32));
  const verifier = toBase64Url(randomBytes(32));
  const key = await getOrganisationKey(s, member.organisationId);
  const stateHash = await sha256Hex(state);
  await insertAuthorisation(s.control, {
    stateHash,
    organisationId: member.organisationId,
    userId: member.userId,
    platform: input.platform,
    region: replaced?.region ?? input.region ?? (await savedRegion(s, member, input.platform)) ?? REGIONS[0],
    replacesId: input.isChange ? (replaced?.id ?? null) : null,
    accountName,
    isAutoAdd: input.isAutoAdd ?? null,
    sealedCodeVerifier: await sealSecret(key, { purpose: VERIFIER_PURPOSE, ownerId: stateHash }, verifier),
    expiresAt: s.clock.now() + AUTHORISATION_MS,
  });
  const codeChallenge = toBase64Url(await sha256(utf8(verifier)));
  return {
    url: connector.authoriser.consentUrl(s.connectorConfig, {
      state,
      codeChallenge,
      redirectUri: input.redirectUri,
      ...(accountName === null ? {} : { accountHint: accountName }),
    }),
  };
}

/**
 * Completes connecting an account. The state works once, for the person who started. The code is exchanged for tokens,
 * which are sealed before they are stored. Connecting the same account again renews its grant and resumes paused
 * backups. Another account is refused, unless the request was to replace the connected one. The first connection of a
 * platform starts its trial.
 *
 * @throws AppError `err.connection.state`, `err.role.forbidden`, `err.plan.required`, `err.platform.unavailable`,
 *   `err.connection.exists`, `err.connection.other`, `err.app.missing`
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
  // The right may have been revoked since the consent page was opened.
  const current = await findAccountRow(s, member, input.platform, begun.replacesId ? "own" : "manage");
  if (current) requireOwner(member);
  const grant = await tradeCode(s, begun, input);
  const chosen = await chooseAccount(s, { platform: input.platform, wanted: begun.accountName, grant });
  const { account } = chosen;
  const owner = {
    organisationId: member.organisationId,
    platform: input.platform,
    externalId: account.externalId,
  };
  const tokens = {
    ...(await sealTokens(s, owner, grant)),
    accessTokenExpiresAt: grant.accessTokenExpiresAt,
  };
  const isAutoAdd = begun.isAutoAdd ?? false;
  if (current && current.externalId !== account.externalId) {
    if (begun.replacesId !== current.id) throw anotherAccount(s, current, account.name);
    const change = { ...chosen, old: current, tokenVersion: null, tokens, details: grant.details, isAutoAdd };
    return replaceAccount(s, member, change);
  }
  if (current) await resumeConnection(s, current);
  const connected = auditStatement(s, {
    ...doneBy(member, input.platform),
    action: "connect-account",
    subject: account.name,
    occasion: `connect:${stateHash}`,
  });
  const row = await saveConnection(
    s.control,
    {
      id: s.ids.next("connection"),
      organisationId: member.organisationId,
      platform: input.platform,
      region: begun.region,
      externalId: account.externalId,
      nodeId: account.nodeId,
      name: account.name,
      accountType: account.type,
      ...tokens,
      details: grant.details,
      isAutoAdd,
      isConfirmed: chosen.isConfirmed,
      grantName: chosen.grantName,
      now: s.clock.now(),
    },
    connected,
  );
  await startTrial(s, member.organisationId, input.platform);
  await s.live.publish(member.organisationId, [
    { method: "connection-changed", platform: input.platform, connectionId: row.id },
  ]);
  if (!row.isConfirmed) await mailCode(s, row);
  return toConnectionView(row);
}

/** Cancels connecting. The state cannot be used any more. */
export async function declineAuthorisation(
  s: Pick<CoreServices, "control" | "clock">,
  { organisationId, userId }: Pick<Member, "organisationId" | "userId">,
  { platform, state }: { platform: string; state: string },
): Promise<void> {
  const stateHash = await sha256Hex(state);
  await takeAuthorisation(s.control, { stateHash, organisationId, userId, platform, now: s.clock.now() });
}

async function tradeCode(
  s: CoreServices,
  begun: AuthorisationRow,
  { platform, code, redirectUri }: { platform: string; code: string; redirectUri: string },
): Promise<Grant> {
  const key = await getOrganisationKey(s, begun.organisationId);
  const codeVerifier = await openSecret(
    key,
    { purpose: VERIFIER_PURPOSE, ownerId: begun.stateHash },
    begun.sealedCodeVerifier,
  );
  const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
  return connectorOf(s, platform)
    .authoriser.exchange(io, { code, codeVerifier, redirectUri })
    .catch((cause: unknown) => {
      if (cause instanceof ConnectorError && cause.kind === "unauthorized") {
        throw new AppError("err.connection.state", { cause });
      }
      throw translateFailure(cause);
    });
}

/**
 * Returns the named account, or the one that gave the grant. An account reached through another account's grant must be
 * confirmed with a code.
 */
async function chooseAccount(
  s: CoreServices,
  { platform, wanted, grant }: { platform: string; wanted: string | null; grant: Grant },
): Promise<{ account: Grant["account"]; isConfirmed: boolean; grantName: string | null }> {
  if (wanted === null || isSameName(wanted, grant.account.name)) {
    return { account: grant.account, isConfirmed: true, grantName: null };
  }
  const { externalId, name: accountName } = grant.account;
  const session = openTokenSession(
    s,
    { platform, externalId, details: grant.details, accountName },
    grant.accessToken,
  );
  const answer = await reachAccount(s, { platform, session, name: wanted });
  if (answer.kind === "missing") {
    throw new AppError("err.app.missing", { details: installDetails(s, platform) });
  }
  return { account: answer.account, isConfirmed: answer.isOwn, grantName: answer.isOwn ? null : accountName };
}

function anotherAccount(s: CoreServices, current: ConnectionRow, name: string): AppError {
  const { label } = connectorOf(s, current.platform).descriptor;
  return new AppError("err.connection.exists", {
    message: `${label} answered for ${name}, but ${current.name} is connected. Nothing was changed. Choose “Change account” if ${name} should take its place; this deletes the backups of ${current.name}.`,
  });
}

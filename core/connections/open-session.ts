import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { authMethodIds, DEFAULT_AUTH_METHOD } from "#connectors/contract/descriptor.ts";
import {
  GENERAL_QUOTA,
  type PlatformConnector,
  type Quota,
  type Session,
} from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { getOrganisationKey, rememberOrganisationKey } from "#core/organisations/index.ts";
import type { ProviderBudgets, QuotaLeft, RequestServices, SessionServices, Uses } from "#core/services.ts";
import { type OrganisationKey, openSecret, sealSecret } from "#core/vault/index.ts";
import type { ConnectionRow } from "./connection.store.ts";
import {
  type CredentialRow,
  findCredential,
  listSharing,
  markRevoked,
  type NewCredential,
  saveRenewedTokens,
} from "./credential.store.ts";
import { leaseBudgets } from "./leased-budgets.ts";
import { endLoss } from "./resume-connection.ts";

/** Tokens are renewed this long before they expire. */
const RENEW_BEFORE_MS = 2 * MINUTE_MS;
/** How long work waits before it looks again whether an installation has brought its next token. */
const BROUGHT_MS = 5 * MINUTE_MS;
/** Maximum wait within one call for a renewal by another caller or for a nearly refilled quota. */
const PATIENCE_MS = 20 * SECOND_MS;

/** Part of a shared quota that backups leave to restores and to people who wait. */
const RESERVED_SHARE = 0.2;

/** Replaces the account in the name of the budget that all customers of a platform share. No account has this name. */
const EVERYBODY = "*";

const TOKEN_PURPOSE = "access-token";
const REFRESH_PURPOSE = "refresh-token";

/** Returns the connector of a platform. @throws InvariantError for a platform that is not in the registry */
export function connectorOf(s: Uses<"connectors">, platform: string): PlatformConnector {
  const connector = s.connectors.get(platform);
  invariant(connector, `no connector for ${platform}`);
  return connector;
}

/** The ids of a platform's methods, the preferred one first. */
export function authMethodsOf(s: Uses<"connectors">, platform: string): readonly string[] {
  return authMethodIds(connectorOf(s, platform).descriptor);
}

/** The method of an authorisation. */
export function methodOf(
  s: Uses<"connectors">,
  { platform, authMethod }: { platform: string; authMethod: string | null },
): string {
  return authMethod ?? authMethodsOf(s, platform)[0] ?? DEFAULT_AUTH_METHOD;
}

/** The methods of a connection's working credentials, the preferred one first. */
export function workingMethods(
  s: Uses<"connectors">,
  { platform, status: whole, credentials }: Pick<ConnectionRow, "platform" | "status" | "credentials">,
): readonly string[] {
  if (whole === "revoked") return [];
  const working = new Set(
    credentials.filter(({ status }) => status === "active").map((one) => one.authMethod),
  );
  return authMethodsOf(s, platform).filter((id) => working.has(id));
}

/**
 * The version of the tokens that work used last, by method. A refusal is about this version: a newer one, stored before the
 * refusal is reported, is good.
 */
export type UsedTokens = Map<string, number>;

/** How a session is used. */
type SessionUse = {
  request?: () => void;
  bytes?: (bytes: number) => void;
  /** Nobody waits for it: of quotas that customers share it takes a fair part and leaves a reserve. */
  isBackground?: boolean;
  /** Work with many calls: it leases points of budgets, and `atEnd` settles them when it ends. */
  atEnd?: (settle: () => Promise<void>) => void;
  /** Notes the versions of tokens, for work that reports their loss. */
  usedTokens?: UsedTokens;
};
const SHORT_USE: SessionUse = {};

/** Opens a session with the platform on behalf of a connection. */
export function openSession(s: SessionServices, row: ConnectionRow, use: SessionUse = SHORT_USE): Session {
  const keyOf = rememberOrganisationKey(s, row.organisationId, s.memory);
  const { platform, externalId, details } = row;
  const account = { platform, externalId, details: details as Json, accountName: row.grantName ?? row.name };
  const working = workingMethods(s, row);
  const leased = use.atEnd && leaseBudgets(s);
  if (leased) use.atEnd?.(leased.settle);
  const requests = leased ? { ...s, budgets: { ...s.budgets, ...leased } } : s;
  const sessionBy = (authMethod: string): Session => {
    let current: CredentialRow | null = null;
    const accessToken = async (refused?: string) => {
      const note = (version: number) => void use.usedTokens?.set(authMethod, version);
      const fresh = await validToken(s, row, { authMethod, current, key: await keyOf(), refused, note });
      current = fresh.credential;
      return fresh.token;
    };
    const as = (other: string) => (working.includes(other) ? sessionBy(other) : null);
    return converse(requests, account, { authMethod, accessToken, as }, use);
  };
  return sessionBy(methodOf(s, { platform, authMethod: working[0] ?? null }));
}

/** Returns the remaining quotas of a connection's account. */
export function quotaLeft(
  s: Uses<"clock" | "budgets" | "connectors">,
  row: Pick<ConnectionRow, "platform" | "externalId">,
): Promise<QuotaLeft> {
  const own = (connectorOf(s, row.platform).quotas ?? []).filter(({ owner }) => owner === "account");
  const windows = Object.fromEntries(own.map((quota) => [quota.resource, windowOf(quota)]));
  return s.budgets.left(ownerOf(row), s.clock.now(), windows);
}

/** Opens a session with a token that has no connection yet. The token is never renewed. */
export function openTokenSession(
  s: RequestServices,
  account: { platform: string; externalId: string; details: Json; accountName: string; authMethod: string },
  token: string,
): Session {
  const accessToken = async (refused?: string) => {
    if (refused === token) throw new ConnectorError("unauthorized", "The token is not accepted.");
    return token;
  };
  const access = { authMethod: account.authMethod, accessToken, as: () => null };
  return converse(s, account, access, SHORT_USE);
}

function converse(
  s: RequestServices,
  account: { platform: string; externalId: string; details: Json; accountName: string },
  access: Pick<Session, "accessToken" | "authMethod" | "as">,
  use: SessionUse,
): Session {
  const quotas = connectorOf(s, account.platform).quotas ?? [];
  return {
    config: s.connectorConfig,
    fetch: (url, init) => {
      use.request?.();
      return s.fetch(url, { redirect: "manual", ...init });
    },
    ...access,
    spend: async (points, named = GENERAL_QUOTA, { isSpent = false } = {}) => {
      const deadline = s.clock.now() + PATIENCE_MS;
      for (const quota of drawnOn(quotas, named)) {
        const resource = quota?.resource ?? named;
        const isShared = quota?.owner === "app" && use.isBackground === true;
        const share = { account: account.externalId, reserve: RESERVED_SHARE * (quota?.points ?? 0) };
        const window = quota && {
          ...windowOf(quota),
          ...(isSpent && { isSpent }),
          ...(isShared && { share }),
        };
        await spendOrWait(s, account, {
          budget: budgetOf(account, quota),
          window,
          resource,
          points,
          deadline,
        });
      }
    },
    report: (limits) => {
      const quota = quotas.find(({ resource }) => resource === limits.resource);
      return s.budgets.report(budgetOf(account, quota), limits, s.clock.now(), quota && windowOf(quota));
    },
    clock: s.clock,
    sleep: s.sleep,
    connectionDetails: account.details,
    accountName: account.accountName,
  };
}

/** Returns the quotas that a call uses: those of the account before those shared by all customers. */
function drawnOn(quotas: readonly Quota[], named: string): (Quota | undefined)[] {
  const drawn = quotas.filter(({ isNamed, resource }) => isNamed !== true || resource === named);
  if (drawn.length === 0) return [undefined];
  return drawn.toSorted((one, other) => Number(one.owner === "app") - Number(other.owner === "app"));
}

/** Returns the budget that counts a quota. Without a declared quota the account has a single one. */
function budgetOf(account: { platform: string; externalId: string }, quota: Quota | undefined): string {
  return quota?.owner === "app" ? `${account.platform}:${EVERYBODY}` : ownerOf(account);
}

/** @throws ConnectorError `rate-limited` when the wait would last longer than a call may take */
async function spendOrWait(
  s: Uses<"clock" | "sleep" | "connectors" | "budgets">,
  account: { platform: string },
  {
    budget,
    window,
    resource,
    points,
    deadline,
  }: {
    budget: string;
    window: Parameters<ProviderBudgets["spend"]>[4];
    resource: string;
    points: number;
    deadline: number;
  },
): Promise<void> {
  for (;;) {
    const now = s.clock.now();
    const answer = await s.budgets.spend(budget, resource, points, now, window);
    if (answer.kind === "granted") return;
    if (answer.until > deadline) {
      throw new ConnectorError("rate-limited", `${labelOf(s, account)} asks us to wait.`, {
        retryAt: answer.until,
      });
    }
    await s.sleep(Math.max(50, answer.until - now));
  }
}

const windowOf = ({ points, perMs }: Quota) => ({ points, perMs });

/** The account and method that sealed tokens are bound to. */
type TokenOwner = { organisationId: string; platform: string; externalId: string; authMethod: string };

/** Seals the tokens of an authorisation or renewal. */
export async function sealTokens(
  s: Uses<"control" | "settings">,
  owner: TokenOwner,
  tokens: { accessToken: string; refreshToken: string | null },
): Promise<Pick<NewCredential, "sealedAccessToken" | "sealedRefreshToken">> {
  const key = await getOrganisationKey(s, owner.organisationId);
  const { accessToken, refreshToken } = tokens;
  return {
    sealedAccessToken: await sealSecret(key, sealOf(TOKEN_PURPOSE, owner), accessToken),
    sealedRefreshToken:
      refreshToken === null ? null : await sealSecret(key, sealOf(REFRESH_PURPOSE, owner), refreshToken),
  };
}

/**
 * Re-seals the preferred credential of a connection for another account that the same grant reaches.
 * @throws AppError `err.connection.unauthorized` when none works
 */
export async function resealCredential(
  s: Uses<"control" | "settings" | "connectors">,
  row: ConnectionRow,
  externalId: string,
): Promise<NewCredential> {
  const { organisationId, id } = row;
  const [authMethod] = workingMethods(s, row);
  const held = authMethod ? await findCredential(s.control, { organisationId, id, authMethod }) : null;
  if (!held) throw new AppError("err.connection.unauthorized");
  const key = await getOrganisationKey(s, organisationId);
  const from = { ...row, authMethod: held.authMethod };
  const tokens = {
    accessToken: await openSecret(key, sealOf(TOKEN_PURPOSE, from), held.sealedAccessToken),
    refreshToken:
      held.sealedRefreshToken &&
      (await openSecret(key, sealOf(REFRESH_PURPOSE, from), held.sealedRefreshToken)),
  };
  const { accessTokenExpiresAt, grantId, tokenVersion } = held;
  const sealed = await sealTokens(s, { ...from, externalId }, tokens);
  return { authMethod: held.authMethod, ...sealed, accessTokenExpiresAt, grantId, tokenVersion };
}

/**
 * Returns an access token that should still be valid. Exactly one caller renews a version (single flight). The new
 * refresh token is stored before the new access token is used, so a crash in between loses neither.
 */
async function validToken(
  s: SessionServices,
  row: ConnectionRow,
  {
    authMethod,
    current,
    key,
    refused,
    note,
  }: {
    authMethod: string;
    current: CredentialRow | null;
    key: OrganisationKey;
    refused: string | undefined;
    note: (version: number) => void;
  },
): Promise<{ token: string; credential: CredentialRow }> {
  const { organisationId, id } = row;
  const owner = { ...row, authMethod };
  const read = () => findCredential(s.control, { organisationId, id, authMethod });
  const deadline = s.clock.now() + PATIENCE_MS;
  let held = current ?? (await read());
  while (s.clock.now() <= deadline) {
    note(versionOf(row, held));
    if (row.status === "revoked" || held?.status !== "active") throw revoked(s, row, authMethod);
    const { accessTokenExpiresAt: expiresAt } = held;
    if (expiresAt === null || expiresAt - s.clock.now() > RENEW_BEFORE_MS) {
      const token = await openSecret(key, sealOf(TOKEN_PURPOSE, owner), held.sealedAccessToken);
      if (token !== refused) return { token, credential: held };
    }
    if (isBrought(s, { platform: row.platform, authMethod })) {
      const next = await read();
      if (next?.tokenVersion === held.tokenVersion) throw waitForToken(s, row);
      held = next;
      continue;
    }
    if (!held.sealedRefreshToken) {
      await markRevoked(s.control, [held]);
      throw revoked(s, row, authMethod);
    }
    const flight = flightOf(held, ownerOf(row));
    const turn = await s.budgets.beginRefresh(...flight, held.tokenVersion, s.clock.now());
    if (turn.kind === "yours") await renew(s, { row, held, flight, key });
    if (turn.kind === "busy") await s.sleep(Math.max(50, turn.retryAt - s.clock.now()));
    const next = await read();
    if (turn.kind === "done" && next?.tokenVersion === held.tokenVersion) await s.sleep(50);
    held = next;
  }
  throw new ConnectorError("unavailable", `${labelOf(s, row)} is slow to renew our access.`);
}

/** The version that is used or, if none can be, the one that was lost: of a removed credential none that a new one has. */
function versionOf({ status }: ConnectionRow, held: CredentialRow | null): number {
  if (held === null) return 0;
  // The row was read as lost, and a newer token works since.
  const isNewer = status === "revoked" && held.status === "active";
  return isNewer ? held.tokenVersion - 1 : held.tokenVersion;
}

/** True for a method whose tokens an installation brings. */
export function isBrought(
  s: Uses<"connectors">,
  { platform, authMethod }: { platform: string; authMethod: string },
): boolean {
  const methods = connectorOf(s, platform).descriptor.authMethods ?? [];
  return methods.some(({ id, isBrought }) => id === authMethod && isBrought === true);
}

/** Nothing is wrong yet: the next token comes by itself, and an installation that falls silent is ended elsewhere. */
function waitForToken(s: Uses<"clock" | "connectors">, row: ConnectionRow): ConnectorError {
  const message = `The app inside ${labelOf(s, row)} brings a new access every hour. This waits for the next one.`;
  return new ConnectorError("rate-limited", message, { retryAt: s.clock.now() + BROUGHT_MS });
}

/** The key of a renewal: one credential, or all that share its tokens. */
function flightOf(
  { connectionId, authMethod, grantId }: CredentialRow,
  budget: string,
): [budget: string, id: string] {
  if (grantId !== null) return [`grant:${grantId}`, grantId];
  return [budget, authMethod === DEFAULT_AUTH_METHOD ? connectionId : `${connectionId}:${authMethod}`];
}

async function renew(
  s: Omit<SessionServices, "sleep">,
  {
    row,
    held,
    flight,
    key,
  }: { row: ConnectionRow; held: CredentialRow; flight: [budget: string, id: string]; key: OrganisationKey },
): Promise<void> {
  const { authMethod } = held;
  const { organisationId } = row;
  let stored: number | null = null;
  try {
    const seal = sealOf(REFRESH_PURPOSE, { ...row, authMethod });
    const refreshToken = await openSecret(key, seal, held.sealedRefreshToken!);
    const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
    const { authoriser } = connectorOf(s, row.platform);
    const tokens = await authoriser.refresh(io, refreshToken, authMethod);
    const sharing = held.grantId === null ? [row] : await listSharing(s.control, held);
    const renewed = await Promise.all(
      sharing.map(async ({ id, platform, externalId }) => ({
        id,
        ...(await sealTokens(s, { organisationId, platform, externalId, authMethod }, tokens)),
      })),
    );
    const lost = await saveRenewedTokens(s.control, held, renewed, tokens.accessTokenExpiresAt);
    stored = held.tokenVersion + 1;
    for (const connection of lost) await endLoss(s, connection);
  } catch (cause) {
    if (cause instanceof ConnectorError && cause.kind === "unauthorized") {
      const now = await findCredential(s.control, { organisationId, id: row.id, authMethod });
      // Another renewal overtook this one, so the platform knows the token no more: the newer one is good.
      if (now?.tokenVersion !== held.tokenVersion) return;
      await markRevoked(s.control, [held]);
      throw new ConnectorError("unauthorized", cause.message, { authMethod, cause });
    }
    throw cause;
  } finally {
    await s.budgets.endRefresh(...flight, stored);
  }
}

/** Binds a sealed token to its account and method. */
function sealOf(purpose: string, owner: Omit<TokenOwner, "organisationId">) {
  const { authMethod } = owner;
  const method = authMethod === DEFAULT_AUTH_METHOD ? "" : `:${authMethod}`;
  return { purpose, ownerId: `${ownerOf(owner)}${method}` };
}

const ownerOf = (row: { platform: string; externalId: string }) => `${row.platform}:${row.externalId}`;
const labelOf = (s: Uses<"connectors">, { platform }: { platform: string }) =>
  connectorOf(s, platform).descriptor.label;

function revoked(s: Uses<"connectors">, row: ConnectionRow, authMethod: string): ConnectorError {
  return new ConnectorError(
    "unauthorized",
    `${labelOf(s, row)} no longer accepts our access to ${row.name}. Reconnect the account; nothing that was backed up is lost.`,
    { authMethod },
  );
}

import { ConnectorError } from "#connectors/contract/connector-error.ts";
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
import type { QuotaLeft, RequestServices, SessionServices, Uses } from "#core/services.ts";
import { type OrganisationKey, openSecret, sealSecret } from "#core/vault/index.ts";
import {
  type ConnectionRow,
  findConnectionRow,
  listSharing,
  markRevoked,
  saveRenewedTokens,
} from "./connection.store.ts";

/** Tokens are renewed this long before they expire. */
const RENEW_BEFORE_MS = 2 * MINUTE_MS;
/** Maximum wait within one call for a renewal by another caller or for a nearly refilled quota. */
const PATIENCE_MS = 20 * SECOND_MS;

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

/** Opens a session with the platform on behalf of a connection. */
export function openSession(
  s: SessionServices,
  row: ConnectionRow,
  count: { request: () => void; bytes: (bytes: number) => void } = { request: () => {}, bytes: () => {} },
): Session {
  const budget = ownerOf(row);
  const keyOf = rememberOrganisationKey(s, row.organisationId);
  let current = row;
  const accessToken = async (refused?: string) => {
    const fresh = await validToken(s, current, { budget, key: await keyOf() }, refused ?? null);
    current = fresh.row;
    return fresh.token;
  };
  const { platform, externalId, details } = row;
  return converse(
    s,
    { platform, externalId, details: details as Json, accountName: row.grantName ?? row.name },
    accessToken,
    count,
  );
}

/** Returns the remaining quotas of a connection's account. */
export function quotaLeft(s: Uses<"clock" | "budgets">, row: ConnectionRow): Promise<QuotaLeft> {
  return s.budgets.left(ownerOf(row), s.clock.now());
}

/** Opens a session with a token that has no connection yet. The token is never renewed. */
export function openTokenSession(
  s: RequestServices,
  account: { platform: string; externalId: string; details: Json; accountName: string },
  token: string,
): Session {
  const accessToken = async (refused?: string) => {
    if (refused === token) throw new ConnectorError("unauthorized", "The token is not accepted.");
    return token;
  };
  return converse(s, account, accessToken, { request: () => {}, bytes: () => {} });
}

function converse(
  s: RequestServices,
  account: { platform: string; externalId: string; details: Json; accountName: string },
  accessToken: Session["accessToken"],
  count: { request: () => void; bytes: (bytes: number) => void },
): Session {
  const quotas = connectorOf(s, account.platform).quotas ?? [];
  return {
    config: s.connectorConfig,
    fetch: (url, init) => {
      count.request();
      return s.fetch(url, { redirect: "manual", ...init });
    },
    accessToken,
    spend: async (points, named = GENERAL_QUOTA) => {
      const deadline = s.clock.now() + PATIENCE_MS;
      for (const quota of drawnOn(quotas, named)) {
        const resource = quota?.resource ?? named;
        await spendOrWait(s, account, { quota, resource, points, deadline });
      }
    },
    report: (limits) => {
      const quota = quotas.find(({ resource }) => resource === limits.resource);
      return s.budgets.report(budgetOf(account, quota), limits, s.clock.now());
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
  account: { platform: string; externalId: string },
  {
    quota,
    resource,
    points,
    deadline,
  }: { quota: Quota | undefined; resource: string; points: number; deadline: number },
): Promise<void> {
  const budget = budgetOf(account, quota);
  for (;;) {
    const now = s.clock.now();
    const answer = await s.budgets.spend(budget, resource, points, now, quota && windowOf(quota));
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

/** Seals the tokens of an authorisation or renewal. */
export async function sealTokens(
  s: Uses<"control" | "settings">,
  owner: { organisationId: string; platform: string; externalId: string },
  tokens: { accessToken: string; refreshToken: string | null },
): Promise<{ sealedAccessToken: string; sealedRefreshToken: string | null }> {
  const key = await getOrganisationKey(s, owner.organisationId);
  const ownerId = ownerOf(owner);
  return {
    sealedAccessToken: await sealSecret(key, { purpose: TOKEN_PURPOSE, ownerId }, tokens.accessToken),
    sealedRefreshToken:
      tokens.refreshToken === null
        ? null
        : await sealSecret(key, { purpose: REFRESH_PURPOSE, ownerId }, tokens.refreshToken),
  };
}

/**
 * Re-seals the tokens of a connection for another account that the same grant reaches.
 * @throws AppError `err.connection.unauthorized` when there is no token
 */
export async function resealTokens(
  s: Uses<"control" | "settings">,
  row: ConnectionRow,
  externalId: string,
): Promise<{ sealedAccessToken: string; sealedRefreshToken: string | null }> {
  if (!row.sealedAccessToken) throw new AppError("err.connection.unauthorized");
  const key = await getOrganisationKey(s, row.organisationId);
  const ownerId = ownerOf(row);
  const accessToken = await openSecret(key, { purpose: TOKEN_PURPOSE, ownerId }, row.sealedAccessToken);
  const refreshToken =
    row.sealedRefreshToken === null
      ? null
      : await openSecret(key, { purpose: REFRESH_PURPOSE, ownerId }, row.sealedRefreshToken);
  const owner = { organisationId: row.organisationId, platform: row.platform, externalId };
  return sealTokens(s, owner, { accessToken, refreshToken });
}

/**
 * Returns an access token that should still be valid. Exactly one caller renews a version (single flight). The new
 * refresh token is stored before the new access token is used, so a crash in between loses neither.
 */
async function validToken(
  s: SessionServices,
  row: ConnectionRow,
  { budget, key }: { budget: string; key: OrganisationKey },
  refused: string | null,
): Promise<{ token: string; row: ConnectionRow }> {
  const ownerId = ownerOf(row);
  const deadline = s.clock.now() + PATIENCE_MS;
  for (let current = row; s.clock.now() <= deadline; ) {
    if (current.status === "revoked") throw revoked(s, current);
    const { accessTokenExpiresAt: expiresAt, sealedAccessToken: sealed } = current;
    if (sealed && (expiresAt === null || expiresAt - s.clock.now() > RENEW_BEFORE_MS)) {
      const token = await openSecret(key, { purpose: TOKEN_PURPOSE, ownerId }, sealed);
      if (token !== refused) return { token, row: current };
    }
    if (!current.sealedRefreshToken) {
      await markRevoked(s.control, current);
      throw revoked(s, current);
    }
    const flight = flightOf(current, budget);
    const turn = await s.budgets.beginRefresh(...flight, current.tokenVersion, s.clock.now());
    if (turn.kind === "yours") await renew(s, current, flight, key);
    if (turn.kind === "busy") await s.sleep(Math.max(50, turn.retryAt - s.clock.now()));
    const next = await findConnectionRow(s.control, current.organisationId, current.id);
    if (!next) throw revoked(s, current);
    if (turn.kind === "done" && next.tokenVersion === current.tokenVersion) await s.sleep(50);
    current = next;
  }
  throw new ConnectorError("unavailable", `${labelOf(s, row)} is slow to renew our access.`);
}

/** The key of a renewal: one connection, or all that share its tokens. */
function flightOf({ id, grantId }: ConnectionRow, budget: string): [budget: string, id: string] {
  return grantId === null ? [budget, id] : [`grant:${grantId}`, grantId];
}

async function renew(
  s: Uses<"clock" | "fetch" | "control" | "connectors" | "connectorConfig" | "budgets" | "settings">,
  row: ConnectionRow,
  flight: [budget: string, id: string],
  key: OrganisationKey,
): Promise<void> {
  let stored: number | null = null;
  try {
    const purpose = { purpose: REFRESH_PURPOSE, ownerId: ownerOf(row) };
    const refreshToken = await openSecret(key, purpose, row.sealedRefreshToken!);
    const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
    const tokens = await connectorOf(s, row.platform).authoriser.refresh(io, refreshToken);
    const sharing = row.grantId === null ? [row] : await listSharing(s.control, row);
    const renewed = await Promise.all(
      sharing.map(async ({ id, platform, externalId }) => ({
        id,
        ...(await sealTokens(s, { organisationId: row.organisationId, platform, externalId }, tokens)),
      })),
    );
    await saveRenewedTokens(s.control, row, renewed, tokens.accessTokenExpiresAt);
    stored = row.tokenVersion + 1;
  } catch (cause) {
    if (cause instanceof ConnectorError && cause.kind === "unauthorized") await markRevoked(s.control, row);
    throw cause;
  } finally {
    await s.budgets.endRefresh(...flight, stored);
  }
}

const ownerOf = (row: { platform: string; externalId: string }) => `${row.platform}:${row.externalId}`;
const labelOf = (s: Uses<"connectors">, { platform }: { platform: string }) =>
  connectorOf(s, platform).descriptor.label;

function revoked(s: Uses<"connectors">, row: ConnectionRow): ConnectorError {
  return new ConnectorError(
    "unauthorized",
    `${labelOf(s, row)} no longer accepts our access to ${row.name}. Reconnect the account; nothing that was backed up is lost.`,
  );
}

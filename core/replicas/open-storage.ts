import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { GENERAL_QUOTA } from "#connectors/contract/platform-connector.ts";
import type {
  ConsentAuthoriser,
  StorageConnector,
  StorageSession,
  StorageTokens,
} from "#connectors/contract/storage-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { getOrganisationKey, rememberOrganisationKey } from "#core/organisations/index.ts";
import type { StorageServices, Uses } from "#core/services.ts";
import { type OrganisationKey, openSecret, sealSecret } from "#core/vault/index.ts";
import { PATIENCE_MS, RENEW_BEFORE_MS } from "./limits.ts";
import { findStorageRow, type StorageRow, saveStorageTokens } from "./storage.store.ts";

const TOKEN_PURPOSE = "storage-token";
const REFRESH_PURPOSE = "storage-refresh-token";
const KEYS_PURPOSE = "storage-keys";

type Owner = Pick<StorageRow, "organisationId" | "kind" | "externalId">;

/** Returns the connector of a kind of storage. @throws AppError `err.storage.unknown` */
export function storageConnectorOf(s: Uses<"storages">, kind: string): StorageConnector {
  const connector = s.storages.get(kind);
  if (!connector) throw new AppError("err.storage.unknown");
  return connector;
}

/**
 * Opens a session with a connected storage. `current` returns its row with the tokens in use.
 * @throws ConnectorError `unauthorized` when it must be reconnected
 */
export async function openStorageSession(
  s: StorageServices,
  row: StorageRow,
  countRequest: () => void = () => {},
): Promise<{ session: StorageSession; current: () => StorageRow }> {
  if (row.status === "revoked") throw mustReconnect(s, row);
  const keyOf = rememberOrganisationKey(s, row.organisationId);
  let current = row;
  const accessToken = async (refused?: string) => {
    const fresh = await validToken(s, current, keyOf, refused ?? null);
    current = fresh.row;
    return fresh.token;
  };
  const session = converse(s, row, { accessToken, keys: await openKeys(row, keyOf), countRequest });
  return { session, current: () => current };
}

/** Opens a session with a storage that is not connected yet. Its token is never renewed. */
export function openUnsavedSession(
  s: Uses<"clock" | "sleep" | "fetch" | "storages" | "connectorConfig" | "budgets">,
  storage: Owner & Pick<StorageRow, "name" | "details">,
  secrets: { accessToken: string | null; keys: Readonly<Record<string, string>> },
): StorageSession {
  const accessToken = async (refused?: string) => {
    if (secrets.accessToken === null || refused === secrets.accessToken) {
      throw new ConnectorError("unauthorized", "The storage does not accept our access.");
    }
    return secrets.accessToken;
  };
  return converse(s, storage, { accessToken, keys: secrets.keys, countRequest: () => {} });
}

function converse(
  s: Uses<"clock" | "sleep" | "fetch" | "storages" | "connectorConfig" | "budgets">,
  storage: Owner & Pick<StorageRow, "name" | "details">,
  with_: {
    accessToken: StorageSession["accessToken"];
    keys: StorageSession["keys"];
    countRequest: () => void;
  },
): StorageSession {
  const budget = ownerOf(storage);
  return {
    config: s.connectorConfig,
    fetch: (url, init) => {
      with_.countRequest();
      return s.fetch(url, { redirect: "manual", ...init });
    },
    accessToken: with_.accessToken,
    keys: with_.keys,
    spend: async (points, quota = GENERAL_QUOTA) => {
      const deadline = s.clock.now() + PATIENCE_MS;
      for (;;) {
        const now = s.clock.now();
        const answer = await s.budgets.spend(budget, quota, points, now);
        if (answer.kind === "granted") return;
        if (answer.until > deadline) {
          const { label } = storageConnectorOf(s, storage.kind).descriptor;
          throw new ConnectorError("rate-limited", `${label} asks us to wait.`, { retryAt: answer.until });
        }
        await s.sleep(Math.max(50, answer.until - now));
      }
    },
    report: (limits) => s.budgets.report(budget, limits, s.clock.now()),
    clock: s.clock,
    sleep: s.sleep,
    details: storage.details as Json,
    accountName: storage.name,
  };
}

/** Seals the tokens of a consent or renewal. */
export async function sealStorageTokens(
  s: Uses<"control" | "settings">,
  owner: Owner,
  tokens: StorageTokens,
) {
  const key = await getOrganisationKey(s, owner.organisationId);
  const ownerId = ownerOf(owner);
  return {
    sealedAccessToken: await sealSecret(key, { purpose: TOKEN_PURPOSE, ownerId }, tokens.accessToken),
    accessTokenExpiresAt: tokens.accessTokenExpiresAt,
    sealedRefreshToken:
      tokens.refreshToken === null
        ? null
        : await sealSecret(key, { purpose: REFRESH_PURPOSE, ownerId }, tokens.refreshToken),
  };
}

/** Seals typed keys. */
export async function sealKeys(
  s: Uses<"control" | "settings">,
  owner: Owner,
  keys: Readonly<Record<string, string>>,
): Promise<string> {
  const key = await getOrganisationKey(s, owner.organisationId);
  return sealSecret(key, { purpose: KEYS_PURPOSE, ownerId: ownerOf(owner) }, JSON.stringify(keys));
}

/** Opens the stored tokens of a storage, e.g. to revoke them. Null without tokens. */
export async function openTokens(
  s: Uses<"control" | "settings">,
  row: StorageRow,
  keyOf: () => Promise<OrganisationKey> = () => getOrganisationKey(s, row.organisationId),
): Promise<{ accessToken: string; refreshToken: string | null } | null> {
  if (row.sealedAccessToken === null) return null;
  const key = await keyOf();
  const ownerId = ownerOf(row);
  return {
    accessToken: await openSecret(key, { purpose: TOKEN_PURPOSE, ownerId }, row.sealedAccessToken),
    refreshToken:
      row.sealedRefreshToken === null
        ? null
        : await openSecret(key, { purpose: REFRESH_PURPOSE, ownerId }, row.sealedRefreshToken),
  };
}

async function openKeys(
  row: StorageRow,
  keyOf: () => Promise<OrganisationKey>,
): Promise<Record<string, string>> {
  if (row.sealedKeys === null) return {};
  const key = await keyOf();
  return JSON.parse(await openSecret(key, { purpose: KEYS_PURPOSE, ownerId: ownerOf(row) }, row.sealedKeys));
}

/**
 * Returns an access token that should still be valid. Exactly one caller renews a version (single flight). The new
 * tokens are stored before they are used, so a crash in between loses neither.
 */
async function validToken(
  s: StorageServices,
  row: StorageRow,
  keyOf: () => Promise<OrganisationKey>,
  refused: string | null,
): Promise<{ token: string; row: StorageRow }> {
  const deadline = s.clock.now() + PATIENCE_MS;
  for (let current = row; s.clock.now() <= deadline; ) {
    const tokens = await openTokens(s, current, keyOf);
    if (current.status === "revoked" || tokens === null) throw mustReconnect(s, current);
    const { accessTokenExpiresAt: expiresAt } = current;
    const isFresh = expiresAt === null || expiresAt - s.clock.now() > RENEW_BEFORE_MS;
    if (isFresh && tokens.accessToken !== refused) return { token: tokens.accessToken, row: current };
    if (tokens.refreshToken === null) throw mustReconnect(s, current);
    const budget = ownerOf(current);
    const turn = await s.budgets.beginRefresh(budget, current.id, current.tokenVersion, s.clock.now());
    if (turn.kind === "yours") await renew(s, current, { ...tokens, refreshToken: tokens.refreshToken });
    if (turn.kind === "busy") await s.sleep(Math.max(50, turn.retryAt - s.clock.now()));
    const next = await findStorageRow(s.control, current.organisationId);
    if (next?.id !== current.id) throw mustReconnect(s, current);
    if (turn.kind === "done" && next.tokenVersion === current.tokenVersion) await s.sleep(50);
    current = next;
  }
  const { label } = storageConnectorOf(s, row.kind).descriptor;
  throw new ConnectorError("unavailable", `${label} is slow to renew our access.`);
}

async function renew(
  s: Uses<"clock" | "fetch" | "control" | "storages" | "connectorConfig" | "budgets" | "settings">,
  row: StorageRow,
  old: { refreshToken: string },
): Promise<void> {
  let stored: number | null = null;
  try {
    const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
    const tokens = await consentAuthoriserOf(s, row.kind).refresh(io, old.refreshToken);
    const refreshToken = tokens.refreshToken ?? old.refreshToken;
    await saveStorageTokens(s.control, row, await sealStorageTokens(s, row, { ...tokens, refreshToken }));
    stored = row.tokenVersion + 1;
  } finally {
    await s.budgets.endRefresh(ownerOf(row), row.id, stored);
  }
}

/** Returns the authoriser of a storage with a consent page. @throws AppError `err.storage.unknown` for one with keys */
export function consentAuthoriserOf(s: Uses<"storages">, kind: string): ConsentAuthoriser {
  const { authoriser } = storageConnectorOf(s, kind);
  if (authoriser.by !== "consent") throw new AppError("err.storage.unknown");
  return authoriser;
}

/** Returns the owner of quota and secrets: a storage's account, distinct from any platform's. */
function ownerOf({ kind, externalId }: Pick<StorageRow, "kind" | "externalId">): string {
  invariant(externalId !== "", "a storage has an account");
  return `storage:${kind}:${externalId}`;
}

function mustReconnect(s: Uses<"storages">, row: StorageRow): ConnectorError {
  const { label } = storageConnectorOf(s, row.kind).descriptor;
  const why = row.troubleText ?? `${label} no longer accepts our access to ${row.name}.`;
  return new ConnectorError("unauthorized", `${why} Connect it again; versions are kept here all the same.`);
}

import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  ConsentAuthoriser,
  StorageGrant,
  StorageSession,
  StorageTokens,
} from "#connectors/contract/storage-connector.ts";
import { auditStatement } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { randomBytes, sha256, sha256Hex, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { getOrganisationKey, type Member } from "#core/organisations/index.ts";
import type { RightServices, StorageServices, Uses } from "#core/services.ts";
import { openSecret, sealSecret } from "#core/vault/index.ts";
import { hurryEverywhere } from "./hurry-everywhere.ts";
import { keysSchemaOf } from "./keys-schema.ts";
import { CONSENT_MS } from "./limits.ts";
import {
  consentAuthoriserOf,
  openUnsavedSession,
  sealKeys,
  sealStorageTokens,
  storageConnectorOf,
} from "./open-storage.ts";
import { requireStorageRight } from "./rights.ts";
import {
  findStorageRow,
  insertStorageAuthorisation,
  isConnected,
  type StorageRow,
  savePlatforms,
  saveStorage,
  takeStorageAuthorisation,
} from "./storage.store.ts";
import { writeReadme } from "./write-readme.ts";

const VERIFIER_PURPOSE = "storage-code-verifier";

/**
 * Starts connecting a storage through its consent page, with a single-use state bound to this person and PKCE S256 (RFC
 * 7636). The platform, if given, is the first whose versions are copied.
 *
 * @throws AppError `err.storage.unknown`, `err.storage.connected`, `err.storage.refused`, `err.role.forbidden`,
 *   `err.plan.required`, `err.platform.unknown`
 */
export async function beginStorageConsent(
  s: RightServices & Uses<"storages" | "connectorConfig" | "settings">,
  member: Member,
  input: { kind: string; platform: string | null; redirectUri: string },
): Promise<{ url: string }> {
  await requireStorageRight(s, member, input.platform);
  const authoriser = consentAuthoriserOf(s, input.kind);
  await refuseAnother(s, member, input.kind);
  const state = toBase64Url(randomBytes(32));
  const verifier = toBase64Url(randomBytes(32));
  const codeChallenge = toBase64Url(await sha256(utf8(verifier)));
  const url = consentPage(s, authoriser, { state, codeChallenge, redirectUri: input.redirectUri });
  const stateHash = await sha256Hex(state);
  const key = await getOrganisationKey(s, member.organisationId);
  const now = s.clock.now();
  await insertStorageAuthorisation(
    s.control,
    {
      stateHash,
      organisationId: member.organisationId,
      userId: member.userId,
      kind: input.kind,
      platform: input.platform,
      sealedCodeVerifier: await sealSecret(key, { purpose: VERIFIER_PURPOSE, ownerId: stateHash }, verifier),
      expiresAt: now + CONSENT_MS,
    },
    now,
  );
  return { url };
}

/**
 * Completes connecting a storage. The state works once, for the person who started. The code is exchanged for tokens,
 * which are tested by writing a first file, sealed and stored. Connecting the same storage again renews its grant;
 * another one is refused.
 *
 * @throws AppError `err.connection.state`, `err.storage.unknown`, `err.storage.connected`, `err.storage.refused`,
 *   `err.role.forbidden`, `err.plan.required`, `err.platform.unavailable`
 */
export async function completeStorageConsent(
  s: RightServices & StorageServices & Uses<"ids" | "ledger">,
  member: Member,
  input: { kind: string; state: string; code: string; redirectUri: string },
): Promise<{ platform: string | null }> {
  const authoriser = consentAuthoriserOf(s, input.kind);
  const stateHash = await sha256Hex(input.state);
  const begun = await takeStorageAuthorisation(s.control, {
    stateHash,
    organisationId: member.organisationId,
    userId: member.userId,
    kind: input.kind,
    now: s.clock.now(),
  });
  if (!begun) throw new AppError("err.connection.state");
  // Right and plan may have been lost since the consent page was opened.
  await requireStorageRight(s, member, begun.platform);
  const key = await getOrganisationKey(s, member.organisationId);
  const purpose = { purpose: VERIFIER_PURPOSE, ownerId: stateHash };
  const codeVerifier = await openSecret(key, purpose, begun.sealedCodeVerifier);
  const { code, redirectUri } = input;
  const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
  const grant = await authoriser.exchange(io, { code, codeVerifier, redirectUri }).catch((cause: unknown) => {
    throw refusal(cause);
  });
  await connect(s, member, {
    kind: input.kind,
    platform: begun.platform,
    grant,
    tokens: grant,
    keys: null,
    occasion: stateHash,
  });
  return { platform: begun.platform };
}

/**
 * Connects a storage with typed keys, tested by writing a first file. Connecting the same storage again replaces its
 * keys.
 *
 * @throws AppError `err.storage.unknown`, `err.storage.connected`, `err.storage.refused`, `err.request.invalid`,
 *   `err.role.forbidden`, `err.plan.required`, `err.platform.unavailable`, `err.platform.limited`
 */
export async function addKeyStorage(
  s: RightServices & StorageServices & Uses<"ids" | "ledger">,
  member: Member,
  input: { kind: string; platform: string | null; keys: Readonly<Record<string, string>> },
): Promise<{ name: string }> {
  await requireStorageRight(s, member, input.platform);
  const { authoriser, descriptor } = storageConnectorOf(s, input.kind);
  if (authoriser.by !== "keys" || descriptor.connects.by !== "keys")
    throw new AppError("err.storage.unknown");
  await refuseAnother(s, member, input.kind);
  const parsed = keysSchemaOf(descriptor.connects.fields).safeParse(input.keys);
  if (!parsed.success) {
    throw new AppError("err.request.invalid", { message: parsed.error.issues[0]?.message ?? "not allowed" });
  }
  const grant = authoriser.read(s.connectorConfig, parsed.data);
  const occasion = s.ids.next("storage");
  return connect(s, member, { ...input, grant, tokens: null, keys: parsed.data, occasion });
}

async function connect(
  s: StorageServices & Uses<"ids" | "ledger">,
  member: Member,
  made: {
    kind: string;
    platform: string | null;
    grant: StorageGrant;
    tokens: StorageTokens | null;
    keys: Readonly<Record<string, string>> | null;
    occasion: string;
  },
): Promise<{ name: string }> {
  const { account, details } = made.grant;
  const { organisationId } = member;
  const owner = { organisationId, kind: made.kind, externalId: account.externalId };
  const known = await findStorageRow(s.control, organisationId);
  if (known && !isSame(known, owner)) throw new AppError("err.storage.connected");
  const session = openUnsavedSession(
    s,
    { ...owner, name: account.name, details },
    { accessToken: made.tokens?.accessToken ?? null, keys: made.keys ?? {} },
  );
  await prove(s, made.kind, session);
  const now = s.clock.now();
  const row = {
    ...owner,
    id: known?.id ?? s.ids.next("storage"),
    name: account.name,
    details,
    ...(made.tokens
      ? await sealStorageTokens(s, owner, made.tokens)
      : { sealedAccessToken: null, accessTokenExpiresAt: null, sealedRefreshToken: null }),
    sealedKeys: made.keys ? await sealKeys(s, owner, made.keys) : null,
    platforms: made.platform === null ? [] : [made.platform],
    connectedBy: member.userId,
    connectedAt: now,
  };
  const entry = {
    organisationId,
    userId: member.userId,
    userName: member.name,
    platform: made.platform,
    action: "connect-storage",
    subject: `${storageConnectorOf(s, made.kind).descriptor.label}: ${account.name}`,
    occasion: `connect-storage:${made.occasion}`,
  };
  const tokenVersion = (known?.tokenVersion ?? 0) + 1;
  const written = isConnected({ organisationId, id: row.id, tokenVersion });
  const saved = await saveStorage(s.control, row, auditStatement(s, entry, written));
  if (!saved) throw new AppError("err.storage.connected");
  if (known) {
    await hurryEverywhere(s, saved);
    await copyToo(s, saved, made.platform);
  }
  return { name: saved.name };
}

/** Adds the platform given when the storage is connected again to the copied ones. */
async function copyToo(s: Uses<"control">, row: StorageRow, platform: string | null): Promise<void> {
  if (platform === null || row.platforms.includes(platform)) return;
  await savePlatforms(s.control, {
    id: row.id,
    from: row.platforms,
    to: [...row.platforms, platform].sort(),
  });
}

/** Tests the storage by writing the file that explains the folder. */
async function prove(s: Uses<"storages">, kind: string, session: StorageSession): Promise<void> {
  await writeReadme(storageConnectorOf(s, kind), session).catch((cause: unknown) => {
    throw refusal(cause);
  });
}

/** Translates a storage failure into an error for the user. Other errors pass through unchanged. */
function refusal(cause: unknown): unknown {
  if (!(cause instanceof ConnectorError)) return cause;
  switch (cause.kind) {
    case "rate-limited":
      return new AppError("err.platform.limited", { message: cause.message, cause });
    case "unavailable":
    case "malformed":
      return new AppError("err.platform.unavailable", { message: cause.message, cause });
    case "unauthorized":
    case "forbidden":
    case "gone":
    case "full":
    case "unsupported":
      return new AppError("err.storage.refused", { message: cause.message, cause });
    default:
      return cause.kind satisfies never;
  }
}

/**
 * Returns the URL of the storage's consent page. Throws an `AppError` when no application is registered with that
 * storage.
 */
function consentPage(
  s: Uses<"connectorConfig">,
  authoriser: ConsentAuthoriser,
  request: { state: string; codeChallenge: string; redirectUri: string },
): string {
  try {
    return authoriser.consentUrl(s.connectorConfig, request);
  } catch (cause) {
    throw refusal(cause);
  }
}

/** Allows one storage at a time (spec P-292). Checked before the person is redirected or enters keys. */
async function refuseAnother(s: Uses<"control">, member: Member, kind: string): Promise<void> {
  const known = await findStorageRow(s.control, member.organisationId);
  if (known && known.kind !== kind) throw new AppError("err.storage.connected");
}

const isSame = (row: StorageRow, other: Pick<StorageRow, "kind" | "externalId">) =>
  row.kind === other.kind && row.externalId === other.externalId;

import type { Json } from "#core/kernel/canonical-json.ts";
import type { AuthorisationIo, ConnectorConfig, Session } from "./platform-connector.ts";
import type { StorageDescriptor } from "./storage-descriptor.ts";

/**
 * What the engine passes to a storage for every exchange. It has everything that the toolkit's HTTP client needs, so
 * `createHttpClient(session, api)` works as it does for a platform.
 */
export type StorageSession = Omit<Session, "connectionDetails" | "authMethod" | "as"> & {
  /** What the connector stored when the storage was connected, e.g. the id of a folder. Nothing secret. */
  details: Json;
  /** The keys that the customer typed in, by field name; empty for a storage that is connected by consent. */
  keys: Readonly<Record<string, string>>;
};

/** The result of connecting a storage. The engine seals the secrets before it stores them. */
export type StorageGrant = {
  /** The account or bucket. Connecting the same one again renews the connection instead of adding another. */
  account: { externalId: string; name: string };
  /** Stored as `StorageSession.details`. */
  details: Json;
};

export type StorageTokens = {
  accessToken: string;
  /** Epoch milliseconds; null = does not expire. */
  accessTokenExpiresAt: number | null;
  /** null from `refresh` = the old one stays valid. */
  refreshToken: string | null;
};

/** Connects a storage whose owner consents on the storage's own page (RFC 6749, RFC 7636). */
export interface ConsentAuthoriser {
  by: "consent";
  /**
   * The consent page to open. PKCE: `codeChallenge` is S256 of the verifier.
   * @throws ConnectorError `unsupported` when no application is registered with the storage
   */
  consentUrl(
    config: ConnectorConfig,
    request: { state: string; codeChallenge: string; redirectUri: string },
  ): string;
  /** Exchanges the code for tokens and reads the account. @throws ConnectorError */
  exchange(
    io: AuthorisationIo,
    answer: { code: string; codeVerifier: string; redirectUri: string },
  ): Promise<StorageGrant & StorageTokens>;
  /** Exchanges the refresh token. @throws ConnectorError `unauthorized` when it is no longer accepted */
  refresh(io: AuthorisationIo, refreshToken: string): Promise<StorageTokens>;
  /**
   * Revokes the grant when the storage is disconnected. Succeeds if the grant is already invalid.
   * @throws ConnectorError when the storage could not be reached; the engine deletes the tokens anyway
   */
  revoke(io: AuthorisationIo, tokens: { accessToken: string; refreshToken: string | null }): Promise<void>;
}

/** Connects a storage with keys that its owner types in. */
export interface KeyAuthoriser {
  by: "keys";
  /** Derives the account from the keys, without a request: the engine verifies the keys by writing its first file. */
  read(config: ConnectorConfig, keys: Readonly<Record<string, string>>): StorageGrant;
}

/** The location of a file that Holdfast writes. */
export type StorageAddress = {
  /**
   * Path below the Holdfast folder, with `/` between folders, e.g. `GitHub/octo-org/api/2026-11-22.zip`. Every name
   * is valid on every operating system and at most 200 bytes of UTF-8 long.
   */
  path: string;
  /** Permanent id of the file, in letters, digits and `_`. The same key always means the same file. */
  key: string;
};

/** A file as the storage keeps it. */
export type StoredFile = StorageAddress & {
  sizeBytes: number;
  /** The storage's id of these bytes (id, revision, entity tag); differs for another file at the same path. */
  mark: string;
};

/** A file to be written. */
export type PutOrder = StorageAddress & {
  sizeBytes: number;
  mediaType: string;
  /** Where an interrupted put stopped, if this continues it. The bytes must be the same. */
  cursor: Json | null;
  /** Reads a range of the bytes; can be called repeatedly. A chunk is valid until the next one is requested. */
  read: (range: { offset: number; length: number }) => AsyncIterable<Uint8Array>;
};

export type PutEvent =
  /** The number of bytes that the storage has accepted. */
  | { type: "progress"; bytes: number }
  /** The storage has everything up to here: a later slice can continue from `cursor`. */
  | { type: "checkpoint"; cursor: Json };

/**
 * What the engine needs from a customer's own storage. Implementations do not depend on D1, R2, plans or React. For
 * anything the storage does wrong they throw ConnectorError; its kind alone decides what happens next:
 *
 * - `unauthorized`: the grant was revoked or the keys are rejected; the customer must connect again
 * - `forbidden`: the grant is valid but does not allow this here
 * - `gone`: the bucket, or the folder that contains the Holdfast folder, no longer exists
 * - `full`: no space is left
 * - `unsupported`: cannot work with this configuration, e.g. a bucket in another region
 * - `rate-limited` with a time, `unavailable`, `malformed`: temporary
 */
export interface StorageConnector {
  descriptor: StorageDescriptor;
  authoriser: ConsentAuthoriser | KeyAuthoriser;
  /**
   * Writes one file. Large files are written in parts, with at most a few MiB in memory and a checkpoint after each
   * part. The file becomes visible only when it is complete. Writing the same key again does not create a second
   * file. Cursors include their version (`storedJson`), because a later release may read them.
   * @throws UnreadableCursorError for a cursor that it does not understand: the engine restarts the copy.
   *   ConnectorError
   */
  put(session: StorageSession, order: PutOrder): AsyncGenerator<PutEvent, StoredFile>;
  /** Finds the file that `put` wrote under this key; null = it is missing or incomplete. @throws ConnectorError */
  find(session: StorageSession, address: StorageAddress): Promise<StoredFile | null>;
  /**
   * Deletes a file that `put` wrote. Returns `absent` if it is missing, and `changed` if another file has replaced
   * it; that file is not deleted.
   * @throws ConnectorError
   */
  remove(
    session: StorageSession,
    file: StorageAddress & { mark: string },
  ): Promise<"removed" | "absent" | "changed">;
  /**
   * Cancels an unfinished put, so that its parts cost the customer nothing. Succeeds if the parts are already gone.
   * Absent = the storage deletes unfinished puts automatically.
   * @throws ConnectorError
   */
  abandon?(session: StorageSession, order: StorageAddress & { cursor: Json }): Promise<void>;
}

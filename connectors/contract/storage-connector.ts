import type { Json } from "#core/kernel/canonical-json.ts";
import type { AuthorisationIo, ConnectorConfig, Session } from "./platform-connector.ts";
import type { StorageDescriptor } from "./storage-descriptor.ts";

/**
 * What the engine hands a storage for every conversation. It has all that the toolkit's HTTP client wants, so
 * `createHttpClient(session, api)` works as it does for a platform.
 */
export type StorageSession = Omit<Session, "connectionDetails"> & {
  /** What the connector stored when the storage was connected, e.g. the id of a folder. Nothing secret. */
  details: Json;
  /** What the customer typed in, by the field's name; empty for a storage that is connected by consent. */
  keys: Readonly<Record<string, string>>;
};

/** What connecting a storage ends with. The engine seals secrets before it stores them. */
export type StorageGrant = {
  /** Which account or bucket it is: the same one again renews the connection instead of making another. */
  account: { externalId: string; name: string };
  /** Stored as `StorageSession.details`. */
  details: Json;
};

export type StorageTokens = {
  accessToken: string;
  /** Epoch milliseconds; null = does not expire. */
  accessTokenExpiresAt: number | null;
  /** null from `refresh` = the old one goes on. */
  refreshToken: string | null;
};

/** How a storage is connected whose owner agrees on a page of its own (RFC 6749, RFC 7636). */
export interface ConsentAuthoriser {
  by: "consent";
  /**
   * The page to open. PKCE: `codeChallenge` is S256 of the verifier.
   * @throws ConnectorError `unsupported` when no application is registered with the storage
   */
  consentUrl(
    config: ConnectorConfig,
    request: { state: string; codeChallenge: string; redirectUri: string },
  ): string;
  /** Trades the code for tokens and learns whose storage it is. @throws ConnectorError */
  exchange(
    io: AuthorisationIo,
    answer: { code: string; codeVerifier: string; redirectUri: string },
  ): Promise<StorageGrant & StorageTokens>;
  /** Trades the refresh token. @throws ConnectorError `unauthorized` when it is no longer accepted */
  refresh(io: AuthorisationIo, refreshToken: string): Promise<StorageTokens>;
  /**
   * Gives the grant back when the storage is disconnected. A grant that is dead already is no failure.
   * @throws ConnectorError when the storage could not be asked; the engine forgets the tokens all the same
   */
  revoke(io: AuthorisationIo, tokens: { accessToken: string; refreshToken: string | null }): Promise<void>;
}

/** How a storage is connected by keys that its owner types in. */
export interface KeyAuthoriser {
  by: "keys";
  /** Which storage the keys speak of. Asks nobody: the engine proves them by writing its first file. */
  read(config: ConnectorConfig, keys: Readonly<Record<string, string>>): StorageGrant;
}

/** Where a file of ours lies. */
export type StorageAddress = {
  /**
   * Below the Holdfast folder of the storage, `/` between folders, e.g. `GitHub/octo-org/api/2026-11-22.zip`. Every name
   * is safe on every system, at most 200 bytes of UTF-8 long.
   */
  path: string;
  /** Names this file for ever, in letters, digits and `_`. The same key again is the same file. */
  key: string;
};

/** A file as the storage keeps it. */
export type StoredFile = StorageAddress & {
  sizeBytes: number;
  /** The storage's own mark of these bytes (id, revision, entity tag): another file at the same path has another. */
  mark: string;
};

/** A file to be written. */
export type PutOrder = StorageAddress & {
  sizeBytes: number;
  mediaType: string;
  /** Where an interrupted put stopped, if this is its continuation. A continuation has the same bytes. */
  cursor: Json | null;
  /** The bytes of a range; any range, again and again. A chunk is valid until the next one is asked for. */
  read: (range: { offset: number; length: number }) => AsyncIterable<Uint8Array>;
};

export type PutEvent =
  /** How many bytes the storage has taken. */
  | { type: "progress"; bytes: number }
  /** Everything up to here lies at the storage: a later slice may go on from `cursor`. */
  | { type: "checkpoint"; cursor: Json };

/**
 * What the engine asks of a storage of the customer's own. Implementations know nothing of D1, R2, plans or React, and
 * throw ConnectorError for what the storage did; its kind alone decides what happens next:
 *
 * - `unauthorized`: the grant was revoked, or the keys are not accepted: the customer must connect again
 * - `forbidden`: the grant lives but may not do this here
 * - `gone`: the bucket or the Holdfast folder's home is no longer there
 * - `full`: no room is left
 * - `unsupported`: it can never work as it is configured, e.g. a bucket of another region
 * - `rate-limited` with a time, `unavailable`, `malformed`: passing
 */
export interface StorageConnector {
  descriptor: StorageDescriptor;
  authoriser: ConsentAuthoriser | KeyAuthoriser;
  /**
   * Writes one file, in parts where it is large: never more than a few MiB in memory, a checkpoint after each part. The
   * file is visible only when it is whole. Written again under the same key it is still one file. Cursors tell their
   * version (`storedJson`), since the slice that reads one may be of a later release.
   * @throws UnreadableCursorError for a cursor that is not understood: the engine starts the copy again. ConnectorError
   */
  put(session: StorageSession, order: PutOrder): AsyncGenerator<PutEvent, StoredFile>;
  /** The file that `put` wrote under this key, if it is whole and still there. @throws ConnectorError */
  find(session: StorageSession, address: StorageAddress): Promise<StoredFile | null>;
  /**
   * Deletes a file that `put` wrote. What is not there is `absent`; what somebody has put in its place is `changed` and
   * is left alone. @throws ConnectorError
   */
  remove(
    session: StorageSession,
    file: StorageAddress & { mark: string },
  ): Promise<"removed" | "absent" | "changed">;
  /**
   * Gives up a put for good, so that its parts cost the customer nothing. What is not there any more is no failure;
   * absent = the storage forgets unfinished puts by itself. @throws ConnectorError
   */
  abandon?(session: StorageSession, order: StorageAddress & { cursor: Json }): Promise<void>;
}

import type { OauthState } from "#connectors/toolkit/simulator/oauth-desk.ts";
import type { StorageSiteWorld } from "#connectors/toolkit/simulator/storage-site.ts";

/** The state of the simulated Dropbox; plain JSON, so that it survives a restart. */
export type DropboxState = {
  nextId: number;
  people: DropboxPerson[];
  entries: DropboxEntry[];
  sessions: UploadSession[];
  listings: Listing[];
  oauth: OauthState;
};

/** A person with a Dropbox. The API reaches only the app folder. */
export type DropboxPerson = {
  /** `dbid:` and 35 characters. */
  id: string;
  login: string;
  givenName: string;
  surname: string;
  email: string;
  allocatedBytes: number;
  /** Bytes used outside the app folder. */
  usedElsewhereBytes: number;
};

/** A file or folder in the app folder. */
export type DropboxEntry = {
  id: string;
  personId: string;
  pathLower: string;
  pathDisplay: string;
  /** Null for a folder. */
  file: DropboxFile | null;
};

/** Facts that only files have. */
export type DropboxFile = {
  rev: string;
  sizeBytes: number;
  contentHash: string;
  clientModified: string;
  serverModified: string;
};

/** An unfinished upload; its bytes are stored in the sessions folder under its id. */
export type UploadSession = {
  id: string;
  personId: string;
  sizeBytes: number;
  isClosed: boolean;
  /** Epoch milliseconds. */
  startedAt: number;
};

/** A paged listing; a snapshot of the entries at its start. */
export type Listing = { cursor: string; personId: string; entryIds: string[]; pageSize: number };

/** The application's registration and the simulator's rules. */
export type DropboxSettings = {
  clientId: string;
  clientSecret: string;
  callbacks: readonly string[];
  /** The scopes that the application was registered for. */
  scopes: readonly string[];
  tokenLifetimeMs: number;
  /** How long an upload session accepts bytes. */
  sessionLifetimeMs: number;
  /** Maximum body size of an upload request. */
  mostRequestBytes: number;
  /** Maximum file size of an upload session. */
  mostFileBytes: number;
};

/** What every part of the simulator works with. */
export type DropboxWorld = StorageSiteWorld<DropboxState, DropboxSettings>;

/** Generates the next id in Dropbox's format. */
export function nextId(state: DropboxState, prefix: string, length: number): string {
  state.nextId += 1;
  const digits = state.nextId.toString(36).padStart(8, "0");
  return prefix + "A4ayc_80_OEAAAAAAAAAAAAAAAAAAAAAAAA".slice(0, length - digits.length) + digits;
}

/** Dropbox's timestamps are in whole seconds. */
export function timestamp(epochMs: number = Date.now()): string {
  return new Date(epochMs).toISOString().replace(/\.\d+Z$/, "Z");
}

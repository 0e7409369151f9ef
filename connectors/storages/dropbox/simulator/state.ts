import type { OauthDesk, OauthState } from "#connectors/toolkit/simulator/oauth-desk.ts";

/** Everything that the simulated Dropbox remembers; plain JSON, so that it survives a restart. */
export type DropboxState = {
  nextId: number;
  people: DropboxPerson[];
  entries: DropboxEntry[];
  sessions: UploadSession[];
  listings: Listing[];
  oauth: OauthState;
};

/** Somebody with a Dropbox. Everything that the API reaches of it lies in the application's own folder. */
export type DropboxPerson = {
  /** `dbid:` and 35 characters. */
  id: string;
  login: string;
  givenName: string;
  surname: string;
  email: string;
  allocatedBytes: number;
  /** What lies outside the application's folder. */
  usedElsewhereBytes: number;
};

/** A file or folder below the application's folder. */
export type DropboxEntry = {
  id: string;
  personId: string;
  pathLower: string;
  pathDisplay: string;
  /** Null for a folder. */
  file: DropboxFile | null;
};

/** What a file has and a folder has not. */
export type DropboxFile = {
  rev: string;
  sizeBytes: number;
  contentHash: string;
  clientModified: string;
  serverModified: string;
};

/** An upload that is under way; its bytes lie in the folder of sessions under its id. */
export type UploadSession = {
  id: string;
  personId: string;
  sizeBytes: number;
  isClosed: boolean;
  /** Epoch milliseconds. */
  startedAt: number;
};

/** A list that is read page by page; it shows what there was when it began. */
export type Listing = { cursor: string; personId: string; entryIds: string[]; pageSize: number };

/** The application's registration and the rules of the house. */
export type DropboxSettings = {
  clientId: string;
  clientSecret: string;
  callbacks: readonly string[];
  /** What the application was registered for. */
  scopes: readonly string[];
  tokenLifetimeMs: number;
  /** How long an upload session can be added to. */
  sessionLifetimeMs: number;
  /** Largest body of one upload request. */
  mostRequestBytes: number;
  /** Largest file of an upload session. */
  mostFileBytes: number;
};

/** What every part of the simulator works with. */
export type DropboxWorld = {
  state: DropboxState;
  settings: DropboxSettings;
  desk: OauthDesk;
  directory: string;
  url: string;
  save(): void;
  refuse(refusal: {
    kind: "unknown" | "refused";
    method: string;
    path: string;
    status: number;
    reason: string;
  }): void;
};

/** Takes the next id in Dropbox's form. */
export function nextId(state: DropboxState, prefix: string, length: number): string {
  state.nextId += 1;
  const digits = state.nextId.toString(36).padStart(8, "0");
  return prefix + "A4ayc_80_OEAAAAAAAAAAAAAAAAAAAAAAAA".slice(0, length - digits.length) + digits;
}

/** Dropbox's timestamps have seconds. */
export function timestamp(epochMs: number = Date.now()): string {
  return new Date(epochMs).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The person of a login, an e-mail address or an account's id. */
export function findPerson(state: DropboxState, key: string): DropboxPerson | null {
  return state.people.find(({ id, login, email }) => [id, login, email].includes(key)) ?? null;
}

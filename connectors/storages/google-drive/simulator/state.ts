import type { OauthDesk, OauthState } from "#connectors/toolkit/simulator/oauth-desk.ts";

/** Everything that the simulated Drive remembers; plain JSON, so that it survives a restart. */
export type DriveState = {
  nextId: number;
  people: DrivePerson[];
  files: DriveFile[];
  sessions: UploadSession[];
  /** Ids that were handed out and not used yet. */
  reservedIds: string[];
  oauth: OauthState;
};

/** Somebody with a Drive. */
export type DrivePerson = {
  /** The person's permission id: digits. */
  id: string;
  login: string;
  name: string;
  email: string;
  rootId: string;
  /** Null for a Drive without a limit. */
  limitBytes: number | null;
  /** What mail, photos and files that are not the application's take. */
  usedElsewhereBytes: number;
};

/** A file or folder. Two of the same name may lie beside each other: the id alone tells them apart. */
export type DriveFile = {
  id: string;
  personId: string;
  name: string;
  mimeType: string;
  description: string | null;
  parentId: string;
  appProperties: Record<string, string>;
  properties: Record<string, string>;
  /** Put into the trash itself, not only by a folder above it. */
  isTrashed: boolean;
  /** Made by our application; with the scope `drive.file` the rest is not to be seen. */
  isOurs: boolean;
  createdTime: string;
  modifiedTime: string;
  version: number;
  /** Null for a folder. */
  content: DriveContent | null;
};

/** What a file has and a folder has not. */
export type DriveContent = {
  sizeBytes: number;
  md5: string;
  sha1: string;
  sha256: string;
  headRevisionId: string;
};

/** What a request says of a file that is to be; null takes a property away. */
export type FileMetadata = {
  id?: string | undefined;
  name?: string | undefined;
  mimeType?: string | undefined;
  description?: string | undefined;
  parents?: string[] | undefined;
  appProperties?: Record<string, string | null> | undefined;
  properties?: Record<string, string | null> | undefined;
  createdTime?: string | undefined;
  modifiedTime?: string | undefined;
  trashed?: boolean | undefined;
};

/** A resumable upload. Its bytes lie in the folder of sessions under its id. */
export type UploadSession = {
  id: string;
  personId: string;
  /** The file whose content is replaced; null when a new one is made. */
  updatesId: string | null;
  metadata: FileMetadata;
  mediaType: string;
  totalBytes: number | null;
  receivedBytes: number;
  /** Epoch milliseconds. */
  startedAt: number;
  /** The file that came of it. */
  resultId: string | null;
  /** What the answer shows of it. */
  fields: string | null;
};

/** The application's registration and the rules of the house. */
export type DriveSettings = {
  clientId: string;
  clientSecret: string;
  callbacks: readonly string[];
  scopes: readonly string[];
  tokenLifetimeMs: number;
  sessionLifetimeMs: number;
};

/** What every part of the simulator works with. */
export type DriveWorld = {
  state: DriveState;
  settings: DriveSettings;
  desk: OauthDesk;
  directory: string;
  url: string;
  /** The next chunk of an upload is taken so far, and answered with this status. */
  breakage: { afterBytes: number; status: number } | null;
  save(): void;
  refuse(refusal: {
    kind: "unknown" | "refused";
    method: string;
    path: string;
    status: number;
    reason: string;
  }): void;
};

/** The type of a folder. */
export const FOLDER_TYPE = "application/vnd.google-apps.folder";

/** The scope that shows an application what it made itself, and nothing else. */
export const FILE_SCOPE = "https://www.googleapis.com/auth/drive.file";

/** Takes the next id of a file. */
export function nextFileId(state: DriveState): string {
  state.nextId += 1;
  return `1${"sImUlAtEdDrIvEfIlEiDwItHmAnYlEtTeR".slice(0, 26)}${state.nextId.toString(36).padStart(6, "0")}`;
}

/** The person of a login, an e-mail address or an id. */
export function findPerson(state: DriveState, key: string): DrivePerson | null {
  return state.people.find(({ id, login, email }) => [id, login, email].includes(key)) ?? null;
}

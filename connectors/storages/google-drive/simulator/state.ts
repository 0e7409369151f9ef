import type { OauthState } from "#connectors/toolkit/simulator/oauth-desk.ts";
import type { StorageSiteWorld } from "#connectors/toolkit/simulator/storage-site.ts";

/** The state of the simulated Drive; plain JSON, so that it survives a restart. */
export type DriveState = {
  nextId: number;
  people: DrivePerson[];
  files: DriveFile[];
  sessions: UploadSession[];
  /** Generated ids that are not used yet. */
  reservedIds: string[];
  oauth: OauthState;
};

/** A person with a Drive. */
export type DrivePerson = {
  /** The person's permission id: digits. */
  id: string;
  login: string;
  name: string;
  email: string;
  rootId: string;
  /** Null = no limit. */
  limitBytes: number | null;
  /** Bytes used by mail, photos and files of other applications. */
  usedElsewhereBytes: number;
};

/** A file or folder. Several in one folder may have the same name; only the id is unique. */
export type DriveFile = {
  id: string;
  personId: string;
  name: string;
  mimeType: string;
  description: string | null;
  parentId: string;
  appProperties: Record<string, string>;
  properties: Record<string, string>;
  /** In the trash itself, not only through a folder above it. */
  isTrashed: boolean;
  /** Created by our application; the scope `drive.file` hides all other files. */
  isOurs: boolean;
  createdTime: string;
  modifiedTime: string;
  version: number;
  /** Null for a folder. */
  content: DriveContent | null;
};

/** Facts that only files have. */
export type DriveContent = {
  sizeBytes: number;
  md5: string;
  sha1: string;
  sha256: string;
  headRevisionId: string;
};

/** The metadata in a request. A null property value deletes the property. */
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

/** A resumable upload. Its bytes are stored in the sessions folder under its id. */
export type UploadSession = {
  id: string;
  personId: string;
  /** Id of the file whose content is replaced; null = a new file. */
  updatesId: string | null;
  metadata: FileMetadata;
  mediaType: string;
  totalBytes: number | null;
  receivedBytes: number;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Id of the resulting file. */
  resultId: string | null;
  /** The `fields` of the response. */
  fields: string | null;
};

/** The application's registration and the simulator's rules. */
export type DriveSettings = {
  clientId: string;
  clientSecret: string;
  callbacks: readonly string[];
  scopes: readonly string[];
  tokenLifetimeMs: number;
  sessionLifetimeMs: number;
};

/** What every part of the simulator works with. */
export type DriveWorld = StorageSiteWorld<DriveState, DriveSettings> & {
  /** How the next chunk of an upload breaks off: after so many bytes, with this status. */
  breakage: { afterBytes: number; status: number } | null;
};

/** MIME type of a folder. */
export const FOLDER_TYPE = "application/vnd.google-apps.folder";

/** The scope that covers only files created by the application. */
export const FILE_SCOPE = "https://www.googleapis.com/auth/drive.file";

/** Generates the next file id. */
export function nextFileId(state: DriveState): string {
  state.nextId += 1;
  return `1${"sImUlAtEdDrIvEfIlEiDwItHmAnYlEtTeR".slice(0, 26)}${state.nextId.toString(36).padStart(6, "0")}`;
}

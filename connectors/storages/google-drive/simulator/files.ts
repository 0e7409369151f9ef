import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { digestsOfFile } from "#connectors/toolkit/simulator/byte-files.ts";
import { type DriveError, fileNotFound, invalid, QUOTA_EXCEEDED } from "./answers.ts";
import {
  type DriveContent,
  type DriveFile,
  type DrivePerson,
  type DriveWorld,
  type FileMetadata,
  FOLDER_TYPE,
  nextFileId,
} from "./state.ts";

/** A key and its value together, in bytes of UTF-8. */
const LONGEST_PROPERTY_BYTES = 124;
const MOST_APP_PROPERTIES = 30;

/** Who looks: with the scope `drive.file` only what the application made is there. */
export type Viewer = { person: DrivePerson; isAllVisible: boolean };

/** The file of an id that the viewer may see. */
export function findFile(world: DriveWorld, { person, isAllVisible }: Viewer, id: string): DriveFile | null {
  const file = world.state.files.find((each) => each.id === id && each.personId === person.id);
  return file !== undefined && (isAllVisible || file.isOurs) ? file : null;
}

/** What lies in a trashed folder is in the trash too. */
export function isInTrash(world: DriveWorld, file: DriveFile): boolean {
  if (file.isTrashed) return true;
  const parent = world.state.files.find(({ id }) => id === file.parentId);
  return parent !== undefined && isInTrash(world, parent);
}

/** The names of the folders above a file and its own, from the top of the Drive on. */
export function pathOfFile(world: DriveWorld, file: DriveFile): string {
  const parent = world.state.files.find(({ id }) => id === file.parentId);
  return parent === undefined ? file.name : `${pathOfFile(world, parent)}/${file.name}`;
}

/** Bytes that count against a person's limit; those in the trash count too. */
export function usedBytes(world: DriveWorld, person: DrivePerson): number {
  return world.state.files
    .filter(({ personId }) => personId === person.id)
    .reduce((sum, { content }) => sum + (content?.sizeBytes ?? 0), person.usedElsewhereBytes);
}

/** Whether so many bytes more fit. */
export function hasRoom(world: DriveWorld, person: DrivePerson, bytes: number): boolean {
  return person.limitBytes === null || usedBytes(world, person) + bytes <= person.limitBytes;
}

/** What is wrong with the metadata of a file that is to be made or changed; null when nothing is. */
export function metadataError(
  world: DriveWorld,
  viewer: Viewer,
  metadata: FileMetadata,
  isNew: boolean,
): DriveError | null {
  const parents = metadata.parents ?? [];
  if (!isNew && metadata.parents !== undefined) {
    const message =
      "The parents field is not directly writable in update requests. Use the addParents and removeParents parameters instead.";
    return { status: 403, reason: "fieldNotWritable", message };
  }
  if (parents.length > 1) return invalid("parents", "A file cannot have more than one parent.");
  for (const parent of parents) {
    if (parent === "root" || parent === viewer.person.rootId) continue;
    const folder = findFile(world, viewer, parent);
    if (folder === null) return fileNotFound(parent);
    if (folder.mimeType !== FOLDER_TYPE) {
      return { status: 403, reason: "parentNotAFolder", message: "The specified parent is not a folder." };
    }
  }
  const owned = Object.entries(metadata.appProperties ?? {});
  if (owned.length > MOST_APP_PROPERTIES) return invalid("appProperties");
  const isLong = ([key, value]: [string, string | null]) =>
    Buffer.byteLength(key) + Buffer.byteLength(value ?? "") > LONGEST_PROPERTY_BYTES;
  if (owned.some(isLong)) {
    const message = `Property key and value are limited to ${LONGEST_PROPERTY_BYTES} bytes.`;
    return { status: 403, reason: "propertyLengthLimitExceeded", message };
  }
  const { id } = metadata;
  if (id === undefined) return null;
  if (world.state.files.some((known) => known.id === id)) {
    return { status: 409, reason: "fileIdInUse", message: "A file already exists with the provided ID." };
  }
  return world.state.reservedIds.includes(id)
    ? null
    : { status: 400, reason: "invalid", message: "The provided file ID is not usable." };
}

/** Makes a folder or a file without bytes of its own. */
export function makeFile(
  world: DriveWorld,
  person: DrivePerson,
  metadata: FileMetadata,
  content: DriveContent | null,
): DriveFile {
  const now = new Date().toISOString();
  const [parent = "root"] = metadata.parents ?? [];
  const file: DriveFile = {
    id: metadata.id ?? nextFileId(world.state),
    personId: person.id,
    name: metadata.name ?? "Untitled",
    mimeType: metadata.mimeType ?? "application/octet-stream",
    description: metadata.description ?? null,
    parentId: parent === "root" ? person.rootId : parent,
    appProperties: {},
    properties: {},
    isTrashed: false,
    isOurs: true,
    createdTime: metadata.createdTime ?? now,
    modifiedTime: metadata.modifiedTime ?? now,
    version: 1,
    content,
  };
  mergeProperties(file, metadata);
  world.state.reservedIds = world.state.reservedIds.filter((id) => id !== file.id);
  world.state.files.push(file);
  world.save();
  return file;
}

/** Changes what a request names of a file. */
export function changeFile(
  world: DriveWorld,
  file: DriveFile,
  metadata: FileMetadata,
  content: DriveContent | null = file.content,
): void {
  file.name = metadata.name ?? file.name;
  file.mimeType = metadata.mimeType ?? file.mimeType;
  file.description = metadata.description ?? file.description;
  file.isTrashed = metadata.trashed ?? file.isTrashed;
  file.modifiedTime = metadata.modifiedTime ?? new Date().toISOString();
  file.content = content;
  file.version += 1;
  mergeProperties(file, metadata);
  world.save();
}

/** Takes a file away for good, with everything below it when it is a folder. */
export function destroyFile(world: DriveWorld, file: DriveFile): void {
  for (const child of world.state.files.filter(({ parentId }) => parentId === file.id)) {
    destroyFile(world, child);
  }
  if (file.content !== null) rmSync(contentFile(world, file.id), { force: true });
  world.state.files = world.state.files.filter((each) => each !== file);
  world.save();
}

/**
 * Gives received bytes to a new file, or to the one that they replace.
 *
 * @param received A file on disk, which moves to its place.
 */
export async function settleUpload(
  world: DriveWorld,
  person: DrivePerson,
  upload: { metadata: FileMetadata; mediaType: string; updates: DriveFile | null; received: string },
  sizeBytes: number,
): Promise<{ kind: "made"; file: DriveFile } | { kind: "refused"; error: DriveError }> {
  const freed = upload.updates?.content?.sizeBytes ?? 0;
  if (!hasRoom(world, person, sizeBytes - freed)) return { kind: "refused", error: QUOTA_EXCEEDED };
  const [md5 = "", sha1 = "", sha256 = ""] = await digestsOfFile(upload.received, ["md5", "sha1", "sha256"]);
  const content: DriveContent = {
    sizeBytes,
    md5,
    sha1,
    sha256,
    headRevisionId: `0B${nextFileId(world.state)}`,
  };
  const metadata = { ...upload.metadata, mimeType: upload.metadata.mimeType ?? upload.mediaType };
  const { updates } = upload;
  if (updates !== null) changeFile(world, updates, metadata, content);
  const file = updates ?? makeFile(world, person, metadata, content);
  renameSync(upload.received, contentFile(world, file.id));
  return { kind: "made", file };
}

/** Where the bytes of a file lie. */
export function contentFile(world: DriveWorld, id: string): string {
  return path.join(world.directory, "files", id);
}

/** A file as Drive shows it whole; `fields` picks from it. */
export function renderFile(world: DriveWorld, file: DriveFile): Record<string, unknown> {
  const { content } = file;
  return {
    kind: "drive#file",
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    ...(file.description === null ? {} : { description: file.description }),
    parents: [file.parentId],
    spaces: ["drive"],
    starred: false,
    trashed: isInTrash(world, file),
    explicitlyTrashed: file.isTrashed,
    createdTime: file.createdTime,
    modifiedTime: file.modifiedTime,
    version: String(file.version),
    ownedByMe: true,
    shared: false,
    isAppAuthorized: file.isOurs,
    webViewLink: `${world.url}/drive/${file.content === null ? "folders" : "files"}/${file.id}`,
    quotaBytesUsed: String(content?.sizeBytes ?? 0),
    ...(Object.keys(file.appProperties).length === 0 ? {} : { appProperties: file.appProperties }),
    ...(Object.keys(file.properties).length === 0 ? {} : { properties: file.properties }),
    ...(content === null
      ? {}
      : {
          size: String(content.sizeBytes),
          md5Checksum: content.md5,
          sha1Checksum: content.sha1,
          sha256Checksum: content.sha256,
          headRevisionId: content.headRevisionId,
          originalFilename: file.name,
        }),
  };
}

function mergeProperties(file: DriveFile, metadata: FileMetadata): void {
  for (const where of ["appProperties", "properties"] as const) {
    for (const [key, value] of Object.entries(metadata[where] ?? {})) {
      if (value === null) delete file[where][key];
      else file[where][key] = value;
    }
  }
}

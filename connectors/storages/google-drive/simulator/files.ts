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

/** Maximum length of a key and its value together, in bytes of UTF-8. */
const LONGEST_PROPERTY_BYTES = 124;
const MOST_APP_PROPERTIES = 30;

/** The caller. With the scope `drive.file` it sees only files that the application created. */
export type Viewer = { person: DrivePerson; isAllVisible: boolean };

/** Finds a file by id, if the viewer may see it. */
export function findFile(world: DriveWorld, { person, isAllVisible }: Viewer, id: string): DriveFile | null {
  const file = world.state.files.find((each) => each.id === id && each.personId === person.id);
  return file !== undefined && (isAllVisible || file.isOurs) ? file : null;
}

/** Whether the file or a folder above it is in the trash. */
export function isInTrash(world: DriveWorld, file: DriveFile): boolean {
  if (file.isTrashed) return true;
  const parent = world.state.files.find(({ id }) => id === file.parentId);
  return parent !== undefined && isInTrash(world, parent);
}

/** Path of a file, from the root of the Drive. */
export function pathOfFile(world: DriveWorld, file: DriveFile): string {
  const parent = world.state.files.find(({ id }) => id === file.parentId);
  return parent === undefined ? file.name : `${pathOfFile(world, parent)}/${file.name}`;
}

/** Bytes that count against a person's limit, including those in the trash. */
export function usedBytes(world: DriveWorld, person: DrivePerson): number {
  return world.state.files
    .filter(({ personId }) => personId === person.id)
    .reduce((sum, { content }) => sum + (content?.sizeBytes ?? 0), person.usedElsewhereBytes);
}

/** Whether this many more bytes fit. */
export function hasRoom(world: DriveWorld, person: DrivePerson, bytes: number): boolean {
  return person.limitBytes === null || usedBytes(world, person) + bytes <= person.limitBytes;
}

/** Validates the metadata of a file to create or change; null when it is valid. */
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

/** Creates a folder, or a file with the given content. */
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

/** Changes the fields of a file that a request names. */
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

/** Deletes a file permanently; a folder with everything below it. */
export function destroyFile(world: DriveWorld, file: DriveFile): void {
  for (const child of world.state.files.filter(({ parentId }) => parentId === file.id)) {
    destroyFile(world, child);
  }
  if (file.content !== null) rmSync(contentFile(world, file.id), { force: true });
  world.state.files = world.state.files.filter((each) => each !== file);
  world.save();
}

/**
 * Creates a file from uploaded bytes, or replaces the bytes of an existing one.
 *
 * @param received A file on disk, which is moved into place.
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

/** Path of a file's bytes on disk. */
export function contentFile(world: DriveWorld, id: string): string {
  return path.join(world.directory, "files", id);
}

/** All fields of a file; the `fields` parameter selects from them. */
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

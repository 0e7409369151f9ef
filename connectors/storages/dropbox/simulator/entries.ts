import { createHash } from "node:crypto";
import { createReadStream, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { ancestorsOf, faultOfPath, lowerPath } from "./paths.ts";
import {
  type DropboxEntry,
  type DropboxPerson,
  type DropboxWorld,
  nextId,
  timestamp,
  type UploadSession,
} from "./state.ts";

/** A member of one of Dropbox's unions: a tag with its fields. */
export type Tagged = { ".tag": string; [field: string]: unknown };

/** How to commit a file (`files.CommitInfo`). */
export type CommitInfo = {
  path: string;
  mode: "add" | "overwrite" | { update: string };
  autorename: boolean;
  strictConflict: boolean;
  clientModified: string | null;
};

/** Dropbox hashes blocks of this size, then the concatenated hashes (dropbox.com/developers/reference/content-hash). */
const HASHED_BLOCK_BYTES = 4 * 1024 * 1024;

/** Finds a file or folder by its path or its id. */
export function findEntry(world: DropboxWorld, person: DropboxPerson, key: string): DropboxEntry | null {
  const lower = lowerPath(key);
  const isIt = (entry: DropboxEntry) =>
    key.startsWith("id:") ? entry.id === key : entry.pathLower === lower;
  return world.state.entries.find((entry) => entry.personId === person.id && isIt(entry)) ?? null;
}

/** Lists a folder: its children, or everything below it with `isRecursive`; `""` is the app folder. */
export function entriesBelow(
  world: DropboxWorld,
  person: DropboxPerson,
  folder: string,
  isRecursive: boolean,
): DropboxEntry[] {
  const start = `${lowerPath(folder)}/`;
  return world.state.entries.filter(
    ({ personId, pathLower }) =>
      personId === person.id &&
      pathLower.startsWith(start) &&
      (isRecursive || !pathLower.slice(start.length).includes("/")),
  );
}

/** Bytes used in a person's Dropbox. */
export function usedBytes(world: DropboxWorld, person: DropboxPerson): number {
  return entriesBelow(world, person, "", true).reduce(
    (sum, { file }) => sum + (file?.sizeBytes ?? 0),
    person.usedElsewhereBytes,
  );
}

/** Creates a folder and its missing parents. */
export function createFolder(
  world: DropboxWorld,
  person: DropboxPerson,
  folder: string,
): { kind: "made"; entry: DropboxEntry } | { kind: "refused"; error: Tagged } {
  const fault = faultOfPath(folder);
  if (fault !== null) return { kind: "refused", error: pathError(fault) };
  for (const each of [...ancestorsOf(folder), folder]) {
    const known = findEntry(world, person, each);
    if (known !== null && (known.file !== null || each === folder)) {
      return { kind: "refused", error: conflict(known.file === null ? "folder" : "file", each !== folder) };
    }
    if (known === null) addEntry(world, person, each, null);
  }
  world.save();
  return { kind: "made", entry: findEntry(world, person, folder) as DropboxEntry };
}

/**
 * Commits the bytes of a session as one file and creates missing parent folders. Equal bytes at the same path are no
 * conflict, unless `strictConflict` is set.
 */
export async function commitFile(
  world: DropboxWorld,
  person: DropboxPerson,
  session: UploadSession,
  info: CommitInfo,
): Promise<{ kind: "made"; entry: DropboxEntry } | { kind: "refused"; error: Tagged }> {
  const refuse = (error: Tagged) => ({ kind: "refused" as const, error });
  const contentHash = await contentHashOf(sessionFile(world, session.id));
  const fault = faultOfPath(info.path);
  if (fault !== null) return refuse(pathError(fault));
  if (ancestorsOf(info.path).some((above) => findEntry(world, person, above)?.file)) {
    return refuse(conflict("file", true));
  }
  let target = info.path;
  let known = findEntry(world, person, target);
  if (known !== null && !mayReplace(known, info)) {
    const isSame = known.file?.contentHash === contentHash && !info.strictConflict;
    if (isSame) {
      world.state.sessions = world.state.sessions.filter((other) => other !== session);
      return { kind: "made", entry: known };
    }
    if (!info.autorename) return refuse(conflict(known.file === null ? "folder" : "file", false));
    for (let number = 1; known !== null; number += 1) {
      const { dir, name, ext } = path.posix.parse(info.path);
      target = path.posix.join(dir, `${name} (${number})${ext}`);
      known = findEntry(world, person, target);
    }
  }
  const freed = known?.file?.sizeBytes ?? 0;
  if (usedBytes(world, person) - freed + session.sizeBytes > person.allocatedBytes) {
    return refuse({ ".tag": "insufficient_space" });
  }
  for (const above of ancestorsOf(target)) {
    if (findEntry(world, person, above) === null) addEntry(world, person, above, null);
  }
  const now = timestamp();
  const file = {
    rev: nextId(world.state, "a1c", 10).replace(/[^0-9a-f]/g, "0"),
    sizeBytes: session.sizeBytes,
    contentHash,
    clientModified: info.clientModified ?? now,
    serverModified: now,
  };
  const entry = known ?? addEntry(world, person, target, file);
  entry.file = file;
  renameSync(sessionFile(world, session.id), entryFile(world, entry));
  world.state.sessions = world.state.sessions.filter((other) => other !== session);
  world.save();
  return { kind: "made", entry };
}

/** Deletes an entry and everything below it. */
export function deleteEntry(world: DropboxWorld, person: DropboxPerson, entry: DropboxEntry): void {
  const gone = [entry, ...entriesBelow(world, person, entry.pathLower, true)];
  for (const each of gone) if (each.file !== null) rmSync(entryFile(world, each), { force: true });
  world.state.entries = world.state.entries.filter((each) => !gone.includes(each));
  world.save();
}

/** Path of a file's bytes on disk. */
export function entryFile(world: DropboxWorld, entry: DropboxEntry): string {
  return path.join(world.directory, "files", entry.id.replace("id:", ""));
}

/** Path of an upload session's bytes on disk. */
export function sessionFile(world: DropboxWorld, sessionId: string): string {
  return path.join(world.directory, "sessions", sessionId);
}

/** Hex SHA-256 of the concatenated SHA-256 hashes of all 4 MiB blocks. */
export async function contentHashOf(file: string): Promise<string> {
  const outer = createHash("sha256");
  const blocks = createReadStream(file, { highWaterMark: HASHED_BLOCK_BYTES });
  for await (const block of blocks)
    outer.update(
      createHash("sha256")
        .update(block as Buffer)
        .digest(),
    );
  return outer.digest("hex");
}

/** Metadata in Dropbox's form (`files.Metadata`). */
export function renderEntry({ id, pathLower, pathDisplay, file }: DropboxEntry): Tagged {
  const common = {
    name: pathDisplay.split("/").at(-1) ?? "",
    id,
    path_lower: pathLower,
    path_display: pathDisplay,
  };
  if (file === null) return { ".tag": "folder", ...common };
  return {
    ".tag": "file",
    ...common,
    client_modified: file.clientModified,
    server_modified: file.serverModified,
    rev: file.rev,
    size: file.sizeBytes,
    is_downloadable: true,
    content_hash: file.contentHash,
  };
}

function addEntry(
  world: DropboxWorld,
  person: DropboxPerson,
  target: string,
  file: DropboxEntry["file"],
): DropboxEntry {
  // A folder keeps the capitalisation it was created with, whatever later paths use.
  const parent = findEntry(world, person, target.slice(0, target.lastIndexOf("/")));
  const pathDisplay = `${parent?.pathDisplay ?? ""}${target.slice(target.lastIndexOf("/"))}`;
  const entry = {
    id: nextId(world.state, "id:", 22),
    personId: person.id,
    pathLower: lowerPath(target),
    pathDisplay,
    file,
  };
  world.state.entries.push(entry);
  return entry;
}

function mayReplace(known: DropboxEntry, { mode }: CommitInfo): boolean {
  if (known.file === null || mode === "add") return false;
  return mode === "overwrite" || mode.update === known.file.rev;
}

function pathError(fault: "malformed_path" | "disallowed_name"): Tagged {
  return fault === "malformed_path" ? { ".tag": fault, malformed_path: null } : { ".tag": fault };
}

function conflict(what: "file" | "folder", isAbove: boolean): Tagged {
  return { ".tag": "conflict", conflict: { ".tag": isAbove ? "file_ancestor" : what } };
}

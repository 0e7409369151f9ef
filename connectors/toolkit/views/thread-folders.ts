import type { EntryRole } from "#connectors/contract/entry-role.ts";
import type { FileLink } from "#connectors/contract/field.ts";
import type { Note } from "#connectors/contract/note.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { SearchedThread, ThreadDetail, ThreadsView } from "#connectors/contract/thread-view.ts";
import type { ViewOf } from "#connectors/contract/view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { padId } from "../records/pad-id.ts";
import { mergeNotes } from "./merge-notes.ts";
import { folderAfter, folderBelow, walkFoldersBack } from "./walk-folders.ts";

/** The facts of a thread that its record contains. */
export type ThreadFacts = Omit<ThreadDetail, "id" | "path">;

/** Most threads propose no commits, and come back as what they are. */
export const PLAIN_THREAD = { proposal: null, comesBackAs: null } as const;

/** A folder of notes inside each thread's folder. */
export type NoteFolder = {
  /** Relative to the thread's folder; ends with a slash. */
  folder: string;
  role: "comment" | "event" | "note";
  /** Null = not shown. */
  read(note: { path: string; value: Json }): Note | null;
};

/** Threads stored in numbered folders, each with its record, notes and files. */
export type ThreadFolders = {
  id: string;
  label: string;
  words: ThreadsView["words"];
  hasStates: boolean;
  /** Entry kind of threads. */
  kind: string;
  /** Folder of all threads, ending with a slash. */
  prefix: string;
  /** Name of a thread's record in its folder. */
  file: string;
  read(value: Json): ThreadFacts;
  notes: readonly NoteFolder[];
  /** Folders of files inside a thread's folder, each ending with a slash. */
  files: readonly string[];
};

/** The thread view of a version; null when it has no threads. */
export function threadFolders(snapshot: SnapshotView, order: ThreadFolders): ViewOf<"thread"> | null {
  const count = snapshot.counts()[order.kind] ?? 0;
  if (count === 0) return null;
  const { id, label } = order;
  return { kind: "thread", id, label, count, open: async () => openThreads(snapshot, order, count) };
}

function openThreads(snapshot: SnapshotView, order: ThreadFolders, count: number): ThreadsView {
  const { words, hasStates, prefix, file } = order;
  const folderOf = (id: string) => `${prefix}${padId(id)}/`;
  return {
    words,
    count,
    hasStates,
    async *threads(after) {
      const before = after === null ? null : padId(after);
      for await (const { path } of walkFoldersBack(snapshot, { prefix, file, before }))
        yield await readRow(snapshot, order, path);
    },
    async thread(id) {
      // The id comes from a URL: continue only if the version has a thread with it.
      const path = `${folderOf(id)}${file}`;
      if ((await snapshot.find(path))?.kind !== order.kind) return null;
      const facts = order.read(await snapshot.readRecord(path));
      return {
        ...facts,
        id: idOf(order, path) ?? id,
        path,
        files: [...facts.files, ...(await filesOf(snapshot, order, folderOf(id)))],
      };
    },
    async neighbours(id) {
      const [here, names] = [padId(id), { prefix, file }];
      const newer = await folderAfter(snapshot, { ...names, after: here });
      const older = await walkFoldersBack(snapshot, { ...names, before: here }).next();
      const idAt = (path: string | undefined) => (path === undefined ? null : idOf(order, path));
      return { newer: idAt(newer?.path), older: idAt(older.value?.path) };
    },
    notes: (id, range) =>
      mergeNotes(
        snapshot,
        order.notes.map(({ folder, read }) => ({
          prefix: `${folderOf(id)}${folder}`,
          read: async ({ path }) => read({ path, value: await snapshot.readRecord(path) }),
        })),
        range,
      ),
    async comment(path) {
      const folder = noteFolderOf(order, path);
      if (folder === null || (await snapshot.find(path)) === null) return null;
      const note = folder.read({ path, value: await snapshot.readRecord(path) });
      return note?.type === "comment" ? note : null;
    },
    roleOf: ({ path }) => roleOf(order, path),
  };
}

async function readRow(snapshot: SnapshotView, order: ThreadFolders, path: string): Promise<SearchedThread> {
  const { key, title, state, author, at, tags, text, fields } = order.read(await snapshot.readRecord(path));
  const words = [text, ...fields.map(({ value }) => value)].join("\n");
  return { id: idOf(order, path) ?? "", path, key, title, state, author, at, tags, words };
}

async function filesOf(
  snapshot: SnapshotView,
  { files }: ThreadFolders,
  folder: string,
): Promise<FileLink[]> {
  const found: FileLink[] = [];
  for (const name of files)
    for await (const entry of snapshot.list(`${folder}${name}`)) found.push(linkTo(entry));
  return found;
}

function linkTo({ path, title, sizeBytes }: EntryInfo): FileLink {
  return { name: title || path.slice(path.lastIndexOf("/") + 1), path, url: null, sizeBytes };
}

/** The id in a path: numbers without the leading zeros that make paths sort, other names unchanged. */
function idOf({ prefix }: ThreadFolders, path: string): string | null {
  return folderBelow(prefix, path)?.replace(/^0+(?=\d)/, "") ?? null;
}

/** The part of the path below the thread's folder. */
function restOf({ prefix }: ThreadFolders, path: string): string | null {
  const folder = folderBelow(prefix, path);
  return folder === null ? null : path.slice(prefix.length + folder.length + 1);
}

function noteFolderOf(order: ThreadFolders, path: string): NoteFolder | null {
  const rest = restOf(order, path);
  return order.notes.find(({ folder }) => rest?.startsWith(folder)) ?? null;
}

function roleOf(order: ThreadFolders, path: string): EntryRole | null {
  const [id, rest] = [idOf(order, path), restOf(order, path)];
  if (id === null || rest === null) return null;
  if (rest === order.file) return { role: "part", id };
  const folder = noteFolderOf(order, path);
  if (folder !== null) return { role: folder.role, partId: id };
  return order.files.some((name) => rest.startsWith(name)) ? { role: "file", partId: id } : null;
}

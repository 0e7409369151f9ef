/** A name under which a tree stands: a branch, a tag. */
export type FileTreeRef = {
  /** Full and unique, e.g. `refs/heads/main`. */
  name: string;
  /** What people call it, e.g. `main`. */
  label: string;
  kind: "branch" | "tag" | "request" | "note" | "other";
  isDefault: boolean;
  /** Names the state it stands at; equal ids mean equal content and equal history. */
  id: string;
};

/** One thing in a folder. */
export type FileNode = {
  /** As its makers wrote it; anything at all may stand in it. */
  name: string;
  kind: "folder" | "file" | "link" | "submodule";
  isExecutable: boolean;
  /** Names its content: equal ids mean equal bytes, or equal folders with everything below. */
  id: string;
};

/** One step of a tree's history. */
export type FileCommit = {
  id: string;
  parents: string[];
  /** First line of the message. */
  title: string;
  author: string;
  /** Epoch ms. */
  at: number;
};

/**
 * A tree of files inside a snapshot, such as a git repository or its wiki, as readers see it: without the program
 * that made it. Reading one file fetches little more than that file.
 */
export interface FileTree {
  /** Unique in the snapshot and fit for an address, e.g. `git`. */
  name: string;
  /** What people call it, e.g. "Files". */
  label: string;
  /** A sentence for people: why it cannot be opened. Null = it can. */
  obstacle: string | null;
  /** Sorted by name, the default one first. */
  refs: readonly FileTreeRef[];
  /** What stands at a path below a state; `""` is its root. Null when nothing does. */
  find(stateId: string, path: string): Promise<FileNode | null>;
  /** What is in a folder, in the order of names, folders first. */
  list(folderId: string): Promise<FileNode[]>;
  /** Size of a file in bytes. */
  sizeOf(fileId: string): Promise<number>;
  /** Bytes of a file or of the text of a link. */
  read(fileId: string): AsyncIterable<Uint8Array>;
  /** Whether the state's history is held. */
  has(stateId: string): Promise<boolean>;
  /** History backwards, newest first; what `isKnown` says yes to, and all behind it, is left out. */
  history(
    stateId: string,
    isKnown?: (id: string) => boolean | Promise<boolean>,
  ): AsyncGenerator<FileCommit, void>;
}

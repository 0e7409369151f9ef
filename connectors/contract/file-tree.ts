/** A named state of a tree: a branch or a tag. */
export type FileTreeRef = {
  /** Full name, unique in the tree, e.g. `refs/heads/main`. */
  name: string;
  /** Display name, e.g. `main`. */
  label: string;
  kind: "branch" | "tag" | "request" | "note" | "other";
  isDefault: boolean;
  /** Id of the state it points to. Equal ids mean equal content and equal history. */
  id: string;
};

/** An entry of a folder. */
export type FileNode = {
  /** As stored in the tree; may contain any characters. */
  name: string;
  kind: "folder" | "file" | "link" | "submodule";
  isExecutable: boolean;
  /** Id of its content. Equal ids mean equal bytes or, for folders, equal contents at every level. */
  id: string;
};

/** A commit in a tree's history. */
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
 * A file tree inside a snapshot, such as a git repository or its wiki, readable without git. Reading one file fetches
 * little more than that file.
 */
export interface FileTree {
  /** A sentence for people: why it cannot be opened. Null = it can. */
  obstacle: string | null;
  /** Sorted by name, the default one first. */
  refs: readonly FileTreeRef[];
  /** Finds the node at a path of a state, or null; `""` is the root. */
  find(stateId: string, path: string): Promise<FileNode | null>;
  /** Lists a folder: folders first, sorted by name. */
  list(folderId: string): Promise<FileNode[]>;
  /** Size of a file in bytes. */
  sizeOf(fileId: string): Promise<number>;
  /** The bytes of a file, or the target of a link. */
  read(fileId: string): AsyncIterable<Uint8Array>;
  /** Whether the snapshot has the state's history. */
  has(stateId: string): Promise<boolean>;
  /** History, newest first. */
  history(stateId: string): AsyncGenerator<FileCommit, void>;
}

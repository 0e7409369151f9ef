import type { FileNode, FileTree, FileTreeRef } from "#connectors/contract/file-tree.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { peel, readCommit, walkCommits } from "./commit-walk.ts";
import { GitPackError } from "./git-pack-error.ts";
import type { ObjectFormat } from "./object-format.ts";
import { type ObjectStore, openObjectStore } from "./object-store.ts";
import { parseTree } from "./parse-object.ts";
import type { GitHead, GitRef } from "./refs.ts";
import { storedPacks } from "./stored-packs.ts";

/** A repository as stored in a snapshot. */
export type TreeSource = {
  objectFormat: ObjectFormat;
  head: GitHead;
  refs: readonly GitRef[];
  /** Entries of its git packs. */
  packs: readonly string[];
};

/** Maximum depth of folders; git itself refuses paths longer than 4,096 bytes. */
const DEEPEST = 2_048;

/** The files of a repository, read directly from its stored git packs. */
export async function gitFileTree(snapshot: SnapshotView, repository: TreeSource): Promise<FileTree> {
  const { head, refs, objectFormat } = repository;
  const { sources, unindexed } = await storedPacks(snapshot, repository.packs);
  const store = openObjectStore(sources, objectFormat);
  return {
    obstacle: obstacleOf({ unindexed, refs: refs.length }),
    refs: describeRefs(refs, head),
    find: (stateId, path) => findNode(store, stateId, path),
    list: (folderId) => listFolder(store, folderId),
    sizeOf: async (fileId) => (await store.facts(fileId)).sizeBytes,
    read: (fileId) => store.stream(fileId),
    has: (stateId) => store.has(stateId),
    async *history(stateId) {
      const state = await peel(store, stateId);
      if (state.type !== "commit") return;
      for await (const { oid, parents, message, author, committer } of walkCommits(store, state.oid)) {
        yield { id: oid, parents, title: titleOf(message), author: author.name, at: committer.at };
      }
    },
  };
}

function obstacleOf({ unindexed, refs }: { unindexed: number; refs: number }): string | null {
  if (refs === 0) return "This repository has no branches or tags, so there are no files to show.";
  if (unindexed === 0) return null;
  return unindexed === 1
    ? "One git pack of this version has no index, so its files cannot be shown one by one. An index is made when the version is checked; packs past the limit stay without one. The ZIP holds everything."
    : `${unindexed} git packs of this version have no index, so its files cannot be shown one by one. The ZIP holds everything.`;
}

const KINDS: readonly [prefix: string, kind: FileTreeRef["kind"]][] = [
  ["refs/heads/", "branch"],
  ["refs/tags/", "tag"],
  ["refs/pull/", "request"],
  ["refs/merge-requests/", "request"],
  ["refs/notes/", "note"],
];

function describeRefs(refs: readonly GitRef[], head: GitHead): FileTreeRef[] {
  const described = refs.map(({ name, oid }): FileTreeRef => {
    const [prefix, kind] = KINDS.find(([start]) => name.startsWith(start)) ?? ["refs/", "other" as const];
    const label = name.slice(prefix.length);
    return {
      name,
      label: kind === "request" ? `#${label.replace(/\/head$/, "")}` : label,
      kind,
      isDefault: name === head.target,
      id: oid,
    };
  });
  return [...described.filter((ref) => ref.isDefault), ...described.filter((ref) => !ref.isDefault)];
}

/** The root of a state is its tree; a tag may also point to a single file. */
async function rootOf(store: ObjectStore, stateId: string): Promise<FileNode> {
  const { oid, type } = await peel(store, stateId);
  const id = type === "commit" ? (await readCommit(store, oid)).tree : oid;
  return { name: "", kind: type === "blob" ? "file" : "folder", isExecutable: false, id };
}

async function findNode(store: ObjectStore, stateId: string, path: string): Promise<FileNode | null> {
  let node = await rootOf(store, stateId);
  const parts = path === "" ? [] : path.split("/");
  if (parts.length > DEEPEST) return null;
  for (const part of parts) {
    if (node.kind !== "folder") return null;
    const next = (await readFolder(store, node.id)).find(({ name }) => name === part);
    if (next === undefined) return null;
    node = next;
  }
  return node;
}

async function readFolder(store: ObjectStore, id: string): Promise<FileNode[]> {
  const { type, bytes } = await store.read(id);
  if (type !== "tree") throw new GitPackError("malformed", "What a folder should be is something else");
  return parseTree(bytes, store.objectFormat).map(({ oid, ...entry }) => ({ ...entry, id: oid }));
}

async function listFolder(store: ObjectStore, id: string): Promise<FileNode[]> {
  const nodes = await readFolder(store, id);
  const isFolder = ({ kind }: FileNode) => kind === "folder";
  return [...nodes.filter(isFolder), ...nodes.filter((node) => !isFolder(node))];
}

/** First non-empty line of a message. */
function titleOf(message: string): string {
  return message.trimStart().split("\n", 1)[0]?.trim() ?? "";
}

import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { peel, readCommit } from "../commit-walk.ts";
import { type LfsPointer, readLfsPointer } from "../object-facts.ts";
import { type ObjectStore, openObjectStore } from "../object-store.ts";
import { kindOf, parseRawTree, type RawEntry } from "../parse-object.ts";
import { storedPacks } from "../stored-packs.ts";
import { findChain, readRefs } from "./git-chain.ts";

/** A file or folder of a version's repository, to be restored by itself. */
export type TreePart = {
  store: ObjectStore;
  /** The folders on the way to it, and the part last. */
  way: RawEntry[];
  /** The commit of the version that has it, and the branch or tag, e.g. `main`. */
  commit: string;
  refLabel: string;
};

/** A part's files and folders, each once. */
type PartContent = { trees: string[]; blobs: string[] };

/** Most files and folders of a part, which are listed in memory. */
const MOST_OBJECTS = 50_000;
/** A pointer to a file of Git LFS is shorter (git-lfs: docs/spec.md). */
const LONGEST_POINTER = 1_024;

/**
 * Opens a file or folder of the repository below a prefix of a version.
 * @throws ConnectorError `unsupported` when the version has no such thing, or it cannot be read by itself
 */
export async function openTreePart(
  snapshot: SnapshotView,
  { prefix, ref, path }: { prefix: string; ref: string; path: string },
): Promise<TreePart> {
  const { refs, objectFormat } = await readRefs(snapshot, prefix);
  const chain = await findChain(snapshot, prefix);
  const state = refs.find(({ name }) => name === ref);
  const { sources, unindexed } = await storedPacks(snapshot, chain?.packs.map((pack) => pack.path) ?? []);
  if (state === undefined || objectFormat !== "sha1" || unindexed > 0)
    throw new ConnectorError("unsupported", "The files of this version cannot be restored one by one.");
  const store = openObjectStore(sources, objectFormat);
  const { oid: commit } = await peel(store, state.oid);
  const way = await wayTo(store, (await readCommit(store, commit)).tree, path);
  const last = way?.at(-1);
  if (way === null || last === undefined || kindOf(last) === "submodule")
    throw new ConnectorError("unsupported", `The version has no file or folder ${path} there.`);
  return { store, way, commit, refLabel: ref.replace(/^refs\/(heads|tags)\//, "") };
}

/** The entries on the way from a root to a path; null = there is nothing. */
async function wayTo(store: ObjectStore, root: string, path: string): Promise<RawEntry[] | null> {
  const way: RawEntry[] = [];
  const text = new TextDecoder();
  let tree = root;
  for (const part of path.split("/")) {
    const last = way.at(-1);
    if (last !== undefined && kindOf(last) !== "folder") return null;
    const entry = parseRawTree((await store.read(tree)).bytes, "sha1").find(
      ({ name }) => text.decode(name) === part,
    );
    if (entry === undefined) return null;
    way.push(entry);
    tree = entry.oid;
  }
  return way;
}

/** Lists what the entry consists of. @throws ConnectorError `unsupported` when it is too much */
export async function contentOf(store: ObjectStore, entry: RawEntry): Promise<PartContent> {
  const trees = new Set<string>();
  const blobs = new Set<string>();
  const waiting: RawEntry[] = [entry];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (kindOf(next) === "submodule" || trees.has(next.oid)) continue;
    if (trees.size + blobs.size >= MOST_OBJECTS) {
      const message = `This folder has more than ${MOST_OBJECTS.toLocaleString("en-US")} files. Choose one below it, or clone the version.`;
      throw new ConnectorError("unsupported", message);
    }
    if (kindOf(next) !== "folder") blobs.add(next.oid);
    else {
      trees.add(next.oid);
      waiting.push(...parseRawTree((await store.read(next.oid)).bytes, "sha1"));
    }
  }
  return { trees: [...trees], blobs: [...blobs] };
}

/** The files of Git LFS that some files point to. */
export async function lfsPointersOf(store: ObjectStore, blobs: readonly string[]): Promise<LfsPointer[]> {
  const pointers = new Map<string, LfsPointer>();
  for (const oid of blobs) {
    if ((await store.facts(oid)).sizeBytes > LONGEST_POINTER) continue;
    const pointer = readLfsPointer((await store.read(oid)).bytes);
    if (pointer !== null) pointers.set(pointer.oid, pointer);
  }
  return [...pointers.values()];
}

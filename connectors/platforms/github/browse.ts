import type { FileTree } from "#connectors/contract/file-tree.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { gitFileTree } from "#connectors/toolkit/git/git-file-tree.ts";
import { findChain, readRefs } from "./git-chain.ts";

/** The files of the repository, branch by branch. */
export async function fileTrees(snapshot: SnapshotView): Promise<FileTree[]> {
  const refs = await readRefs(snapshot);
  const chain = await findChain(snapshot);
  const packs = chain?.packs.map(({ path }) => path) ?? [];
  return [await gitFileTree(snapshot, { name: "git", label: "Files", ...refs, packs })];
}

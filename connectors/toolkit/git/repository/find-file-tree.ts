import type { FileTree } from "#connectors/contract/file-tree.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { gitFileTree } from "../git-file-tree.ts";
import { findChain, hasRepository, readRefs } from "./git-chain.ts";

/**
 * The files of the repository below a prefix, branch by branch; null when the version holds none.
 *
 * @param order `name` is the tree's id in addresses, `label` what people call it.
 */
export async function findFileTree(
  snapshot: SnapshotView,
  { prefix, name, label }: { prefix: string; name: string; label: string },
): Promise<FileTree | null> {
  if (!(await hasRepository(snapshot, prefix))) return null;
  const refs = await readRefs(snapshot, prefix);
  const chain = await findChain(snapshot, prefix);
  const packs = chain?.packs.map(({ path }) => path) ?? [];
  return await gitFileTree(snapshot, { name, label, ...refs, packs });
}

import type { FileTree } from "#connectors/contract/file-tree.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { gitFileTree } from "../git-file-tree.ts";
import { findChain, hasRepository, readRefs } from "./git-chain.ts";

/**
 * The file tree of the repository below a prefix; null = the version has none.
 *
 * @param order `name` is the tree's id in URLs, `label` its display name.
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

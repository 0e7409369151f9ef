import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { ViewOf } from "#connectors/contract/view.ts";
import { gitFileTree } from "../git-file-tree.ts";
import { findChain, hasRepository, readRefs } from "./git-chain.ts";

/** The files view of the repository below a prefix; null when the version has none. */
export async function findFileView(
  snapshot: SnapshotView,
  { prefix, id, label }: { prefix: string; id: string; label: string },
): Promise<ViewOf<"files"> | null> {
  if (!(await hasRepository(snapshot, prefix))) return null;
  return {
    kind: "files",
    id,
    label,
    async open() {
      const refs = await readRefs(snapshot, prefix);
      const chain = await findChain(snapshot, prefix);
      const packs = chain?.packs.map(({ path }) => path) ?? [];
      return await gitFileTree(snapshot, { ...refs, packs });
    },
  };
}

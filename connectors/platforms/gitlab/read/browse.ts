import type { FileTree } from "#connectors/contract/file-tree.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { findFileTree } from "#connectors/toolkit/git/repository/find-file-tree.ts";
import { GIT, WIKI } from "../git-platform.ts";

/** The files of the project or snippet by branch, and those of the wiki. */
export async function fileTrees(snapshot: SnapshotView): Promise<FileTree[]> {
  const trees = [
    await findFileTree(snapshot, { prefix: GIT, name: "git", label: "Files" }),
    await findFileTree(snapshot, { prefix: WIKI, name: "wiki", label: "Wiki" }),
  ];
  return trees.filter((tree) => tree !== null);
}

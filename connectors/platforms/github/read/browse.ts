import type { FileTree } from "#connectors/contract/file-tree.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { findFileTree } from "#connectors/toolkit/git/repository/find-file-tree.ts";
import { GIT, WIKI } from "../git-platform.ts";

/** The files of the repository and the pages of its wiki, per branch. */
export async function fileTrees(snapshot: SnapshotView): Promise<FileTree[]> {
  const files = await findFileTree(snapshot, { prefix: GIT, name: "git", label: "Files" });
  const wiki = await findFileTree(snapshot, { prefix: WIKI, name: "wiki", label: "Wiki" });
  return [files, wiki].filter((tree) => tree !== null);
}

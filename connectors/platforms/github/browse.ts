import type { FileTree } from "#connectors/contract/file-tree.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { findFileTree } from "#connectors/toolkit/git/repository/find-file-tree.ts";
import { GIT } from "./git-platform.ts";

/** The files of the repository, branch by branch. */
export async function fileTrees(snapshot: SnapshotView): Promise<FileTree[]> {
  const files = await findFileTree(snapshot, { prefix: GIT, name: "git", label: "Files" });
  return files === null ? [] : [files];
}

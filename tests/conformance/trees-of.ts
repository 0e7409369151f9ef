import type { FileTree } from "#connectors/contract/file-tree.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";

/** A file tree with the id of its view. */
export type OpenTree = { id: string; tree: FileTree };

/** Opens the file views of a version. The first is the main one. */
export async function treesOf(
  connector: { views?: NonNullable<PlatformConnector["views"]> },
  snapshot: SnapshotView,
): Promise<OpenTree[]> {
  const views: readonly View[] = (await connector.views?.(snapshot)) ?? [];
  const trees: OpenTree[] = [];
  for (const view of views) if (view.kind === "files") trees.push({ id: view.id, tree: await view.open() });
  return trees;
}

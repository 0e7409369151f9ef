import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { boardView } from "./board-view.ts";

/** Returns the only view, the board. */
export async function views(snapshot: SnapshotView): Promise<readonly View[]> {
  const count = snapshot.counts().card ?? 0;
  return [{ kind: "board", id: "board", label: "Board", count, open: async () => boardView(snapshot) }];
}

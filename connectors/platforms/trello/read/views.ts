import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { boardView } from "./board-view.ts";

/** The board, which is all that there is to see. */
export async function views(snapshot: SnapshotView): Promise<readonly View[]> {
  return [{ kind: "board", id: "board", label: "Board", open: async () => boardView(snapshot) }];
}

import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { openPages } from "./pages-view.ts";

/** How people see a workspace: its pages with the tables among them. */
export async function views(snapshot: SnapshotView): Promise<readonly View[]> {
  return [{ kind: "pages", id: "pages", label: "Pages", open: async () => openPages(snapshot) }];
}

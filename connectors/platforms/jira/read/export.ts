import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { utf8 } from "#core/kernel/crypto.ts";

/** Exports the records as JSON files, with a README that explains them. */
export async function* exportFiles(snapshot: SnapshotView): AsyncIterable<ExportFile> {
  const readme =
    "A backup of one board: metadata/board.json is the board, metadata/cards/ holds one file for each card.\n";
  yield { path: "README.txt", source: "bytes", bytes: utf8(readme) };
  for await (const entry of snapshot.list())
    yield { path: `metadata/${entry.path}`, source: "entry", entry: entry.path };
}

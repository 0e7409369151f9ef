import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { utf8 } from "#core/kernel/crypto.ts";

/** The records as JSON files, and a README that says what they are. */
export async function* exportFiles(snapshot: SnapshotView): AsyncIterable<ExportFile> {
  const readme = "A backup of one board: board.json is the board, cards/ holds one file for each card.\n";
  yield { path: "README.txt", source: "bytes", bytes: utf8(readme) };
  for await (const entry of snapshot.list()) yield { path: entry.path, source: "entry", entry: entry.path };
}

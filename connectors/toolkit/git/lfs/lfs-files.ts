import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { LFS } from "./lfs-records.ts";

/**
 * The Git LFS files at the paths where git-lfs expects them in a bare repository.
 *
 * @param folder Folder of the repository, with a trailing slash, or empty.
 */
export async function* lfsFiles(snapshot: SnapshotView, folder: string): AsyncGenerator<ExportFile> {
  for await (const { path } of snapshot.list(LFS)) {
    const oid = path.slice(LFS.length);
    const place = `${folder}lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`;
    yield { path: place, source: "entry", entry: path };
  }
}

/** The number of Git LFS files in the version. */
export async function countLfsFiles(snapshot: SnapshotView): Promise<number> {
  let count = 0;
  for await (const _ of snapshot.list(LFS)) count += 1;
  return count;
}

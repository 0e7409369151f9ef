import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { LFS } from "./lfs-records.ts";

/**
 * The files of Git LFS where git-lfs looks for them inside a bare repository.
 *
 * @param folder Folder of the repository, ending with a slash, or empty.
 */
export async function* lfsFiles(snapshot: SnapshotView, folder: string): AsyncGenerator<ExportFile> {
  for await (const { path } of snapshot.list(LFS)) {
    const oid = path.slice(LFS.length);
    const place = `${folder}lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`;
    yield { path: place, source: "entry", entry: path };
  }
}

/** How many files of Git LFS the version holds. */
export async function countLfsFiles(snapshot: SnapshotView): Promise<number> {
  let count = 0;
  for await (const _ of snapshot.list(LFS)) count += 1;
  return count;
}

import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";

/**
 * Drops what the previous version holds of things that the platform no longer has, with all that belongs to them.
 * `isThere` is asked with the first part of the path behind the prefix, e.g. `000000000012` of
 * `issues/000000000012/comments/000000000007.json` under `issues/`; a file's ending is cut off.
 */
export async function* dropMissing(
  previous: SnapshotView,
  prefix: string,
  isThere: (name: string) => boolean,
): AsyncGenerator<BackupEvent, void> {
  for await (const { path } of previous.list(prefix)) {
    if (!isThere(nameBelow(prefix, path))) yield { type: "drop", path };
  }
}

/** The thing that a path below a prefix belongs to. */
export function nameBelow(prefix: string, path: string): string {
  return path
    .slice(prefix.length)
    .replace(/\/.*$/s, "")
    .replace(/\.json$/, "");
}

import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";

/**
 * Drops the entries of things that the platform no longer has. `isThere` receives the first part of the path after
 * the prefix without its file extension, e.g. `000000000012` for `issues/000000000012/comments/000000000007.json`
 * under `issues/`.
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

/** The name of the thing that a path below a prefix belongs to. */
export function nameBelow(prefix: string, path: string): string {
  return path
    .slice(prefix.length)
    .replace(/\/.*$/s, "")
    .replace(/\.json$/, "");
}

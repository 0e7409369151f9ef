import { readPartPath } from "#connectors/contract/part-path.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";

/** Something that can be restored by itself. */
type FoundPart = {
  /** As `partPathOf` writes it. */
  path: string;
  title: string;
  /** Kind of the entry or of the records; `file` or `folder`. */
  kind: string;
  /** What one of the kind is called. */
  one: string;
};

/** Finds what can be restored by itself under a path; null = the version has no such thing, or it cannot be restored so. */
export async function findPart(
  { connector, view, itemKind }: { connector: PlatformConnector; view: SnapshotView; itemKind: string },
  path: string,
): Promise<FoundPart | null> {
  const { itemKinds, supports } = connector.descriptor;
  const { parts } = supports.restores;
  if (parts === null || itemKind !== itemKinds[0]?.id) return null;
  const part = readPartPath(path);
  const words = connector.entryKinds;
  switch (part.type) {
    case "entry": {
      const entry = await view.find(path);
      if (entry === null || !parts.kinds.includes(entry.kind)) return null;
      const { kind, title } = entry;
      return { path, title: title?.trim() || path, kind, one: words[kind]?.one ?? kind };
    }
    case "all": {
      const { kind } = part;
      const { one, many } = words[kind] ?? { one: kind, many: kind };
      if (!parts.sets?.includes(kind) || (view.counts()[kind] ?? 0) === 0) return null;
      return { path, title: many.charAt(0).toUpperCase() + many.slice(1), kind, one: `${one} set` };
    }
    case "file":
      return parts.files?.includes(part.tree) ? await findFile(connector, view, part, path) : null;
    default:
      return part satisfies never;
  }
}

async function findFile(
  connector: PlatformConnector,
  view: SnapshotView,
  { tree, ref, path }: { tree: string; ref: string; path: string },
  text: string,
): Promise<FoundPart | null> {
  const found = (await connector.views?.(view))?.find(({ id }) => id === tree);
  if (found?.kind !== "files") return null;
  const files = await found.open();
  const state = files.refs.find(({ name }) => name === ref);
  if (files.obstacle !== null || state === undefined) return null;
  const node = await files.find(state.id, path);
  if (node === null || node.kind === "submodule") return null;
  const kind = node.kind === "folder" ? "folder" : "file";
  return { path: text, title: path, kind, one: kind };
}

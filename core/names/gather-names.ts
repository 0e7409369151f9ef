import { partPathOf } from "#connectors/contract/part-path.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { ViewOf } from "#connectors/contract/view.ts";
import { MOST_FOLDERS, MOST_NAMES, MOST_TITLE_CHARS } from "./limits.ts";
import type { IndexedName } from "./name-index.ts";

/** The kind of a name that is the path of a file. */
export const FILE_KIND = "file-path";

/** The names to index, the most wanted first. */
type Gathered = { names: IndexedName[]; isCut: boolean };

/**
 * Gathers the names of a version in the order of the platform's kinds: titles first, then paths of files. Of one kind,
 * entries with greater paths come first, because numbers and ids grow with time. Reads the manifest and folders, but no
 * record.
 *
 * @param most The names that are kept, and the folders that are read of each view of files.
 */
export async function gatherNames(
  { connector, view }: { connector: PlatformConnector; view: SnapshotView },
  most: { names: number; folders: number } = { names: MOST_NAMES, folders: MOST_FOLDERS },
): Promise<Gathered> {
  const { kinds, files = [] } = connector.descriptor.names;
  const titles = await gatherTitles(view, kinds, most.names);
  let isCut = titles.isCut;
  const { names } = titles;
  const trees = files.length > 0 ? ((await connector.views?.(view)) ?? []) : [];
  for (const tree of trees) {
    if (tree.kind !== "files" || !files.includes(tree.id) || names.length > most.names) continue;
    const paths = await gatherPaths(tree, { names: most.names - names.length, folders: most.folders });
    names.push(...paths.names);
    isCut ||= paths.isCut;
  }
  return { names: names.slice(0, most.names), isCut: isCut || names.length > most.names };
}

async function gatherTitles(view: SnapshotView, kinds: readonly string[], most: number): Promise<Gathered> {
  const counts = view.counts();
  const byKind = new Map(kinds.map((kind) => [kind, [] as IndexedName[]]));
  let isCut = false;
  if (kinds.every((kind) => (counts[kind] ?? 0) === 0)) return { names: [], isCut };
  for await (const { kind, title, path } of view.listBack()) {
    const found = byKind.get(kind);
    const shown = shownTitle(title ?? "");
    if (found === undefined || shown === "") continue;
    if (found.length < most) found.push({ kind, title: shown, path });
    else isCut = true;
  }
  return { names: [...byKind.values()].flat(), isCut };
}

/** The files of the default branch, folder by folder from the root. One more than wanted says that there are more. */
async function gatherPaths(
  tree: ViewOf<"files">,
  most: { names: number; folders: number },
): Promise<Gathered> {
  const names: IndexedName[] = [];
  const files = await tree.open();
  const ref = files.refs[0];
  if (files.obstacle !== null || ref === undefined) return { names, isCut: false };
  const root = await files.find(ref.id, "");
  const folders = root?.kind === "folder" ? [{ id: root.id, path: "" }] : [];
  for (let read = 0; read < folders.length; read++) {
    if (read === most.folders) return { names, isCut: true };
    const folder = folders[read]!;
    for (const { kind, name, id } of await files.list(folder.id)) {
      const path = `${folder.path}${name}`;
      if (kind === "folder") folders.push({ id, path: `${path}/` });
      else if (kind !== "submodule") {
        const part = partPathOf({ type: "file", tree: tree.id, ref: ref.name, path });
        names.push({ kind: FILE_KIND, title: path.slice(-MOST_TITLE_CHARS).toWellFormed(), path: part });
      }
      if (names.length > most.names) return { names, isCut: true };
    }
  }
  return { names, isCut: false };
}

/** A title on one line, of a bounded length. */
function shownTitle(title: string): string {
  return title.replace(/\s+/g, " ").trim().slice(0, MOST_TITLE_CHARS).toWellFormed();
}

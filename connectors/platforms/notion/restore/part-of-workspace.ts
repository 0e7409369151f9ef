import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredRoots } from "../records.ts";
import type { Node, Root } from "./walk-version.ts";

/** A page, row or database that is restored by itself, with everything below it. */
export type Part = Root & { node: Node };

/**
 * Reads what an order restores; null = the whole version.
 * @throws ConnectorError `unsupported` for what cannot be restored
 */
export async function readPart(
  snapshot: SnapshotView,
  { target, part }: Pick<RestoreOrder, "target" | "part">,
): Promise<Part | null> {
  if (part === null) {
    if (target.kind === "new") return null;
    throw new ConnectorError("unsupported", "A whole workspace can be restored as a new page only.");
  }
  const entry = await snapshot.find(part);
  const found = entry === null ? null : rootOf(entry);
  if (found === null) {
    throw new ConnectorError("unsupported", "Only pages, rows and databases can be restored by themselves.");
  }
  return found;
}

function rootOf({ kind, path }: EntryInfo): Part | null {
  const steps = path.split("/");
  const [, first = "", , second = ""] = steps;
  switch (kind) {
    case "page":
      return asPart({ type: "page", id: first }, recordPaths.pageHome(first));
    case "database":
      return asPart({ type: "database", id: first }, recordPaths.databaseHome(first));
    case "row":
      return asPart({ type: "row", id: second, sourceId: first }, recordPaths.rowHome(first, second));
    default:
      return null;
  }
}

function asPart(root: Root, home: string): Part {
  const { type, id, sourceId = null } = root;
  return { ...root, node: { kind: type, id, home, parentId: sourceId, path: [id] } };
}

/** The pages and databases at the top of a version. */
export async function readRoots(snapshot: SnapshotView): Promise<Root[]> {
  if ((await snapshot.find(recordPaths.roots)) === null) return [];
  return ((await snapshot.readRecord(recordPaths.roots)) as unknown as StoredRoots).roots;
}

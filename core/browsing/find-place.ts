import type { EntryRole } from "#connectors/contract/entry-role.ts";
import { readPartPath } from "#connectors/contract/part-path.ts";
import { type Viewed, viewsOf } from "./open-view.ts";
import { readable } from "./readable-or-told.ts";
import type { VersionPlace } from "./views.ts";

/**
 * Where people see an entry or a file of a version: in the first view that shows it, else among the records. Null = the
 * version does not have it, or does not show its kind. Opens views, but reads no part.
 *
 * @param path As `partPathOf` writes it.
 * @throws AppError `err.version.unreadable`
 */
export async function findPlace(open: Viewed, path: string): Promise<VersionPlace | null> {
  const part = readPartPath(path);
  return await readable(async () => {
    switch (part.type) {
      case "file":
        return { type: "file", viewId: part.tree, ref: part.ref, path: part.path };
      case "entry":
        return await placeOfEntry(open, path);
      case "all":
        return null;
      default:
        return part satisfies never;
    }
  });
}

async function placeOfEntry(open: Viewed, path: string): Promise<VersionPlace | null> {
  const entry = await open.view.find(path);
  if (entry === null || !Object.hasOwn(open.connector.entryKinds, entry.kind)) return null;
  for (const view of await viewsOf(open)) {
    if (view.kind === "files") continue;
    const tableId = view.kind === "pages" ? ((await view.open()).tableAt?.(path) ?? null) : null;
    if (tableId !== null) return { type: "table", viewId: view.id, tableId };
    const role = (await view.open()).roleOf(entry);
    if (role === null) continue;
    const place = { viewKind: view.kind, viewId: view.id };
    return role.role === "column"
      ? { type: "view", ...place }
      : { type: "part", ...place, partId: partIdOf(role) };
  }
  return { type: "record", path };
}

const partIdOf = (role: Exclude<EntryRole, { role: "column" }>) =>
  role.role === "part" ? role.id : role.partId;

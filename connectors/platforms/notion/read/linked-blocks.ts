import type { FileLink } from "#connectors/contract/field.ts";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredBlock } from "../records.ts";
import { fileLinkOf } from "./file-links.ts";
import { memberOf, membersOf, textOf } from "./members.ts";
import type { Targets } from "./targets.ts";
import { findSource, listedTitle, sourceIdsOf, titleOfSource } from "./titles.ts";

/** Something that stood here and is not in the version, with the reason. */
export function absent(reason: string, url = ""): PageBlock {
  return { type: "absent", reason, url: url === "" ? null : url };
}

/** A picture, a film or another file in a page. */
export async function fileBlock(snapshot: SnapshotView, block: StoredBlock): Promise<PageBlock> {
  const file = await fileLinkOf(snapshot, memberOf(block, block.type), block.type);
  if (file.path !== null || file.url !== null) return { type: "file", file };
  return absent(`The file “${file.name}” stood here. Its bytes are not in this version.`);
}

/** Pages and tables by their place in this version; others by what they are. */
export async function linked(
  { snapshot, targets }: { snapshot: SnapshotView; targets: Targets },
  block: StoredBlock,
): Promise<PageBlock[]> {
  const facts = memberOf(block, block.type);
  const pageId = block.type === "child_page" ? block.id : textOf(facts, "page_id");
  const databaseId = block.type === "child_database" ? block.id : textOf(facts, "database_id");
  const name = textOf(facts, "title");
  const named = name === "" ? "" : ` “${name}”`;
  if (pageId !== "") {
    const found = await targets.page(pageId);
    if (found === null) return [absent(`The page${named} stood here. It is not in this version.`)];
    return [{ type: "page", id: found.home.id, title: await listedTitle(snapshot, found.entry) }];
  }
  if (databaseId !== "") {
    const tables = await tablesOf(snapshot, databaseId, block.type === "child_database");
    return tables.length > 0
      ? tables
      : [absent(`The database${named} stood here. It is not in this version.`)];
  }
  return [absent("A link to a comment stood here.")];
}

/** The tables of a database. Where it stands itself, a page shows the rows of an inline one (`is_inline`). */
async function tablesOf(
  snapshot: SnapshotView,
  databaseId: string,
  standsHere: boolean,
): Promise<PageBlock[]> {
  const path = recordPaths.database(databaseId);
  if ((await snapshot.find(path)) === null) return [];
  const database = await snapshot.readRecord(path);
  const isInline = standsHere && membersOf(database).is_inline === true;
  const tables: PageBlock[] = [];
  for (const id of sourceIdsOf(database)) {
    const source = await findSource(snapshot, id);
    if (source === null) continue;
    tables.push({ type: "table", id, title: titleOfSource(source), ...(isInline && { isInline }) });
  }
  return tables;
}

/** The icon and the cover of a page whose bytes are kept: they belong to it without being in its text. */
export async function filesBeside(snapshot: SnapshotView, page: Json): Promise<FileLink[]> {
  const files: FileLink[] = [];
  for (const name of ["icon", "cover"]) {
    const file = await fileLinkOf(snapshot, memberOf(page, name), name);
    if (file.path !== null) files.push(file);
  }
  return files;
}

import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { recordPaths } from "../record-paths.ts";
import { listOf, memberOf, membersOf, textOf } from "./members.ts";
import { plainText } from "./rich-text.ts";

/** Titles of entries may be cut at this length. */
const LONGEST_LISTED = 200;

/** The title of a page, row or template: the value of the property of type `title`. */
export function titleOfPage(page: Json): string {
  for (const value of Object.values(memberOf(page, "properties")))
    if (textOf(value, "type") === "title") return plainText(listOf(value, "title"));
  return "";
}

/** What entries of pages without a title are called in lists of records. */
const UNTITLED = "Untitled";

/** The title of the page of an entry; empty = none. Reads the record only if the entry cannot tell. */
export async function listedTitle(snapshot: SnapshotView, { path, title }: EntryInfo): Promise<string> {
  if (title !== undefined && title !== UNTITLED && title.length < LONGEST_LISTED) return title;
  return titleOfPage(await snapshot.readRecord(path));
}

/** The emoji of a page or table; null = none, or a picture. */
export function emojiOf(record: Json): string | null {
  const icon = memberOf(record, "icon");
  return textOf(icon, "type") === "emoji" ? textOf(icon, "emoji") || null : null;
}

/** Whether people put the page away, which is not the trash: what is there is not in a version. */
export function isArchived(page: Json): boolean {
  return membersOf(page).is_archived === true;
}

/** A data source of a version with the database that holds it. */
export type Source = { id: string; record: Json; database: Json | null; databaseId: string | null };

/** Finds a data source by its id, or null. */
export async function findSource(snapshot: SnapshotView, id: string): Promise<Source | null> {
  const entry = await snapshot.find(recordPaths.source(id));
  if (entry === null) return null;
  const record = await snapshot.readRecord(entry.path);
  const databaseId = textOf(memberOf(record, "parent"), "database_id") || null;
  const path = databaseId === null ? null : recordPaths.database(databaseId);
  const isHeld = path !== null && (await snapshot.find(path)) !== null;
  return { id, record, database: isHeld ? await snapshot.readRecord(path) : null, databaseId };
}

/** The ids of a database's data sources, in its order. */
export function sourceIdsOf(database: Json): string[] {
  return listOf(database, "data_sources").flatMap((source) => textOf(source, "id") || []);
}

/** The title of a data source. The only one of a database has the database's title, as at Notion. */
export function titleOfSource({ record, database }: Source): string {
  const own = plainText(listOf(record, "title"));
  if (database === null || sourceIdsOf(database).length > 1) return own;
  return plainText(listOf(database, "title")) || own;
}

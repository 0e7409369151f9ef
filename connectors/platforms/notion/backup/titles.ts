import type { NotionPage, NotionParent } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";

type RichText = readonly { plain_text: string }[];

/** The text of a title. */
export function plainText(text: RichText): string {
  return text.map(({ plain_text }) => plain_text).join("");
}

/** The title of a page, row or template: the value of its only property of the type title. */
export function titleOf({ properties }: Pick<NotionPage, "properties">): string {
  for (const value of Object.values(properties)) {
    if (value.type === "title" && Array.isArray(value.title))
      return plainText(value.title as RichText) || "Untitled";
  }
  return "Untitled";
}

/** Path of the entry in which a page or database stands, if its parent tells; undefined = a block, or nothing. */
export function parentPath({ type, page_id, database_id, data_source_id }: NotionParent): {
  parent?: string;
} {
  if (type === "page_id" && page_id) return { parent: recordPaths.page(recordPaths.pageHome(page_id)) };
  if (type === "data_source_id" && data_source_id) return { parent: recordPaths.source(data_source_id) };
  if (type === "database_id" && database_id) return { parent: recordPaths.database(database_id) };
  return {};
}

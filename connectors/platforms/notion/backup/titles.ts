import type { NotionPage } from "../payloads.ts";

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

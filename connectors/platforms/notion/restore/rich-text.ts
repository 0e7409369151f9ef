import type { Json } from "#core/kernel/canonical-json.ts";
import { type JsonObject, objectOf, objectsOf, picked, textOf } from "./json-parts.ts";
import type { Loss } from "./losses.ts";
import { linkedId, pageUrl } from "./page-links.ts";

/** Limits of texts in requests (developers.notion.com, "Request limits"). */
export const TEXT_LIMITS = { content: 2_000, items: 100, url: 2_000, expression: 1_000 } as const;

/** What a text refers to, and what it becomes. */
export type TextReferences = {
  /** The new id of a restored page or database; null = it was not restored. */
  newId: (oldId: string) => string | null;
  /** Whether the workspace has this custom emoji. */
  hasEmoji: (emojiId: string) => boolean;
  /** Counts a loss for the report. */
  told: (loss: Loss) => void;
};

const ANNOTATIONS = ["bold", "italic", "strikethrough", "underline", "code", "color"] as const;

/**
 * A stored text as a request may hold it: mentions and links name the restored pages, people stand as names so that
 * nobody is notified, and long pieces are split. The result may have more items than a request takes; see `chunks`.
 */
export function writtenText(stored: Json | undefined, references: TextReferences): JsonObject[] {
  return objectsOf(stored).flatMap((item) => writtenItem(item, references));
}

function writtenItem(item: JsonObject, references: TextReferences): JsonObject[] {
  const annotations = picked(objectOf(item.annotations), ANNOTATIONS);
  const style: JsonObject = Object.keys(annotations).length === 0 ? {} : { annotations };
  switch (item.type) {
    case "equation": {
      const expression = textOf(objectOf(item.equation).expression) ?? "";
      if (expression.length <= TEXT_LIMITS.expression)
        return [{ type: "equation", equation: { expression }, ...style }];
      return textPieces(expression, null, style);
    }
    case "mention":
      return mention(item, style, references);
    case "text": {
      const { content, link } = objectOf(item.text);
      return textPieces(textOf(content) ?? "", newLink(objectOf(link).url, references), style);
    }
    default:
      return textPieces(textOf(item.plain_text) ?? "", newLink(item.href, references), style);
  }
}

function mention(item: JsonObject, style: JsonObject, references: TextReferences): JsonObject[] {
  const { told, newId } = references;
  const what = objectOf(item.mention);
  const shown = textOf(item.plain_text) ?? "";
  switch (what.type) {
    case "page":
    case "database": {
      const kind = what.type;
      const oldId = textOf(objectOf(what[kind]).id) ?? "";
      const id = newId(oldId);
      if (id !== null) return [{ type: "mention", mention: { type: kind, [kind]: { id } }, ...style }];
      told("outside");
      return textPieces(shown === "" ? "a page" : shown, oldId === "" ? null : pageUrl(oldId), style);
    }
    case "date":
      return [{ type: "mention", mention: { type: "date", date: what.date ?? null }, ...style }];
    case "template_mention":
      return [
        {
          type: "mention",
          mention: { type: "template_mention", template_mention: what.template_mention ?? {} },
          ...style,
        },
      ];
    case "custom_emoji": {
      const id = textOf(objectOf(what.custom_emoji).id) ?? "";
      if (references.hasEmoji(id)) {
        return [{ type: "mention", mention: { type: "custom_emoji", custom_emoji: { id } }, ...style }];
      }
      told("emoji");
      return textPieces(shown, null, style);
    }
    case "user": {
      told("people");
      return textPieces(shown === "" ? "@someone" : shown, null, style);
    }
    default:
      return textPieces(shown, newLink(item.href, references), style);
  }
}

/** The address of a link after the restore; null = none, or one that a request does not take. */
export function newLink(url: Json | undefined, { newId, told }: TextReferences): string | null {
  if (typeof url !== "string" || url === "") return null;
  const oldId = linkedId(url);
  if (oldId !== null) {
    const id = newId(oldId);
    if (id !== null) return pageUrl(id);
    if (url.startsWith("/")) return pageUrl(oldId);
  }
  if (url.length <= TEXT_LIMITS.url && isAddress(url)) return url;
  told("link");
  return null;
}

/** Whether Notion may take the address of a link. It refuses others with the whole request. */
function isAddress(url: string): boolean {
  return URL.canParse(url) || URL.canParse(`https://${url}`);
}

/** Text in pieces of at most 2,000 UTF-16 units. */
export function textPieces(content: string, url: string | null, style: JsonObject = {}): JsonObject[] {
  const link: JsonObject = url === null ? {} : { link: { url } };
  return piecesOf(content).map((piece) => ({ type: "text", text: { content: piece, ...link }, ...style }));
}

function piecesOf(content: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (content.length - from > TEXT_LIMITS.content) {
    let end = from + TEXT_LIMITS.content;
    // Do not split a surrogate pair.
    if (/[\uD800-\uDBFF]/.test(content[end - 1] ?? "")) end -= 1;
    pieces.push(content.slice(from, end));
    from = end;
  }
  if (from < content.length) pieces.push(content.slice(from));
  return pieces;
}

/** A text as lists that a request takes; at least one, which may be empty. */
export function chunks(items: readonly JsonObject[]): JsonObject[][] {
  if (items.length === 0) return [[]];
  const lists: JsonObject[][] = [];
  for (let from = 0; from < items.length; from += TEXT_LIMITS.items) {
    lists.push(items.slice(from, from + TEXT_LIMITS.items));
  }
  return lists;
}

/** A text where only one list fits, e.g. in a property or a caption. What is beyond it is lost, and told. */
export function cutText(items: readonly JsonObject[], told: TextReferences["told"]): JsonObject[] {
  if (items.length > TEXT_LIMITS.items) told("cut");
  return items.slice(0, TEXT_LIMITS.items);
}

/** The plain text of a stored text. */
export function plainText(stored: Json | undefined): string {
  return objectsOf(stored)
    .map((item) => textOf(item.plain_text) ?? textOf(objectOf(item.text).content) ?? "")
    .join("");
}

/** Ids of pages and databases that a stored value mentions or links to, at any depth. */
export function referredIds(value: Json | undefined, into: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const each of value) referredIds(each, into);
  else if (value !== null && typeof value === "object") {
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === "string") {
        if (key === "url" || key === "href") {
          const id = linkedId(member);
          if (id !== null) into.add(id);
        } else if (key === "page_id" || key === "database_id") into.add(member);
      } else if (key === "page" || key === "database") {
        const id = textOf(objectOf(member).id);
        if (id !== null) into.add(id);
      } else referredIds(member, into);
    }
  }
  return into;
}

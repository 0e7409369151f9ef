import type { Json } from "#core/kernel/canonical-json.ts";
import type { StoredBlock } from "../records.ts";
import type { BlockTree } from "./block-trees.ts";
import { pictureOf } from "./icons.ts";
import { type JsonObject, objectOf, picked, textOf } from "./json-parts.ts";
import { pageUrl } from "./page-links.ts";
import {
  chunks,
  cutText,
  newLink,
  plainText,
  TEXT_LIMITS,
  type TextReferences,
  textPieces,
  writtenText,
} from "./rich-text.ts";
import { type DraftBlock, emptyBlock } from "./split-blocks.ts";

/** A synced copy: an empty paragraph holds its place until its original is there. */
export type LateCopy = { ref: string; originalId: string; tree: BlockTree };

export type DraftContext = TextReferences & {
  /** Takes a synced copy that is made later. */
  later: (copy: LateCopy) => void;
};

/** Blocks with text, and what requests may say of them besides it. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  paragraph: ["color"],
  bulleted_list_item: ["color"],
  numbered_list_item: ["color"],
  quote: ["color"],
  toggle: ["color"],
  heading_1: ["color", "is_toggleable"],
  heading_2: ["color", "is_toggleable"],
  heading_3: ["color", "is_toggleable"],
  heading_4: ["color", "is_toggleable"],
  to_do: ["color", "checked"],
  callout: ["color"],
  template: [],
  code: ["language"],
};
/** Blocks without text that requests may make (`@notionhq/client` 5.26.0, `BlockObjectRequest`). */
const PLAIN: Readonly<Record<string, readonly string[]>> = {
  divider: [],
  breadcrumb: [],
  table_of_contents: ["color"],
  tab: [],
  column_list: [],
  column: ["width_ratio"],
};
const MEDIA = new Set(["image", "video", "pdf", "file", "audio"]);
const LEAVES = new Set([
  ...["code", "divider", "breadcrumb", "table_of_contents", "table_row", "bookmark", "embed", "link_to_page"],
  ...["equation", ...MEDIA],
]);
/** Words for blocks that the API cannot make; others are named by their type. */
const NAMES: Readonly<Record<string, string>> = {
  form: "form",
  button: "button",
  drive: "Google Drive file",
};

/**
 * A block of the version as requests make it: usually one, more if its text is too long for one or if what was in it
 * must stand beside it, none for a page below, which is made by itself.
 */
export function draftBlocks(tree: BlockTree, context: DraftContext): DraftBlock[] {
  const { block } = tree;
  const { type, id } = block;
  const value = objectOf(block[type]);
  if (type in TEXTS) return textBlock(tree, value, context);
  if (type in PLAIN) return plainBlock(tree, value, context);
  if (MEDIA.has(type)) return beside(mediaBlock(block, value, context), tree, context);
  switch (type) {
    case "table":
      return [table(tree, value, context)];
    case "equation": {
      const expression = textOf(value.expression) ?? "";
      if (expression.length <= TEXT_LIMITS.expression) return [leaf(id, type, { expression })];
      return [leaf(id, "code", { rich_text: textPieces(expression, null), language: "latex" })];
    }
    case "bookmark":
    case "embed":
    case "link_preview":
      return beside(linkBlock(block, value, context), tree, context);
    case "link_to_page":
      return [linkToPage(id, value, context)];
    case "synced_block":
      return [synced(tree, value, context)];
    case "transcription":
    case "meeting_notes": {
      context.told("meeting");
      const title = writtenText(value.title ?? value.rich_text, context);
      return [
        {
          ...leaf(id, "toggle", { rich_text: cutText(title, context.told) }),
          children: inside(tree, context),
        },
      ];
    }
    case "child_page":
    case "child_database":
      return childBlock(block, value, context);
    default: {
      context.told("unsupported");
      const name = textOf(value.block_type) ?? type;
      return [{ ...note(id, `A ${NAMES[name] ?? words(name)} was here.`), children: inside(tree, context) }];
    }
  }
}

/** The drafts of everything in a block. */
function inside({ children }: BlockTree, context: DraftContext): DraftBlock[] {
  return children.flatMap((child) => draftBlocks(child, context));
}

/** What is in a block that takes no children follows it. */
function beside(draft: DraftBlock, tree: BlockTree, context: DraftContext): DraftBlock[] {
  return [draft, ...inside(tree, context)];
}

function textBlock(tree: BlockTree, value: JsonObject, context: DraftContext): DraftBlock[] {
  const { id, type } = tree.block;
  const [first = [], ...rest] = chunks(writtenText(value.rich_text, context));
  const own: JsonObject = { rich_text: first, ...picked(value, TEXTS[type] ?? []) };
  if (type === "code") {
    own.language ??= "plain text";
    own.caption = cutText(writtenText(value.caption, context), context.told);
  }
  const draft: DraftBlock = { ref: id, type, value: own, children: [] };
  if (type === "callout" || type === "paragraph") giveIcon(draft, value.icon, context);
  const children = inside(tree, context);
  const isClosed = LEAVES.has(type) || (type.startsWith("heading_") && own.is_toggleable !== true);
  if (!isClosed) draft.children = children;
  if (rest.length > 0) context.told("long");
  const next = type === "code" ? "code" : "paragraph";
  const more = rest.map((rich_text, index) =>
    leaf(`${id}:${index + 2}`, next, { rich_text, ...(next === "code" ? { language: own.language! } : {}) }),
  );
  return [draft, ...more, ...(isClosed ? children : [])];
}

function giveIcon(draft: DraftBlock, stored: Json | undefined, context: DraftContext): void {
  const picture = pictureOf(stored, context);
  if (picture === null) return;
  if ("path" in picture) draft.icon = picture.path;
  else draft.value.icon = picture.value;
}

function plainBlock(tree: BlockTree, value: JsonObject, context: DraftContext): DraftBlock[] {
  const { id, type } = tree.block;
  const children = inside(tree, context);
  // Notion takes away a list of columns that has one left; answers may still show it.
  if (type === "column_list" && children.length < 2) return children.flatMap((column) => column.children);
  if (type === "tab" && children.length === 0) return [];
  const own = picked(value, PLAIN[type] ?? []);
  const draft: DraftBlock = { ref: id, type, value: own, children: LEAVES.has(type) ? [] : children };
  if (type === "tab") draft.children = children.map(asTabItem);
  return LEAVES.has(type) ? [draft, ...children] : [draft];
}

/** A tab takes paragraphs only. */
function asTabItem(draft: DraftBlock): DraftBlock {
  return draft.type === "paragraph" ? draft : { ...emptyBlock(`${draft.ref}:tab`), children: [draft] };
}

function table({ block, children }: BlockTree, value: JsonObject, context: DraftContext): DraftBlock {
  const rows = children.map(({ block: row }) => ({ id: row.id, cells: objectOf(row.table_row).cells }));
  const widest = Math.max(1, ...rows.map(({ cells }) => (Array.isArray(cells) ? cells.length : 0)));
  const width = typeof value.table_width === "number" ? Math.max(value.table_width, widest) : widest;
  const drafts = rows.map(({ id, cells }) => {
    const all = Array.isArray(cells) ? cells : [];
    const written = Array.from({ length: width }, (_, at) =>
      cutText(writtenText(all[at], context), context.told),
    );
    return leaf(id, "table_row", { cells: written });
  });
  if (drafts.length === 0) {
    drafts.push(leaf(`${block.id}:row`, "table_row", { cells: Array.from({ length: width }, () => []) }));
  }
  const heads = picked(value, ["has_column_header", "has_row_header"]);
  return { ref: block.id, type: "table", value: { table_width: width, ...heads }, children: drafts };
}

function mediaBlock({ id, type }: StoredBlock, value: JsonObject, context: DraftContext): DraftBlock {
  const caption = cutText(writtenText(value.caption, context), context.told);
  const own: JsonObject = { caption, ...(type === "file" ? picked(value, ["name"]) : {}) };
  if (value.type === "external") {
    const url = newLink(objectOf(value.external).url, context);
    if (url === null) return note(id, "A file by its address was here.");
    return leaf(id, type, { ...own, type: "external", external: { url } });
  }
  const path = textOf(objectOf(value.file).path);
  if (path !== null) return { ...leaf(id, type, own), file: path };
  context.told("fileMissing");
  return note(id, `${textOf(value.name) ?? "A file"} was here; the backup does not hold it.`);
}

function linkBlock({ id, type }: StoredBlock, value: JsonObject, context: DraftContext): DraftBlock {
  const url = newLink(value.url, context);
  if (type === "link_preview") context.told("preview");
  if (url === null) return emptyBlock(id);
  const caption = cutText(writtenText(value.caption, context), context.told);
  return leaf(id, type === "link_preview" ? "bookmark" : type, { url, caption });
}

function linkToPage(id: string, value: JsonObject, context: DraftContext): DraftBlock {
  const member = value.type === "database_id" ? "database_id" : "page_id";
  const oldId = textOf(value[member]);
  const newId = oldId === null ? null : context.newId(oldId);
  if (newId !== null) return leaf(id, "link_to_page", { type: member, [member]: newId });
  context.told("outside");
  if (oldId === null) return note(id, "A link to a comment was here.");
  return leaf(id, "paragraph", { rich_text: textPieces("Link to the original page", pageUrl(oldId)) });
}

function synced(tree: BlockTree, value: JsonObject, context: DraftContext): DraftBlock {
  const { id } = tree.block;
  const originalId = textOf(objectOf(value.synced_from).block_id);
  if (originalId !== null) {
    context.later({ ref: id, originalId, tree });
    return emptyBlock(id);
  }
  return { ref: id, type: "synced_block", value: { synced_from: null }, children: inside(tree, context) };
}

/** A page below is made by itself. One that is not in the version leaves a link. */
function childBlock({ id, type }: StoredBlock, value: JsonObject, context: DraftContext): DraftBlock[] {
  if (context.newId(id) !== null) return [];
  context.told("linkedView");
  const title = textOf(value.title) || (type === "child_page" ? "Untitled" : "View of a table");
  return [leaf(id, "paragraph", { rich_text: textPieces(title, pageUrl(id)) })];
}

/** A short paragraph in the place of what cannot be made. */
export function note(ref: string, text: string): DraftBlock {
  const style = { annotations: { italic: true, color: "gray" } };
  return leaf(ref, "paragraph", { rich_text: textPieces(text, null, style) });
}

/** What is left of a block that Notion refused: its text. */
export function textOnly({ ref, value }: DraftBlock): DraftBlock {
  const text = plainText(value.rich_text) || plainText(value.caption);
  return text === ""
    ? note(ref, "A block that Notion refused was here.")
    : leaf(ref, "paragraph", { rich_text: textPieces(text, null) });
}

function leaf(ref: string, type: string, value: JsonObject): DraftBlock {
  return { ref, type, value, children: [] };
}

function words(type: string): string {
  return type.replaceAll("_", " ");
}

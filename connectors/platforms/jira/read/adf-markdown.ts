import {
  escapeLineStart,
  escapeMarkdown,
  linkTarget,
  longestRun,
} from "#connectors/toolkit/markdown/escape-markdown.ts";
import { inlineLines } from "./adf-inline.ts";
import { type AdfNode, attrText, childrenOf, fileNameOf, nodeOf, wordsOf } from "./adf-node.ts";
import { tableLines } from "./adf-table.ts";
import { adfToText } from "./adf-text.ts";

/** Lists and quotes below this depth become plain paragraphs; the renderer of the screens stops at 40. */
const DEEPEST = 12;
/** Lines of a document. Jira's own fields end at 32,767 characters. */
const MOST_LINES = 20_000;

const PANELS: Readonly<Record<string, string>> = {
  info: "Info",
  note: "Note",
  tip: "Tip",
  success: "Success",
  warning: "Warning",
  error: "Error",
};
/** Blocks whose children are blocks of the same level. */
const TRANSPARENT = /^(doc|layoutSection|layoutColumn|mediaGroup|bodiedSyncBlock)$/;

/**
 * A document of Jira (Atlassian Document Format) as Markdown for the screens. Its text is shown as written and cannot
 * become markup. What Markdown does not have is written as text; nodes that we do not know keep their text.
 */
export function adfToMarkdown(document: unknown): string {
  const root = nodeOf(document);
  if (root === null) return "";
  const lines = blocksOf(childrenOf(root), 0);
  const isCut = lines.length > MOST_LINES;
  return (isCut ? [...lines.slice(0, MOST_LINES), "", "…"] : lines).join("\n");
}

/** Blocks with an empty line between them. */
function blocksOf(nodes: readonly AdfNode[], depth: number): string[] {
  const lines: string[] = [];
  let waiting: AdfNode[] = [];
  let listsInARow = 0;
  const add = (block: readonly string[]) => {
    if (block.length === 0) return;
    if (lines.length > 0) lines.push("");
    for (const line of block) lines.push(line);
  };
  const flush = () => {
    add(paragraph(waiting));
    waiting = [];
  };
  for (const node of nodes) {
    if (lines.length > MOST_LINES) break;
    // Inline content outside a paragraph, as task items have it.
    if (isInline(node)) {
      waiting.push(node);
      continue;
    }
    flush();
    listsInARow = isList(node) ? listsInARow + 1 : 0;
    // Two lists in a row would be one without another sign.
    add(blockOf(node, { depth, isOther: listsInARow % 2 === 0 }));
  }
  flush();
  return lines;
}

const isList = ({ type }: AdfNode): boolean => /List$/.test(type);

function isInline({ type }: AdfNode): boolean {
  return /^(text|hardBreak|mention|emoji|date|status|inlineCard|placeholder|mediaInline|inlineExtension)$/.test(
    type,
  );
}

type Place = { depth: number; isOther: boolean };

function blockOf(node: AdfNode, place: Place): string[] {
  if (place.depth >= DEEPEST) return deepText(node);
  if (TRANSPARENT.test(node.type)) return blocksOf(childrenOf(node), place.depth);
  switch (node.type) {
    case "paragraph":
    case "caption":
      return paragraph(childrenOf(node));
    case "heading":
      return heading(node);
    case "rule":
      return ["___"];
    case "codeBlock":
      return codeBlock(node);
    case "blockquote":
      return quoted(blocksOf(childrenOf(node), place.depth + 1));
    case "panel":
      return titled(
        PANELS[attrText(node, "panelType")] ?? attrText(node, "panelIconText"),
        node,
        place.depth,
      );
    case "expand":
    case "nestedExpand":
      return titled(attrText(node, "title"), node, place.depth);
    case "bodiedExtension":
      return titled(attrText(node, "text") || attrText(node, "extensionKey"), node, place.depth);
    case "bulletList":
    case "orderedList":
    case "taskList":
    case "decisionList":
      return listLines(node, place);
    case "table":
      return tableLines(node);
    case "mediaSingle":
      return mediaLines(node, place);
    case "media":
      return mediaLine(node);
    default:
      return unknownLines(node, place);
  }
}

function paragraph(nodes: readonly AdfNode[]): string[] {
  return inlineLines(nodes).map((line, index, all) =>
    // Two spaces at the end break the line.
    index < all.length - 1 && line !== "" ? `${escapeLineStart(line)}  ` : escapeLineStart(line),
  );
}

function heading(node: AdfNode): string[] {
  const level = Math.min(6, Math.max(1, Math.trunc(Number(node.attrs.level)) || 1));
  const text = inlineLines(childrenOf(node)).join(" ").trim();
  // Closing signs of a heading are not shown.
  return text === "" ? [] : [`${"#".repeat(level)} ${escapeEnd(text)}`];
}

/** Signs at the end of a heading would close it. */
function escapeEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return text.slice(0, end) + "\\#".repeat(text.length - end);
}

function codeBlock(node: AdfNode): string[] {
  const code = childrenOf(node)
    .map((child) => wordsOf(child) ?? adfToText(child))
    .join("");
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  const language = attrText(node, "language").replace(/[^\w+#.-]/g, "");
  return [`${fence}${language}`, ...code.split(/\r\n?|\n/), fence];
}

function quoted(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? ">" : `> ${line}`));
}

/** A box with a title, e.g. a panel, as a quote. */
function titled(title: string, node: AdfNode, depth: number): string[] {
  const name = escapeMarkdown(title.replace(/\s+/g, " ").trim());
  const head = name === "" ? [] : [`**${name}**`];
  const body = blocksOf(childrenOf(node), depth + 1);
  return quoted(head.length > 0 && body.length > 0 ? [...head, "", ...body] : [...head, ...body]);
}

function listLines(node: AdfNode, { depth, isOther }: Place): string[] {
  const lines: string[] = [];
  let number = Math.min(999_999, Math.max(0, Math.trunc(Number(node.attrs.order ?? 1)) || 0));
  for (const item of childrenOf(node)) {
    // Lists in task and decision lists stand beside the items that they belong to.
    const isNested = isList(item);
    const sign =
      node.type === "orderedList" ? `${number}${isOther ? ")" : "."}` : isOther ? "*" : bullet(depth);
    const body = isNested
      ? blockOf(item, { depth: depth + 1, isOther: false })
      : [...blocksOf(itemNodes(item), depth + 1)];
    const [first = "", ...rest] = body;
    const pad = " ".repeat(sign.length + 1);
    if (!isNested) lines.push(`${sign} ${itemMark(item, first === "")}${first}`.trimEnd());
    for (const line of isNested ? body : rest) lines.push(line === "" ? "" : `${pad}${line}`);
    if (!isNested) number += 1;
  }
  return lines;
}

/** An item's content. A task's and a decision's is inline, but a `blockTaskItem` has paragraphs. */
function itemNodes(item: AdfNode): AdfNode[] {
  return item.content.length === 0 && item.text !== "" ? [{ ...item, type: "text" }] : childrenOf(item);
}

/** Signs of lists inside each other differ, because `- - -` is a rule. */
const bullet = (depth: number): string => (depth % 2 === 0 ? "-" : "+");

/** The box of a task. An empty task has a sign instead, since Markdown has no box without text. */
function itemMark(item: AdfNode, isEmpty: boolean): string {
  const isDone = attrText(item, "state") === "DONE";
  if (/[tT]askItem$/.test(item.type)) {
    if (isEmpty) return isDone ? "☑" : "☐";
    return isDone ? "[x] " : "[ ] ";
  }
  return item.type === "decisionItem" ? "**Decision:** " : "";
}

/** A file with its caption. */
function mediaLines(node: AdfNode, place: Place): string[] {
  return blocksOf(childrenOf(node), place.depth);
}

/** A picture of another place is a link; one of the issue is named, since the issue lists its files. */
function mediaLine(node: AdfNode): string[] {
  const target = linkTarget(attrText(node, "url"));
  const name = escapeMarkdown((fileNameOf(node) || "file").replace(/\s+/g, " "));
  return [target === null ? `📎 ${name}` : `![${name}](${target})`];
}

function unknownLines(node: AdfNode, place: Place): string[] {
  const words = wordsOf(node);
  if (words !== null || node.content.length === 0) return paragraph([node]);
  return blocksOf(childrenOf(node), place.depth + 1);
}

/** The text of a block that is nested too deeply to have a form. */
function deepText(node: AdfNode): string[] {
  return adfToText(node)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `${escapeLineStart(escapeMarkdown(line.trim()))}  `);
}

import { escapeLineStart, escapeMarkdown, longestRun } from "#connectors/toolkit/markdown/escape-markdown.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { StoredBlock } from "../records.ts";
import type { BlockNode } from "./block-tree.ts";
import { tintOf } from "./colours.ts";
import { listOf, memberOf, membersOf, textOf } from "./members.ts";
import { plainText, richLine, richLines } from "./rich-text.ts";

/** Lists and quotes below this depth are blocks of their own; the renderer of the screens stops at 40. */
const DEEPEST = 12;
/** The renderer of the screens shows tables of at most 60 signs between cells. */
const MOST_COLUMNS = 50;

/** The name of a code block that Markdown's readers show as a formula (GitHub). */
const FORMULA = "math";

const LIST_ITEM = /^(?:bulleted_list_item|numbered_list_item|to_do)$/;

/** True for a block that stands in a list. */
export function isListItem({ block }: BlockNode): boolean {
  return LIST_ITEM.test(block.type);
}

/** The colour of a block as Notion names it. */
export function colourOf(block: StoredBlock): string {
  return textOf(memberOf(block, block.type), "color");
}

/** Whether Markdown can say a block with everything inside it. */
export function isMarkdown({ block, children }: BlockNode, depth = 0): boolean {
  const { type } = block;
  if (type === "code" || type === "equation" || type === "divider" || type === "paragraph")
    return children.length === 0;
  if (/^heading_[1-4]$/.test(type)) return children.length === 0 && !isToggle(block);
  if (!LIST_ITEM.test(type) && type !== "quote") return false;
  const isPlain = (child: BlockNode) => isMarkdown(child, depth + 1) && !isColoured(child.block);
  return depth < DEEPEST && children.every(isPlain);
}

/** Whether a block has another colour than the text around it. */
function isColoured(block: StoredBlock): boolean {
  return tintOf(colourOf(block)).tint !== undefined;
}

/** True for a heading that hides what is below it. */
export function isToggle(block: StoredBlock): boolean {
  return memberOf(block, block.type).is_toggleable === true;
}

/** Blocks as Markdown lines; `isMarkdown` is true for each. `start` = the number of a list that begins with the first. */
export function markdownLines(nodes: readonly BlockNode[], start = 1): string[] {
  const lines: string[] = [];
  let number = start;
  for (const [index, node] of nodes.entries()) {
    const before = nodes[index - 1];
    if (before?.block.type !== node.block.type) number = index === 0 ? start : firstNumber(node.block);
    // Items of one list stand close; other blocks need an empty line between them.
    if (before !== undefined && !(isListItem(before) && isListItem(node))) lines.push("");
    lines.push(...linesOf(node, number));
    number += 1;
  }
  return lines;
}

/** The number with which a numbered list begins. */
export function firstNumber(block: StoredBlock): number {
  const { list_start_index: start } = memberOf(block, block.type);
  return typeof start === "number" && Number.isInteger(start) && start >= 0
    ? Math.min(start, 999_999_999)
    : 1;
}

function linesOf(node: BlockNode, number: number): string[] {
  const { block, children } = node;
  const facts = memberOf(block, block.type);
  const text = () => richLines(listOf(facts, "rich_text"));
  switch (block.type) {
    case "bulleted_list_item":
      return itemLines("- ", text(), children);
    case "numbered_list_item":
      return itemLines(`${number}. `, text(), children);
    case "to_do":
      return itemLines(facts.checked === true ? "- [x] " : "- [ ] ", text(), children, 2);
    case "quote": {
      const inner = [...paragraphLines(text()), ...spaced(markdownLines(children))];
      return inner.map((line) => (line === "" ? ">" : `> ${line}`));
    }
    case "code":
      return fencedLines(plainText(listOf(facts, "rich_text")), languageOf(facts));
    case "equation":
      return fencedLines(textOf(facts, "expression"), FORMULA);
    case "divider":
      return ["***"];
    case "paragraph":
      return paragraphLines(text());
    default:
      return [headingLine(block)];
  }
}

function itemLines(
  sign: string,
  text: readonly string[],
  children: readonly BlockNode[],
  indent = sign.length,
): string[] {
  const [first = "", ...rest] = paragraphLines(text);
  const below = [...rest, ...itemBelow(children)];
  const pad = " ".repeat(indent);
  return [`${sign}${first}`.trimEnd(), ...below.map((line) => (line === "" ? "" : `${pad}${line}`))];
}

/** What stands in an item: a list follows its text at once. */
function itemBelow(children: readonly BlockNode[]): string[] {
  const lines = markdownLines(children);
  return children[0] !== undefined && !isListItem(children[0]) ? spaced(lines) : lines;
}

function spaced(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Lines of a paragraph, with its line breaks. */
export function paragraphLines(lines: readonly string[]): string[] {
  const last = lines.length - 1;
  return lines.map((line, index) => `${escapeLineStart(line)}${index < last ? "  " : ""}`);
}

/** A heading with its signs. Its text is one line. */
export function headingLine(block: StoredBlock): string {
  const level = Number(block.type.slice("heading_".length)) || 1;
  return `${"#".repeat(level)} ${richLine(listOf(memberOf(block, block.type), "rich_text"))}`.trimEnd();
}

/** The language of a code block. Code is never a formula. */
function languageOf(facts: Record<string, Json>): string {
  const name = textOf(facts, "language").replace(/[^\w+#.-]+/g, "-");
  return name === "plain-text" || name === FORMULA ? "" : name;
}

function fencedLines(text: string, name: string): string[] {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${name}`, ...text.split("\n"), fence];
}

/** A table of text. A Markdown table always has a header: one without it gets an empty one. */
export function tableLines({ block, children }: BlockNode): string[] {
  const rows = children.flatMap((child) => (child.block.type === "table_row" ? [cellsOf(child.block)] : []));
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return [];
  if (width > MOST_COLUMNS) return rows.map((row) => `${escapeLineStart(row.join(" "))}  `);
  const facts = membersOf(memberOf(block, "table"));
  const [head, body] = facts.has_column_header === true ? [rows[0]!, rows.slice(1)] : [[], rows];
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? "").join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(width)}`, ...body.map(line)];
}

function cellsOf(row: StoredBlock): string[] {
  return listOf(memberOf(row, "table_row"), "cells").map((cell) =>
    richLines(Array.isArray(cell) ? cell : [], true).join(" "),
  );
}

/** A link in Markdown; an address that must not be a link stays text. */
export function linkLine(words: string, address: string): string {
  return richLine([{ type: "text", plain_text: words || address, href: address, annotations: {} }]);
}

/** A name as one line of Markdown. */
export function nameLine(name: string): string {
  return escapeLineStart(escapeMarkdown(name.replace(/\s+/g, " ").trim()));
}

import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { PageCrumb } from "#connectors/contract/pages-view.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { StoredBlock } from "../records.ts";
import {
  colourOf,
  firstNumber,
  headingLine,
  isListItem,
  isMarkdown,
  isToggle,
  linkLine,
  markdownLines,
  nameLine,
  paragraphLines,
  tableLines,
} from "./block-markdown.ts";
import { type BlockNode, readBlocks } from "./block-tree.ts";
import { tintOf } from "./colours.ts";
import { absent, fileBlock, linked } from "./linked-blocks.ts";
import { listOf, memberOf, numberOf, textOf } from "./members.ts";
import { richLine, richLines } from "./rich-text.ts";
import type { Targets } from "./targets.ts";

/** What blocks need besides themselves. */
export type BlockIo = {
  snapshot: SnapshotView;
  targets: Targets;
  /** The way to the page, for its breadcrumbs. */
  crumbs: readonly PageCrumb[];
};

/** The page on which blocks stand. */
type Sheet = BlockIo & {
  /** All blocks at the top of the page. */
  roots: readonly BlockNode[];
  /** Inside the copy of a synced block. A copy in there would have no end. */
  isCopy: boolean;
};

/** The blocks of the page in this folder, from top to bottom. */
export async function blocksOf(io: BlockIo, home: string): Promise<PageBlock[]> {
  const { nodes, isCut } = await readBlocks(io.snapshot, home);
  const blocks = await shown({ ...io, roots: nodes, isCopy: false }, nodes);
  if (isCut) blocks.push(absent("The page is longer than what is shown here. The download has all of it."));
  return blocks;
}

/** Items of one list become one text; every other block stands by itself. */
async function shown(sheet: Sheet, nodes: readonly BlockNode[]): Promise<PageBlock[]> {
  const blocks: PageBlock[] = [];
  let number = 1;
  for (let at = 0; at < nodes.length; ) {
    const node = nodes[at]!;
    if (nodes[at - 1]?.block.type !== node.block.type) number = firstNumber(node.block);
    const run = listRun(nodes, at);
    if (run.length > 0) {
      blocks.push(textBlock(markdownLines(run, number), node.block));
      number += run.length;
      at += run.length;
      continue;
    }
    blocks.push(...(await shownOne(sheet, node, number)));
    number += 1;
    at += 1;
  }
  return blocks;
}

/** Items from a position on that Markdown can say as one list of one colour. */
function listRun(nodes: readonly BlockNode[], from: number): BlockNode[] {
  const first = nodes[from]!;
  if (!isListItem(first) || !isMarkdown(first)) return [];
  const colour = colourOf(first.block);
  const isOfRun = (node: BlockNode) =>
    node.block.type === first.block.type && isMarkdown(node) && colourOf(node.block) === colour;
  const end = nodes.findIndex((node, at) => at > from && !isOfRun(node));
  return nodes.slice(from, end < 0 ? nodes.length : end);
}

async function shownOne(sheet: Sheet, node: BlockNode, number: number): Promise<PageBlock[]> {
  const { block, children } = node;
  const facts = memberOf(block, block.type);
  const inside = () => shown(sheet, children);
  if (isMarkdown(node)) {
    const text = textBlock(markdownLines([node]), block);
    return [...filled(text), ...captionOf(facts)];
  }
  switch (block.type) {
    case "paragraph":
    case "bulleted_list_item":
    case "numbered_list_item":
    case "to_do":
    case "quote": {
      const text = textBlock(markdownLines([{ block, children: [] }], number), block);
      return [...filled(text), ...indented(await inside())];
    }
    case "heading_1":
    case "heading_2":
    case "heading_3":
    case "heading_4":
      if (!isToggle(block)) return [textBlock([headingLine(block)], block), ...indented(await inside())];
      return [toggle(headingLine(block), await inside(), block)];
    case "toggle":
    case "template":
      return [toggle(titleLine(block), await inside(), block)];
    case "callout": {
      const text = textBlock(paragraphLines(richLines(listOf(facts, "rich_text"))), block);
      const icon = textOf(facts.icon, "emoji") || null;
      const plain: PageBlock[] = text.text === "" ? [] : [{ type: "text", text: text.text }];
      const blocks = [...plain, ...(await inside())];
      return [{ type: "inset", look: "box", icon, blocks, ...tintOf(colourOf(block)) }];
    }
    case "column_list":
      return await columns(sheet, children);
    case "column":
    case "synced_block":
      return children.length > 0 ? await inside() : await copied(sheet, block);
    case "tab":
      return await Promise.all(
        children.map(async (tab) =>
          toggle(titleLine(tab.block), await shown(sheet, tab.children), tab.block),
        ),
      );
    case "table":
      return filled(textBlock(tableLines(node), block));
    case "table_of_contents":
      return filled(textBlock(contentsLines(sheet.roots), block));
    case "breadcrumb":
      return filled(textBlock([sheet.crumbs.map(({ title }) => nameLine(title)).join(" / ")], block));
    case "child_page":
    case "child_database":
    case "link_to_page":
      return await linked(sheet, block);
    case "image":
    case "video":
    case "pdf":
    case "file":
    case "audio":
      return [await fileBlock(sheet.snapshot, block), ...captionOf(facts)];
    case "bookmark":
      return [textBlock([linkLine("", textOf(facts, "url"))], block), ...captionOf(facts)];
    case "embed":
    case "link_preview":
      return [
        absent(
          "Notion shows something of another site here. It hands out the address only.",
          textOf(facts, "url"),
        ),
        ...captionOf(facts),
      ];
    case "meeting_notes":
    case "transcription": {
      const title = richLine(listOf(facts, "title")) || "Meeting notes";
      return [toggle(title, await inside(), block)];
    }
    case "unsupported": {
      const kind = textOf(facts, "block_type").replaceAll("_", " ");
      const what = kind === "" ? "A block" : `A block of the type “${kind}”`;
      return [absent(`${what} stood here. Notion does not hand out its content.`)];
    }
    default:
      return await unknown(sheet, node);
  }
}

/** A block of a type that came later: its text, and what is inside it. */
async function unknown(sheet: Sheet, { block, children }: BlockNode): Promise<PageBlock[]> {
  const text = textBlock(paragraphLines(richLines(listOf(memberOf(block, block.type), "rich_text"))), block);
  const inside = await shown(sheet, children);
  if (text.text !== "" || inside.length > 0) return [...filled(text), ...indented(inside)];
  const kind = block.type.replaceAll("_", " ");
  return [absent(`A block of the type “${kind}” stood here. It is stored, but this page cannot show it.`)];
}

function textBlock(lines: readonly string[], block: StoredBlock): Extract<PageBlock, { type: "text" }> {
  return { type: "text", text: lines.join("\n"), ...tintOf(colourOf(block)) };
}

/** Empty paragraphs only make room. */
function filled(block: Extract<PageBlock, { type: "text" }>): PageBlock[] {
  return block.text.trim() === "" ? [] : [block];
}

function indented(blocks: PageBlock[]): PageBlock[] {
  return blocks.length === 0 ? [] : [{ type: "inset", look: "indent", icon: null, blocks }];
}

function toggle(title: string, blocks: PageBlock[], block: StoredBlock): PageBlock {
  return { type: "toggle", title, blocks, ...tintOf(colourOf(block)) };
}

function titleLine(block: StoredBlock): string {
  return richLine(listOf(memberOf(block, block.type), "rich_text"));
}

function captionOf(facts: Parameters<typeof listOf>[0]): PageBlock[] {
  const lines = paragraphLines(richLines(listOf(facts, "caption")));
  return lines.length === 0 ? [] : [{ type: "text", text: lines.join("\n") }];
}

async function columns(sheet: Sheet, children: readonly BlockNode[]): Promise<PageBlock[]> {
  if (children.length === 0) return [];
  const all = await Promise.all(
    children.map(async (column) => ({
      // A column without a ratio has its even share (`ColumnResponse`).
      share: numberOf(memberOf(column.block, "column"), "width_ratio") ?? 1 / children.length,
      blocks: await shown(sheet, column.children),
    })),
  );
  return [{ type: "columns", columns: all }];
}

/** A copy of a synced block without content of its own: the original, if it stands on the same page. */
async function copied(sheet: Sheet, block: StoredBlock): Promise<PageBlock[]> {
  const id = textOf(memberOf(block, "synced_block").synced_from, "block_id");
  if (id === "") return [];
  const original = sheet.isCopy ? null : findNode(sheet.roots, id);
  if (original !== null) return await shown({ ...sheet, isCopy: true }, original.children);
  return [absent("A copy of a synced block stood here. Its original is in another place of the workspace.")];
}

function findNode(nodes: readonly BlockNode[], id: string): BlockNode | null {
  for (const node of nodes) {
    const found = node.block.id === id ? node : findNode(node.children, id);
    if (found !== null) return found;
  }
  return null;
}

/** The headings of the page as a nested list. A heading is at most one level below the one before it. */
function contentsLines(nodes: readonly BlockNode[]): string[] {
  let depth = -1;
  return headingsIn(nodes).map(({ level, title }) => {
    depth = Math.min(level - 1, depth + 1);
    return `${"  ".repeat(depth)}- ${title}`;
  });
}

function headingsIn(nodes: readonly BlockNode[]): { level: number; title: string }[] {
  return nodes.flatMap(({ block, children }) => {
    const level = Number(/^heading_([1-4])$/.exec(block.type)?.[1]);
    const title = titleLine(block);
    const own = Number.isNaN(level) || title === "" ? [] : [{ level, title }];
    return [...own, ...headingsIn(children)];
  });
}

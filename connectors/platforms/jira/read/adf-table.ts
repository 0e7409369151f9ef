import { escapeLineStart, escapeMarkdown } from "#connectors/toolkit/markdown/escape-markdown.ts";
import { inlineLines } from "./adf-inline.ts";
import { type AdfNode, childrenOf } from "./adf-node.ts";
import { adfToText } from "./adf-text.ts";

/** The renderer of the screens shows tables of at most 60 signs between cells. */
const MOST_COLUMNS = 50;
type Cell = { text: string; isHeader: boolean };

/**
 * A table in GitHub's form. A Markdown table has one line per row and always a header, so blocks of a cell stand behind
 * each other, merged cells are followed by empty ones, and a table without a header gets an empty one.
 */
export function tableLines(table: AdfNode): string[] {
  const rows = gridOf(table);
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return [];
  if (width > MOST_COLUMNS)
    return rows.map((row) => `${escapeLineStart(row.map(({ text }) => text).join(" "))}  `);
  const hasHead = rows[0]!.length > 0 && rows[0]!.every(({ isHeader }) => isHeader);
  const head = hasHead ? rows[0]!.map(({ text }) => text) : [];
  const body = hasHead ? rows.slice(1) : rows;
  const lineOf = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? "").join(" | ")} |`;
  return [
    lineOf(head),
    `|${" --- |".repeat(width)}`,
    ...body.map((row) => lineOf(row.map(({ text, isHeader }) => (isHeader ? strong(text) : text)))),
  ];
}

/** Rows of cells, with an empty cell wherever another one reaches to. */
function gridOf(table: AdfNode): Cell[][] {
  /** Rows that a cell from above still covers, by column. */
  const covered: number[] = [];
  return childrenOf(table).map((row) => {
    const cells: Cell[] = [];
    const skip = () => {
      while ((covered[cells.length] ?? 0) > 0) {
        covered[cells.length]! -= 1;
        cells.push({ text: "", isHeader: false });
      }
    };
    for (const cell of childrenOf(row)) {
      skip();
      const [columns, rows] = [spanOf(cell, "colspan"), spanOf(cell, "rowspan")];
      for (let at = 0; at < columns; at += 1) {
        covered[cells.length] = rows - 1;
        cells.push({ text: at === 0 ? cellText(cell) : "", isHeader: cell.type === "tableHeader" });
      }
    }
    skip();
    return cells;
  });
}

function spanOf({ attrs }: AdfNode, name: string): number {
  const span = Math.trunc(Number(attrs[name] ?? 1));
  return Number.isFinite(span) ? Math.min(MOST_COLUMNS, Math.max(1, span)) : 1;
}

/** One line: paragraphs keep their marks, other blocks their text. */
function cellText(cell: AdfNode): string {
  return childrenOf(cell)
    .flatMap((block) =>
      block.type === "paragraph" || block.type === "text"
        ? [inlineLines(block.type === "text" ? [block] : childrenOf(block), true).join(" ")]
        : [escapeMarkdown(adfToText(block).replace(/\s+/g, " "))],
    )
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join(" ");
}

/** Bold, unless the text has marks of its own. */
function strong(text: string): string {
  return text === "" || /[*_~`\\[]/.test(text) ? text : `**${text}**`;
}

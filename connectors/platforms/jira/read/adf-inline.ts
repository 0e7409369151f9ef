import { lineBreaks, type Marks, PLAIN, type Run, runLines } from "#connectors/toolkit/markdown/run-lines.ts";
import { type AdfNode, addressOf, attrText, childrenOf, wordsOf } from "./adf-node.ts";
import { adfToText } from "./adf-text.ts";

/** Deeper nesting only occurs in attacks on parsers. */
const DEEPEST = 30;

/**
 * The inline content of a node as Markdown. Marks that Markdown does not have (underline, colours, alignment) leave
 * their text; a raised or lowered number becomes its own letters.
 *
 * @param isCell In a table's cell, where a sign between cells ends a code span
 * @returns Lines of one paragraph
 */
export function inlineLines(nodes: readonly AdfNode[], isCell = false): string[] {
  return runLines(
    nodes.flatMap((node) => runsOf(node, 0)),
    isCell,
  );
}

function runsOf(node: AdfNode, depth: number): Run[] {
  if (node.type === "hardBreak") return [{ text: "\n", marks: PLAIN }];
  const words = wordsOf(node);
  if (words === null)
    return depth > DEEPEST
      ? [{ text: adfToText(node), marks: PLAIN }]
      : childrenOf(node).flatMap((child) => runsOf(child, depth + 1));
  const marks = marksOf(node);
  if (node.type === "status") return [{ text: words, marks: { ...marks, code: true } }];
  const isCard = /Card$/.test(node.type);
  return [{ text: lineBreaks(words), marks: isCard ? { ...marks, href: addressOf(node) } : marks }];
}

function marksOf({ marks }: AdfNode): Marks {
  const found = { ...PLAIN };
  for (const mark of marks) {
    if (mark.type === "code" || mark.type === "strong" || mark.type === "em" || mark.type === "strike")
      found[mark.type] = true;
    if (mark.type === "subsup") found.subsup = attrText(mark, "type");
    if (mark.type === "link") found.href = attrText(mark, "href");
  }
  return found;
}

import { type AdfNode, nodeOf, wordsOf } from "./adf-node.ts";

/** Longer texts are cut. Jira's own fields end at 32,767 characters. */
const LONGEST = 200_000;
/** Nodes behind which a line ends. */
const LINES =
  /^(paragraph|heading|codeBlock|rule|hardBreak|taskItem|blockTaskItem|decisionItem|tableRow|caption|media|blockCard|embedCard|extension)$/;
/** Nodes behind which a space stands. */
const CELLS = /^(tableCell|tableHeader)$/;

type Step = { node: AdfNode } | { text: string };

/** The words of a document without its form, for search, tables and comparisons. Walks without recursion. */
export function adfToText(document: unknown): string {
  const root = nodeOf(document);
  if (root === null) return "";
  const parts: string[] = [];
  let length = 0;
  const steps: Step[] = [{ node: root }];
  for (let step = steps.pop(); step !== undefined && length <= LONGEST; step = steps.pop()) {
    const text = "text" in step ? step.text : open(step.node, steps);
    parts.push(text);
    length += text.length;
  }
  const text = parts
    .join("")
    .replace(/(?<![ \t])[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}

/** Returns the words of a node and puts its children on the stack. */
function open(node: AdfNode, steps: Step[]): string {
  const words = wordsOf(node);
  const end = LINES.test(node.type) ? "\n" : CELLS.test(node.type) ? " " : "";
  if (words !== null) return `${words}${end}`;
  if (end !== "") steps.push({ text: end });
  for (const child of node.content.toReversed()) {
    const next = nodeOf(child);
    if (next !== null) steps.push({ node: next });
  }
  const title = node.type === "expand" || node.type === "nestedExpand" ? node.attrs.title : null;
  return typeof title === "string" && title !== "" ? `${title}\n` : "";
}

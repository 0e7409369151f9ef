import type { Fields } from "../state.ts";
import { LANGUAGES } from "./block-types.ts";
import { markdownText } from "./markdown-text.ts";
import type { BlockTree } from "./read-blocks.ts";

const LINES: [RegExp, string, Fields][] = [
  [/^# (.*)$/, "heading_1", { is_toggleable: false, color: "default" }],
  [/^## (.*)$/, "heading_2", { is_toggleable: false, color: "default" }],
  [/^### (.*)$/, "heading_3", { is_toggleable: false, color: "default" }],
  [/^#### (.*)$/, "heading_4", { is_toggleable: false, color: "default" }],
  [/^- \[ \] (.*)$/, "to_do", { checked: false, color: "default" }],
  [/^- \[x\] (.*)$/, "to_do", { checked: true, color: "default" }],
  [/^- (.*)$/, "bulleted_list_item", { color: "default" }],
  [/^\d+\. (.*)$/, "numbered_list_item", { color: "default" }],
  [/^> (.*)$/, "quote", { color: "default" }],
];

/**
 * The blocks of a Markdown text: headings, lists, quotes, code, dividers and paragraphs, one a line; a tab before a line
 * puts it below the block above. Blank lines only part blocks. Evidence: the recorded writes of Markdown.
 */
export function readMarkdown(markdown: string): BlockTree[] {
  const roots: BlockTree[] = [];
  const open: BlockTree[] = [];
  const lines = markdown.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (line.trim() === "") continue;
    const depth = Math.min(/^\t*/.exec(line)![0].length, open.length);
    const fence = /^```([a-z+#/ ]*)$/.exec(line.slice(depth));
    let block: BlockTree;
    if (fence) {
      const end = lines.findIndex((each, at) => at > index && each.trim() === "```");
      const code = lines.slice(index + 1, end < 0 ? lines.length : end);
      block = codeOf(fence[1]!, code.join("\n"));
      index = end < 0 ? lines.length : end;
    } else block = blockOf(line.slice(depth));
    const siblings = depth === 0 ? roots : open[depth - 1]!.children;
    siblings.push(block);
    open.splice(depth, open.length, block);
  }
  return roots;
}

function blockOf(line: string): BlockTree {
  if (/^---+$/.test(line)) return { type: "divider", payload: {}, children: [] };
  for (const [pattern, type, payload] of LINES) {
    const found = pattern.exec(line);
    if (found) return { type, payload: { rich_text: markdownText(found[1]!), ...payload }, children: [] };
  }
  return {
    type: "paragraph",
    payload: { rich_text: markdownText(line), icon: null, color: "default" },
    children: [],
  };
}

function codeOf(name: string, text: string): BlockTree {
  const language = LANGUAGES.includes(name) ? name : "plain text";
  return { type: "code", payload: { rich_text: markdownText(text), caption: [], language }, children: [] };
}

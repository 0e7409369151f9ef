import type { Json } from "#core/kernel/canonical-json.ts";
import type { Adf } from "../record-types.ts";

/** A node of an ADF document. */
export type AdfNode = {
  type: string;
  text?: string;
  attrs?: Record<string, Json>;
  marks?: AdfNode[];
  content?: AdfNode[];
  [name: string]: unknown;
};

/** Replaces every node of a document from the inside out; a node becomes any number of nodes. */
export function mapNodes(doc: Adf, rule: (node: AdfNode) => AdfNode[]): Adf {
  return { ...doc, content: mapList(doc.content as AdfNode[], rule) as Adf["content"] };
}

function mapList(nodes: readonly AdfNode[], rule: (node: AdfNode) => AdfNode[]): AdfNode[] {
  return nodes.flatMap((node) =>
    rule(Array.isArray(node.content) ? { ...node, content: mapList(node.content, rule) } : node),
  );
}

/** Yields every node of a document, a parent before its children. */
export function* nodesOf(doc: Adf | AdfNode): Generator<AdfNode> {
  for (const node of (doc.content ?? []) as AdfNode[]) {
    yield node;
    yield* nodesOf(node);
  }
}

/** The text of a document without its form. Two documents that read the same give the same text. */
export function textOf(doc: Adf | null): string {
  if (doc === null) return "";
  const words: string[] = [];
  for (const { type, text, attrs } of nodesOf(doc)) {
    if (type === "text") words.push(text ?? "");
    else if (typeof attrs?.url === "string") words.push(attrs.url);
    else if (type === "mention" && typeof attrs?.text === "string") words.push(attrs.text);
  }
  return words.join("");
}

/** A paragraph of texts; a text in bold is `{ bold: "…" }`. */
export function paragraph(...parts: readonly (string | { bold: string })[]): AdfNode {
  const content = parts
    .filter((part) => part !== "")
    .map(
      (part): AdfNode =>
        typeof part === "string"
          ? { type: "text", text: part }
          : { type: "text", text: part.bold, marks: [{ type: "strong" }] },
    );
  return { type: "paragraph", content };
}

/** A document of blocks. */
export function docOf(blocks: readonly AdfNode[]): Adf {
  return { type: "doc", version: 1, content: blocks as unknown as Adf["content"] };
}

/** A node of Atlassian Document Format, as far as its form is certain: documents are foreign data. */
export type AdfNode = {
  type: string;
  text: string;
  attrs: Readonly<Record<string, unknown>>;
  marks: readonly AdfMark[];
  content: readonly unknown[];
};
type AdfMark = { type: string; attrs: Readonly<Record<string, unknown>> };

/** Reads a value as a node; null = it is none. */
export function nodeOf(value: unknown): AdfNode | null {
  if (!isObject(value)) return null;
  const { type, text, attrs, marks, content } = value;
  return {
    type: typeof type === "string" ? type : "",
    text: typeof text === "string" ? text : "",
    attrs: isObject(attrs) ? attrs : {},
    marks: Array.isArray(marks) ? marks.filter(isObject).map(markOf) : [],
    content: Array.isArray(content) ? content : [],
  };
}

/** The children of a node. */
export function childrenOf({ content }: AdfNode): AdfNode[] {
  return content.flatMap((value) => nodeOf(value) ?? []);
}

/** An attribute as text; empty = absent. */
export function attrText({ attrs }: { attrs: AdfNode["attrs"] }, name: string): string {
  const value = attrs[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The words of a node that has no text of its own, such as a mention or a date; null = it has none. */
export function wordsOf(node: AdfNode): string | null {
  switch (node.type) {
    case "text":
      return node.text;
    case "mention":
      return attrText(node, "text") || "@somebody";
    case "emoji":
      return attrText(node, "text") || attrText(node, "shortName");
    case "date":
      return dateOf(attrText(node, "timestamp"));
    case "status":
    case "placeholder":
      return attrText(node, "text");
    case "inlineCard":
    case "blockCard":
    case "embedCard":
      return addressOf(node) || titleOfCard(node);
    case "media":
    case "mediaInline":
      return fileNameOf(node) || (attrText(node, "url") === "" ? "a file" : attrText(node, "url"));
    case "inlineExtension":
    case "extension":
      return `[${attrText(node, "text") || `App content: ${attrText(node, "extensionKey") || "unnamed"}`}]`;
    case "syncBlock":
      return "[Content of another page]";
    default:
      return node.content.length > 0 || isStructure(node.type) ? null : node.text || ownWords(node);
  }
}

/** The name of the file that a media node shows; empty = unknown. Jira puts it into `alt` or `__fileName`. */
export function fileNameOf(node: AdfNode): string {
  return attrText(node, "__fileName") || attrText(node, "alt");
}

/** The address of a card; empty = none. */
export function addressOf(node: AdfNode): string {
  const { data } = node.attrs;
  return attrText(node, "url") || (isObject(data) && typeof data.url === "string" ? data.url : "");
}

/** Nodes that may be empty without losing anything. */
const STRUCTURE =
  /^(doc|paragraph|heading|hardBreak|rule|.*(List|Item|Row|Cell|Header|Section|Column|Group|Single|Block)|table|blockquote|panel|expand|nestedExpand|caption|bodiedExtension)$/;
const isStructure = (type: string): boolean => STRUCTURE.test(type);

function titleOfCard({ attrs: { data } }: AdfNode): string {
  return isObject(data) && typeof data.name === "string" ? data.name : "a link";
}

/** The text of an unknown node. */
function ownWords(node: AdfNode): string {
  const words = attrText(node, "text") || attrText(node, "title") || attrText(node, "url");
  return words || (node.type === "" ? "" : `[${node.type}]`);
}

/** A day in milliseconds becomes `2026-11-20`; anything else stays. */
function dateOf(timestamp: string): string {
  const at = new Date(timestamp === "" ? Number.NaN : Number(timestamp));
  return Number.isNaN(at.getTime()) ? timestamp : at.toISOString().slice(0, 10);
}

function markOf(value: Record<string, unknown>): AdfMark {
  const { type, attrs } = value;
  return { type: typeof type === "string" ? type : "", attrs: isObject(attrs) ? attrs : {} };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

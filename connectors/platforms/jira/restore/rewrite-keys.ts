import type { Adf } from "../record-types.ts";
import { type AdfNode, mapNodes, nodesOf } from "./adf-nodes.ts";

/** The backed-up project, whose keys texts mention. */
export type KeySource = { projectKey: string; siteUrl: string };

/** Old keys that a document mentions in words, links or smart cards, outside code. */
export function keysIn(doc: Adf | null, source: KeySource): Set<string> {
  const found = new Set<string>();
  const collect = (key: string) => {
    found.add(key);
    return key;
  };
  if (doc !== null) rewriteDoc(doc, source, collect);
  return found;
}

/**
 * Puts new keys in the place of old ones: in words (`OPS-12`), in addresses of issues on the site, and in smart cards.
 * Leaves code, other addresses and keys without a new one as they are.
 */
export function rewriteKeys(doc: Adf, source: KeySource, newKeys: ReadonlyMap<string, string>): Adf {
  if (newKeys.size === 0) return doc;
  return rewriteDoc(doc, source, (key) => newKeys.get(key) ?? key);
}

/** The expressions that find keys in words and in addresses. */
export function keyPatterns(source: KeySource): [words: RegExp, addresses: RegExp] {
  return [wordPattern(source.projectKey), addressPattern(source)];
}

type NewKey = (key: string) => string;

function rewriteDoc(doc: Adf, source: KeySource, newKey: NewKey): Adf {
  const [words, addresses] = keyPatterns(source);
  const inAddress = (url: string) =>
    url.replace(addresses, (_, head: string, key: string) => `${head}${newKey(key)}`);
  const inText = (text: string) => inAddress(text).replace(words, (key) => newKey(key));
  const code = new Set<unknown>();
  for (const node of nodesOf(doc))
    if (node.type === "codeBlock") for (const child of node.content ?? []) code.add(child);
  return mapNodes(doc, (node): AdfNode[] => {
    if (code.has(node)) return [node];
    const changed = { ...node };
    if (typeof node.text === "string" && !isCode(node)) changed.text = inText(node.text);
    if (typeof node.attrs?.url === "string")
      changed.attrs = { ...node.attrs, url: inAddress(node.attrs.url) };
    if (node.marks) changed.marks = node.marks.map((mark) => withAddress(mark, inAddress));
    return [changed];
  });
}

const isCode = ({ marks = [] }: AdfNode) => marks.some(({ type }) => type === "code");

function withAddress(mark: AdfNode, inAddress: (url: string) => string): AdfNode {
  const href = mark.attrs?.href;
  return typeof href === "string" ? { ...mark, attrs: { ...mark.attrs, href: inAddress(href) } } : mark;
}

/** A key as a word of its own: not part of a longer word, a branch name, a path or a query. */
function wordPattern(projectKey: string): RegExp {
  return new RegExp(String.raw`(?<![\w/=.-])${escaped(projectKey)}-[1-9]\d*(?![\w-])`, "g");
}

/** The pages of an issue on the site: `…/browse/OPS-12` and `…?selectedIssue=OPS-12`. */
function addressPattern({ projectKey, siteUrl }: KeySource): RegExp {
  const page = String.raw`(${escaped(siteUrl)}/(?:browse/|[^\s"]{0,500}[?&]selectedIssue=))`;
  return new RegExp(String.raw`${page}(${escaped(projectKey)}-[1-9]\d*)(?![\w-])`, "g");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

import type { FileNode, FileTree } from "#connectors/contract/file-tree.ts";
import { mediaTypeOfImage, readStart, textOf } from "#core/browsing/index.ts";
import type { TreeState } from "./compare-trees.ts";
import { diffText, wholeText } from "./diff-text.ts";
import { LONGEST_TEXT } from "./limits.ts";
import type { FileComparison, FileSide } from "./views.ts";

/** Longest link target that is read, in bytes. */
const LONGEST_TARGET = 4_096;

/**
 * How a file differs between two states: text line by line, anything else by its type. Files too large to show are not
 * read. Null when neither state has a file at this path.
 */
export async function compareFile(
  before: TreeState,
  after: TreeState,
  path: string,
): Promise<FileComparison | null> {
  const [old, young] = [await openSide(before, path), await openSide(after, path)];
  if (old === null && young === null) return null;
  return {
    path,
    change: old === null ? "added" : young === null ? "removed" : "changed",
    before: old?.facts ?? null,
    after: young?.facts ?? null,
    body: await compareBodies(old, young),
  };
}

type Side = { tree: FileTree; node: FileNode; facts: FileSide };

async function openSide({ tree, id }: TreeState, path: string): Promise<Side | null> {
  const node = await tree.find(id, path);
  if (node === null || node.kind === "folder") return null;
  const sizeBytes = node.kind === "submodule" ? 0 : await tree.sizeOf(node.id);
  return { tree, node, facts: { kind: node.kind, isExecutable: node.isExecutable, sizeBytes } };
}

async function compareBodies(old: Side | null, young: Side | null): Promise<FileComparison["body"]> {
  const sides = [old, young].filter((side) => side !== null);
  if (sides.some(({ facts }) => facts.kind !== "file"))
    return { type: "target", before: old && (await targetOf(old)), after: young && (await targetOf(young)) };
  if (old?.node.id === young?.node.id) return { type: "same" };
  if (sides.some(({ facts }) => facts.sizeBytes > LONGEST_TEXT)) return { type: "large" };
  const [left, right] = [old && (await readText(old)), young && (await readText(young))];
  if ((old && left === null) || (young && right === null)) return { type: "binary" };
  if (left !== null && right !== null) return { type: "text", difference: diffText(left, right) };
  return {
    type: "text",
    difference: left === null ? wholeText(right ?? "", "added") : wholeText(left, "removed"),
  };
}

/** The target of a link or the commit of a submodule; null for a regular file. */
async function targetOf({ tree, node }: Side): Promise<string | null> {
  if (node.kind === "submodule") return node.id;
  if (node.kind !== "link") return null;
  return new TextDecoder().decode(await readStart(tree.read(node.id), LONGEST_TARGET));
}

async function readText({ tree, node }: Side): Promise<string | null> {
  const bytes = await readStart(tree.read(node.id), LONGEST_TEXT);
  return mediaTypeOfImage(bytes) === null ? textOf(bytes, false) : null;
}

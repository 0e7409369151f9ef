import type { FileNode, FileTree, FileTreeRef } from "#connectors/contract/file-tree.ts";
import { readStart, textOf } from "#core/browsing/index.ts";
import type { ViewerCatalogue, ViewerFiles } from "./data.ts";
import { LONGEST_TEXT, MOST_COMMITS, MOST_NODES, MOST_REFS } from "./limits.ts";

const README = /^readme(\.(md|markdown|txt))?$/i;
const MARKDOWN = /\.(md|markdown)$/i;

/** Describes a tree: its branches, last commits, root folder and README. The files themselves are elsewhere in the ZIP. */
export async function describeFiles(tree: FileTree): Promise<Pick<ViewerCatalogue, "files" | "obstacle">> {
  const ref = tree.refs.find(({ isDefault }) => isDefault) ?? tree.refs[0];
  const summary: ViewerFiles = {
    ref: ref?.label,
    refs: tree.refs.slice(0, MOST_REFS).map(({ label, kind, id }) => ({ label, kind, id: id.slice(0, 12) })),
    refCount: tree.refs.length,
    commits: [],
    nodes: [],
    nodeCount: 0,
  };
  if (tree.obstacle !== null) return { files: summary, obstacle: tree.obstacle };
  if (ref === undefined) return { files: summary };
  const root = await tree.find(ref.id, "");
  if (root?.kind !== "folder") return { files: summary };
  const nodes = await tree.list(root.id);
  summary.nodes = nodes.slice(0, MOST_NODES).map(({ name, kind }) => ({ name, kind }));
  summary.nodeCount = nodes.length;
  summary.commits = await lastCommits(tree, ref);
  summary.readme = await readReadme(tree, nodes);
  return { files: summary };
}

async function lastCommits(tree: FileTree, ref: FileTreeRef): Promise<ViewerFiles["commits"]> {
  const commits: ViewerFiles["commits"] = [];
  for await (const { id, title, author, at } of tree.history(ref.id)) {
    commits.push({ id: id.slice(0, 12), title, author, at });
    if (commits.length === MOST_COMMITS) break;
  }
  return commits;
}

/** Reads the README, or the first Markdown file if there is none. */
async function readReadme(tree: FileTree, nodes: readonly FileNode[]): Promise<ViewerFiles["readme"]> {
  const files = nodes.filter(({ kind }) => kind === "file");
  const node =
    files.find(({ name }) => README.test(name)) ?? files.find(({ name }) => MARKDOWN.test(name)) ?? null;
  if (node === null) return undefined;
  const text = textOf(await readStart(tree.read(node.id), LONGEST_TEXT), true);
  return text === null ? undefined : { name: node.name, text };
}

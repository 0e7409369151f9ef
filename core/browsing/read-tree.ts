import type { FileNode, FileTree, FileTreeRef } from "#connectors/contract/file-tree.ts";
import { AppError } from "#core/kernel/app-error.ts";
import {
  LARGEST_IMAGE_BYTES,
  MOST_NODES,
  MOST_REFS,
  MOST_SIZES,
  SHOWN_TEXT_BYTES,
  SIZES_AT_ONCE,
} from "./limits.ts";
import { mediaTypeOfImage } from "./media-type.ts";
import { readView, type Viewed } from "./open-view.ts";
import type { FileBody, RefRow, TreePage } from "./views.ts";

/** A path in a tree. Null = the first view, or its default ref. */
export type TreeAddress = { viewId: string | null; ref: string | null; path: string };

const LAST_COMMITS = 5;
const HEAD_BYTES = 32;

/**
 * The folder or file at an address.
 *
 * @throws AppError `err.not.found`, `err.version.unreadable`
 */
export async function readTreePage(open: Viewed, { viewId, ref, path }: TreeAddress): Promise<TreePage> {
  return await readView(open, { kind: "files", id: viewId }, async (tree, view) => {
    const chosen = chooseRef(tree, ref);
    const page: TreePage = {
      view,
      obstacle: tree.obstacle,
      refs: offeredRefs(tree, chosen).map(toRefRow),
      refCount: tree.refs.length,
      ref: chosen && toRefRow(chosen),
      path,
      commits: [],
      at: null,
    };
    if (tree.obstacle !== null || chosen === null) return page;
    const node = await findNode(tree, chosen, path);
    if (node.kind === "folder") {
      const nodes = await tree.list(node.id);
      if (path === "") page.commits = await lastCommits(tree, chosen);
      const rows = nodes
        .slice(0, MOST_NODES)
        .map(({ name, kind, isExecutable }) => ({ name, kind, isExecutable }));
      return { ...page, at: { type: "folder", nodes: rows, nodeCount: nodes.length } };
    }
    if (node.kind === "submodule") throw new AppError("err.not.found");
    const sizeBytes = await tree.sizeOf(node.id);
    const name = node.name || (chosen.label.split("/").at(-1) ?? chosen.label);
    return { ...page, at: { type: "file", name, sizeBytes, body: await readBody(tree, node, sizeBytes) } };
  });
}

/**
 * The sizes in bytes of the first files of a folder, by name. A folder's list does not contain them: each is read from
 * its object, so a page asks for them after it is shown.
 *
 * @throws AppError `err.not.found`, `err.version.unreadable`
 */
export async function readFileSizes(
  open: Viewed,
  { viewId, ref, path }: TreeAddress,
): Promise<{ name: string; sizeBytes: number }[]> {
  return await readView(open, { kind: "files", id: viewId }, async (tree) => {
    const chosen = chooseRef(tree, ref);
    if (tree.obstacle !== null || chosen === null) return [];
    const node = await findNode(tree, chosen, path);
    if (node.kind !== "folder") throw new AppError("err.not.found");
    const files = (await tree.list(node.id)).filter(({ kind }) => kind === "file").slice(0, MOST_SIZES);
    const sizes: { name: string; sizeBytes: number }[] = [];
    for (let at = 0; at < files.length; at += SIZES_AT_ONCE) {
      const group = files.slice(at, at + SIZES_AT_ONCE);
      const read = async ({ name, id }: FileNode) => ({ name, sizeBytes: await tree.sizeOf(id) });
      sizes.push(...(await Promise.all(group.map(read))));
    }
    return sizes;
  });
}

/** Opens a file of a tree for streaming. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function openTreeFile(
  open: Viewed,
  address: TreeAddress,
): Promise<{ name: string; sizeBytes: number; read: () => AsyncIterable<Uint8Array> }> {
  return await readView(open, { kind: "files", id: address.viewId }, async (tree) => {
    const ref = chooseRef(tree, address.ref);
    if (!ref) throw new AppError("err.not.found");
    if (tree.obstacle !== null) throw new AppError("err.version.unreadable", { message: tree.obstacle });
    const node = await findNode(tree, ref, address.path);
    if (node.kind === "folder" || node.kind === "submodule") throw new AppError("err.not.found");
    const name = node.name || (ref.label.split("/").at(-1) ?? "file");
    return { name, sizeBytes: await tree.sizeOf(node.id), read: () => tree.read(node.id) };
  });
}

/** Looks the name up in the version's own list, so no other state can be requested. */
function chooseRef(tree: FileTree, name: string | null): FileTreeRef | null {
  if (name !== null) {
    const ref = tree.refs.find((each) => each.name === name);
    if (!ref) throw new AppError("err.not.found");
    return ref;
  }
  return tree.refs.find(({ isDefault }) => isDefault) ?? tree.refs[0] ?? null;
}

async function findNode(tree: FileTree, ref: FileTreeRef, path: string): Promise<FileNode> {
  const node = await tree.find(ref.id, path);
  if (node === null) throw new AppError("err.not.found");
  return node;
}

function toRefRow({ name, label, kind, isDefault }: FileTreeRef): RefRow {
  return { name, label, kind, isDefault };
}

/** Branches and tags before the heads of pull requests. The chosen ref is always included. */
function offeredRefs(tree: FileTree, chosen: FileTreeRef | null): FileTreeRef[] {
  const rank = { branch: 0, tag: 1, other: 2, note: 3, request: 4 };
  const sorted = [...tree.refs].sort(
    (a, b) => Number(b.isDefault) - Number(a.isDefault) || rank[a.kind] - rank[b.kind],
  );
  const offered = sorted.slice(0, MOST_REFS);
  return chosen === null || offered.includes(chosen) ? offered : [chosen, ...offered];
}

async function lastCommits(tree: FileTree, ref: FileTreeRef): Promise<TreePage["commits"]> {
  const commits: TreePage["commits"] = [];
  for await (const { id, title, author, at } of tree.history(ref.id)) {
    commits.push({ id, title, author, at });
    if (commits.length === LAST_COMMITS) break;
  }
  return commits;
}

async function readBody(tree: FileTree, node: FileNode, sizeBytes: number): Promise<FileBody> {
  const bytes = await readStart(tree.read(node.id), SHOWN_TEXT_BYTES);
  if (node.kind === "link")
    return { type: "link", target: new TextDecoder().decode(bytes.subarray(0, 4_096)) };
  const mediaType = mediaTypeOfImage(bytes.subarray(0, HEAD_BYTES));
  if (mediaType !== null)
    return sizeBytes > LARGEST_IMAGE_BYTES ? { type: "binary" } : { type: "image", mediaType };
  const text = textOf(bytes, bytes.length < sizeBytes);
  return text === null ? { type: "binary" } : { type: "text", text, isCut: bytes.length < sizeBytes };
}

/** The first `most` bytes, copied. Stops reading after them. */
export async function readStart(pieces: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    parts.push(piece.slice(0, most - length));
    length += parts.at(-1)!.length;
    if (length >= most) break;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The bytes as text; null when they are not text. With `isCut`, an incomplete last character is dropped. */
export function textOf(bytes: Uint8Array, isCut: boolean): string | null {
  if (bytes.subarray(0, 8_000).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

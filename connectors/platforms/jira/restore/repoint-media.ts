import type { Adf } from "../record-types.ts";
import { type AdfNode, mapNodes, nodesOf, paragraph } from "./adf-nodes.ts";

/** A restored attachment: what a document shows in the place of the old file. */
export type NewFile = { filename: string; url: string };

/** Whether a document shows files, so that it must be written again when they are there. */
export function hasMedia(doc: Adf | null): boolean {
  if (doc === null) return false;
  for (const { type, attrs } of nodesOf(doc))
    if ((type === "media" && attrs?.type !== "external") || type === "mediaInline") return true;
  return false;
}

/**
 * Makes a document show the restored files. It names files by ids of Jira's media service, which attachments do not
 * have; a file is found by its name (`alt`), or because it is the only one. A picture becomes one by its address. A file
 * that was not restored becomes its name.
 */
export function repointMedia(doc: Adf, files: readonly NewFile[]): { doc: Adf; lost: string[] } {
  const lost: string[] = [];
  const find = (node: AdfNode) => {
    const name = typeof node.attrs?.alt === "string" ? node.attrs.alt : "";
    const file =
      files.find(({ filename }) => filename === name) ??
      (files.length === 1 && name === "" ? files[0] : undefined);
    if (file === undefined) lost.push(name || "a file");
    return { file, name: file?.filename ?? (name || "file") };
  };
  const rewritten = mapNodes(doc, (node): AdfNode[] => {
    switch (node.type) {
      case "media": {
        if (node.attrs?.type === "external") return [node];
        const { file, name } = find(node);
        return file === undefined ? [paragraph(`[${name}]`)] : [shown(node, file)];
      }
      case "mediaInline": {
        const { file, name } = find(node);
        const text: AdfNode = { type: "text", text: file === undefined ? `[${name}]` : name };
        return [
          file === undefined ? text : { ...text, marks: [{ type: "link", attrs: { href: file.url } }] },
        ];
      }
      case "mediaSingle":
      case "mediaGroup":
        return unwrapped(node);
      default:
        return [node];
    }
  });
  return { doc: rewritten, lost };
}

function shown({ attrs = {}, marks }: AdfNode, { filename, url }: NewFile): AdfNode {
  const { width, height } = attrs;
  const size = { ...(typeof width === "number" && { width }), ...(typeof height === "number" && { height }) };
  return { type: "media", attrs: { type: "external", url, alt: filename, ...size }, ...(marks && { marks }) };
}

/** A frame keeps its pictures and captions; names of lost files stand beside it, because a frame takes no text. */
function unwrapped(node: AdfNode): AdfNode[] {
  const inside = node.content ?? [];
  const names = inside.filter(({ type }) => type === "paragraph");
  const kept = inside.filter(({ type }) => type !== "paragraph");
  const hasPicture = kept.some(({ type }) => type === "media");
  return [...(hasPicture ? [{ ...node, content: kept }] : []), ...names];
}

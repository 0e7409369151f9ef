import type { FileLink } from "#connectors/contract/field.ts";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Block, FileFacts } from "../payloads.ts";
import { folderOf, recordPaths } from "../record-paths.ts";

/** What holds blocks and files: a page or a row, with the path of its record. */
type Written = { path: string; blocks: readonly Block[]; files: readonly FileFacts[] };

/** The files of a page or row by id. One that was skipped has no path. */
export async function fileLinks(
  snapshot: SnapshotView,
  { path, files }: Omit<Written, "blocks">,
): Promise<ReadonlyMap<string, FileLink>> {
  const links = new Map<string, FileLink>();
  for (const { id, name, sizeBytes } of files) {
    const entry = await snapshot.find(`${folderOf(path)}files/${id}`);
    links.set(id, { name, path: entry?.path ?? null, url: null, sizeBytes });
  }
  return links;
}

/** What stands on a page or row from top to bottom, and the files that stand beside it. */
export async function blocksOf(
  snapshot: SnapshotView,
  written: Written,
): Promise<{ blocks: PageBlock[]; files: FileLink[] }> {
  const links = await fileLinks(snapshot, written);
  const blocks: PageBlock[] = [];
  const placed = new Set<string>();
  for (const block of written.blocks) {
    if (block.type === "file") placed.add(block.fileId);
    const shown = await blockOf(snapshot, block, links);
    if (shown !== null) blocks.push(shown);
  }
  const files = [...links].flatMap(([id, link]) => (placed.has(id) ? [] : [link]));
  return { blocks, files };
}

async function blockOf(
  snapshot: SnapshotView,
  block: Block,
  links: ReadonlyMap<string, FileLink>,
): Promise<PageBlock | null> {
  switch (block.type) {
    case "text":
      return block;
    case "file": {
      const file = links.get(block.fileId);
      return file?.path ? { type: "file", file } : absent("The file is not in this version.");
    }
    case "page":
    case "register": {
      const { type, id } = block;
      const entry = await snapshot.find(type === "page" ? recordPaths.page(id) : recordPaths.register(id));
      if (entry === null) return absent(`A ${type} that is not in this version.`);
      return { type: type === "page" ? "page" : "table", id, title: entry.title ?? "" };
    }
    case "embed":
      return absent("Almanac shows something of another site here; only its address is known.", block.url);
    case "box":
      return { type: "inset", look: "box", icon: block.sign, blocks: [textOf(block.text)] };
    case "fold":
      return { type: "toggle", title: block.title, blocks: [textOf(block.text)] };
    case "beside": {
      const columns = block.texts.map((text) => ({ share: 1, blocks: [textOf(text)] }));
      return { type: "columns", columns };
    }
    case "slot":
      return null;
    default:
      return block satisfies never;
  }
}

function textOf(text: string): PageBlock {
  return { type: "text", text };
}

function absent(reason: string, url: string | null = null): PageBlock {
  return { type: "absent", reason, url };
}

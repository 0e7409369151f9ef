import type { Block } from "../payloads.ts";
import type { RestoreIo } from "./restore-io.ts";

/**
 * The blocks of a restored page or row. Files have new ids, and one without bytes is left out; a page or register below
 * becomes a place that it fills when it is made. A register whose rows go elsewhere needs none.
 */
export function newBlocks(
  { matches }: Pick<RestoreIo, "matches">,
  blocks: readonly Block[],
  files: ReadonlyMap<string, string>,
): Block[] {
  return blocks.flatMap((block): Block[] => {
    switch (block.type) {
      case "text":
      case "embed":
      case "box":
      case "fold":
      case "beside":
        return [block];
      case "file": {
        const fileId = files.get(block.fileId);
        return fileId === undefined ? [] : [{ type: "file", fileId }];
      }
      case "page":
        return [{ type: "slot", name: block.id }];
      case "register":
        return matches.has(block.id) ? [] : [{ type: "slot", name: block.id }];
      case "slot":
        return [];
      default:
        return block satisfies never;
    }
  });
}

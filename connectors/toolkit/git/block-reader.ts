import { GitPackError } from "./git-pack-error.ts";
import type { PackSource } from "./pack-source.ts";

/** Random access to the bytes of a source. */
export type BlockReader = {
  size: number;
  /** Returns `length` bytes from `offset`, or fewer at the end of the source. Valid until the next call. */
  load(offset: number, length: number): Promise<Uint8Array>;
};

/** The vault opens frames of this size as a whole, so smaller reads would open the same frame again. */
const BLOCK_BYTES = 1024 * 1024;

/** Creates readers that share one block cache, so that a chain of thirty packs takes no more memory than one. */
export function createBlockReaders(limitBytes: number): (source: PackSource) => BlockReader {
  /** Blocks by source and number, least recently used first. */
  const blocks = new Map<string, Uint8Array>();
  let held = 0;
  let sources = 0;

  function keep(key: string, block: Uint8Array): void {
    blocks.set(key, block);
    held += block.length;
    for (const [oldest, bytes] of blocks) {
      if (held <= limitBytes || oldest === key) break;
      blocks.delete(oldest);
      held -= bytes.length;
    }
  }

  return (source) => {
    const id = sources++;

    async function block(number: number): Promise<Uint8Array> {
      const key = `${id}:${number}`;
      const known = blocks.get(key);
      if (known !== undefined) {
        blocks.delete(key);
        blocks.set(key, known);
        return known;
      }
      const offset = number * BLOCK_BYTES;
      const length = Math.min(BLOCK_BYTES, source.size - offset);
      const bytes = await source.read(offset, length);
      if (bytes.length !== length)
        throw new GitPackError("malformed", "A stored git pack is shorter than it says", offset);
      keep(key, bytes);
      return bytes;
    }

    return {
      size: source.size,
      async load(offset, length) {
        const end = Math.min(offset + length, source.size);
        if (!(offset >= 0 && offset < end)) return new Uint8Array(0);
        const first = Math.floor(offset / BLOCK_BYTES);
        const last = Math.floor((end - 1) / BLOCK_BYTES);
        if (first === last)
          return (await block(first)).subarray(offset - first * BLOCK_BYTES, end - first * BLOCK_BYTES);
        const joined = new Uint8Array(end - offset);
        for (let number = first; number <= last; number++) {
          const start = number * BLOCK_BYTES;
          const part = (await block(number)).subarray(Math.max(0, offset - start), end - start);
          joined.set(part, start + Math.max(0, offset - start) - offset);
        }
        return joined;
      },
    };
  };
}

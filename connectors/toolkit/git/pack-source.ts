import { GitPackError } from "./git-pack-error.ts";

/** Random access to the bytes of a stored pack. */
export type PackSource = {
  /** Length of the pack in bytes. */
  size: number;
  /** Reads exactly `length` bytes from `offset`; the range is inside the pack. */
  read(offset: number, length: number): Promise<Uint8Array>;
};

/** Reads a pack in blocks and caches the latest ones. */
export type PackReader = {
  size: number;
  /** Cached bytes from `offset`, at least `length` unless the pack ends before; null = they must be loaded. */
  peek(offset: number, length: number): Uint8Array | null;
  /** Like `peek`, but reads missing blocks. */
  load(offset: number, length: number): Promise<Uint8Array>;
  /** Blocks to read at once: several for a sequential scan, 1 for random access. */
  readAhead(blocks: number): void;
};

/** The vault authenticates frames of this size as a whole, so smaller reads would open the same frame again. */
const BLOCK_BYTES = 1024 * 1024;
const BLOCKS_KEPT = 8;

/** Creates a reader for a source. @throws GitPackError from `load` when the source returns too few bytes */
export function createPackReader(source: PackSource): PackReader {
  /** Block number → bytes, least recently used first. */
  const blocks = new Map<number, Uint8Array>();
  let ahead = 1;

  function find(number: number): Uint8Array | undefined {
    const block = blocks.get(number);
    if (block !== undefined) {
      blocks.delete(number);
      blocks.set(number, block);
    }
    return block;
  }

  async function readBlocks(first: number, count: number): Promise<void> {
    const offset = first * BLOCK_BYTES;
    const length = Math.min(count * BLOCK_BYTES, source.size - offset);
    const bytes = await source.read(offset, length);
    if (bytes.length !== length)
      throw new GitPackError("malformed", "The stored pack is shorter than it says", offset);
    for (let i = 0; i * BLOCK_BYTES < length; i++) {
      blocks.set(first + i, bytes.subarray(i * BLOCK_BYTES, (i + 1) * BLOCK_BYTES));
    }
    for (const number of blocks.keys()) {
      if (blocks.size <= BLOCKS_KEPT) break;
      blocks.delete(number);
    }
  }

  function peek(offset: number, length: number): Uint8Array | null {
    const number = Math.floor(offset / BLOCK_BYTES);
    const at = offset - number * BLOCK_BYTES;
    const wanted = Math.min(length, source.size - offset);
    if (at + wanted > BLOCK_BYTES) return null;
    const block = find(number);
    return block === undefined ? null : block.subarray(at);
  }

  return {
    size: source.size,
    peek,
    async load(offset, length) {
      const wanted = Math.max(0, Math.min(length, source.size - offset));
      if (wanted === 0) return new Uint8Array(0);
      const first = Math.floor(offset / BLOCK_BYTES);
      const last = Math.floor((offset + wanted - 1) / BLOCK_BYTES);
      const joined = first === last ? null : new Uint8Array(wanted);
      for (let number = first; number <= last; number++) {
        if (find(number) === undefined) {
          const missing = Math.max(last - number + 1, ahead);
          await readBlocks(number, Math.min(missing, BLOCKS_KEPT - 1));
        }
        const block = blocks.get(number)!;
        const blockStart = number * BLOCK_BYTES;
        if (joined === null) return block.subarray(offset - blockStart);
        const from = Math.max(offset, blockStart) - blockStart;
        const to = Math.min(offset + wanted - blockStart, block.length);
        joined.set(block.subarray(from, to), blockStart + from - offset);
      }
      return joined!;
    },
    readAhead(count) {
      ahead = Math.max(1, Math.min(count, BLOCKS_KEPT - 1));
    },
  };
}

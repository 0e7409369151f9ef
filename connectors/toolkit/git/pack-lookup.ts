import { Buffer } from "node:buffer";
import { fromHex, toHex } from "#core/kernel/crypto.ts";
import type { BlockReader } from "./block-reader.ts";
import { GitPackError } from "./git-pack-error.ts";
import { isOid, type ObjectFormat, oidLength } from "./object-format.ts";

/** Finds objects of one pack by name, without loading its index into memory. */
export type PackLookup = {
  count: number;
  /** Offset of the object in the pack; null = the pack does not contain it. */
  offsetOf(oid: string): Promise<number | null>;
  /** Object names in ascending order. */
  names(): AsyncGenerator<string, void>;
};

const MAGIC = 0xff744f63;
const FANOUT_AT = 8;
const NAMES_AT = FANOUT_AT + 256 * 4;
const LARGE_OFFSET = 0x80000000;

/**
 * Opens an index of version 2 (git: gitformat-pack, "pack-*.idx files") for lookups with range reads.
 * @throws GitPackError when it is damaged
 */
export async function openPackLookup(index: BlockReader, objectFormat: ObjectFormat): Promise<PackLookup> {
  const width = oidLength(objectFormat);
  const head = (await index.load(0, NAMES_AT)).slice();
  if (head.length < NAMES_AT) throw damaged();
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (view.getUint32(0) !== MAGIC || view.getUint32(4) !== 2) throw damaged();
  const fanout = (first: number) => (first < 0 ? 0 : view.getUint32(FANOUT_AT + first * 4));
  for (let first = 1; first < 256; first++) if (fanout(first) < fanout(first - 1)) throw damaged();
  const count = fanout(255);
  const offsetsAt = NAMES_AT + count * (width + 4);
  const largeAt = offsetsAt + count * 4;
  if (largeAt + 2 * width > index.size) throw damaged();

  async function readOffset(rank: number): Promise<number> {
    const small = wordAt(await index.load(offsetsAt + rank * 4, 4));
    if (small < LARGE_OFFSET) return small;
    const at = largeAt + (small - LARGE_OFFSET) * 8;
    const large = await index.load(at, 8);
    if (large.length < 8 || at + 8 + 2 * width > index.size) throw damaged();
    return wordAt(large) * 0x100000000 + wordAt(large.subarray(4));
  }

  return {
    count,
    async offsetOf(oid) {
      if (!isOid(oid, objectFormat)) return null;
      const name = fromHex(oid);
      let from = fanout(name[0]! - 1);
      let to = fanout(name[0]!);
      while (from < to) {
        const middle = (from + to) >>> 1;
        const order = Buffer.compare(await index.load(NAMES_AT + middle * width, width), name);
        if (order === 0) return readOffset(middle);
        if (order < 0) from = middle + 1;
        else to = middle;
      }
      return null;
    },
    async *names() {
      for (let rank = 0; rank < count; rank++) yield toHex(await index.load(NAMES_AT + rank * width, width));
    },
  };
}

function wordAt(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0);
}

const damaged = () => new GitPackError("malformed", "The index of a git pack is damaged");

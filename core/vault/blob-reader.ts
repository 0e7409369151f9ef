import { concatBytes } from "#core/kernel/crypto.ts";
import { FRAME_BYTES } from "./format.ts";
import { createLru } from "./lru.ts";
import { type ObjectReader, openObjectReader } from "./object-reader.ts";
import { openBlob } from "./record-pack.ts";
import type { Location, ObjectScope } from "./types.ts";
import type { VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

const CACHED_FRAMES = 12;
const CACHED_OBJECTS = 256;
/** Frames fetched at once when a pack is read sequentially. */
const READ_AHEAD_FRAMES = 4;

/** Reads blobs from record packs and caches a bounded number of decrypted frames. */
export interface BlobReader {
  /** The stored bytes, possibly deflated. */
  stored(where: Location): Promise<Uint8Array>;
  /** The plain bytes, checked against their hash. @throws VaultError */
  plain(where: Location, hash: string): Promise<Uint8Array>;
}

/** Creates a blob reader for one item. */
export function createBlobReader(deps: VaultReadDeps, scope: ObjectScope): BlobReader {
  const readers = createLru<ObjectReader>(CACHED_OBJECTS);
  const frames = createLru<Uint8Array>(CACHED_FRAMES);
  let lastFrame = "";

  function readerOf(id: string): ObjectReader {
    const known = readers.get(id);
    if (known) return known;
    const reader = openObjectReader(deps, { scope, id, kind: "pack" });
    readers.set(id, reader);
    return reader;
  }

  async function frame(id: string, index: number): Promise<Uint8Array> {
    const key = `${id}#${index}`;
    const isSequential = lastFrame === `${id}#${index - 1}`;
    lastFrame = key;
    const known = frames.get(key);
    if (known) return known;
    let at = index;
    let asked: Uint8Array | null = null;
    for await (const bytes of readerOf(id).readFrames(index, isSequential ? READ_AHEAD_FRAMES : 1)) {
      asked ??= bytes;
      frames.set(`${id}#${at++}`, bytes);
    }
    if (!asked) throw new VaultError("truncated", `${id} has no frame ${index}`);
    return asked;
  }

  async function stored({ object, offset, length }: Location): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const first = Math.floor(offset / FRAME_BYTES);
    const last = Math.floor((offset + length - 1) / FRAME_BYTES);
    const pieces: Uint8Array[] = [];
    for (let index = first; index <= last; index++) {
      const start = index * FRAME_BYTES;
      const bytes = await frame(object, index);
      if (bytes.length < Math.min(offset + length - start, FRAME_BYTES)) {
        throw new VaultError("truncated", `${object} ends before byte ${offset + length}`);
      }
      pieces.push(bytes.subarray(Math.max(offset - start, 0), offset + length - start));
    }
    return pieces.length === 1 ? pieces[0]! : concatBytes(...pieces);
  }

  return {
    stored,
    plain: async (where, hash) =>
      openBlob(await stored(where), { method: where.method, hash, name: `${where.object}+${where.offset}` }),
  };
}

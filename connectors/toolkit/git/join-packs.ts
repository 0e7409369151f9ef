import { createHash } from "node:crypto";
import { type ObjectFormat, oidLength, PACK_HEADER_BYTES, packHeader } from "./object-format.ts";

/** The bytes of a pack, from its header to its trailer. A piece is valid until the next one is read. */
export type PackBytes = { length: number; read: () => AsyncIterable<Uint8Array> };

/**
 * Several packs as one, in order (git: gitformat-pack). Deltas name their base by its distance or its name, so the
 * entries stay as they are. No object may be in two of the packs: strict readers refuse a pack with a repeated one.
 */
export function joinPacks(
  packs: readonly (PackBytes & { objects: number })[],
  format: ObjectFormat,
): PackBytes {
  const [first] = packs;
  if (first !== undefined && packs.length === 1) return first;
  const trailer = oidLength(format);
  const bodies = packs.map(({ length }) => length - PACK_HEADER_BYTES - trailer);
  return {
    length: PACK_HEADER_BYTES + bodies.reduce((sum, bytes) => sum + bytes, 0) + trailer,
    read: async function* () {
      const hash = createHash(format);
      const header = packHeader(packs.reduce((sum, { objects }) => sum + objects, 0));
      hash.update(header);
      yield header;
      for (const { length, read } of packs) {
        for await (const piece of between(read(), PACK_HEADER_BYTES, length - trailer)) {
          hash.update(piece);
          yield piece;
        }
      }
      yield hash.digest();
    },
  };
}

/** The bytes of a stream from one position to another. Reads it to its end, which proves it. */
async function* between(
  pieces: AsyncIterable<Uint8Array>,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array, void> {
  let at = 0;
  for await (const piece of pieces) {
    const wanted = piece.subarray(Math.max(0, from - at), Math.max(0, to - at));
    at += piece.length;
    if (wanted.length > 0) yield wanted;
  }
}

import { GitPackError } from "./git-pack-error.ts";
import { openInflater } from "./inflater.ts";

/** Input per write. Deflate expands it about a thousand times at most, which bounds the output. */
const FEED_BYTES = 4 * 1024;

/** The compressed bytes of an object that is not a delta. */
export type Compressed = {
  /** Returns bytes from an offset in them; empty beyond the end of the pack. */
  load(at: number, length: number): Promise<Uint8Array>;
  /** Expected size when inflated. */
  sizeBytes: number;
  /** The object's offset in its pack, for error messages. */
  offset: number;
};

/**
 * Inflates an object of any size and holds only a few pieces of it in memory.
 * @throws GitPackError `malformed` when the bytes end early, are damaged, or do not have the expected size
 */
export async function* inflateInPieces(object: Compressed): AsyncGenerator<Uint8Array, void> {
  const { load, sizeBytes, offset } = object;
  const ready: Uint8Array[] = [];
  const inflater = openInflater((plain) => void ready.push(plain));
  let at = 0;
  let produced = 0;
  try {
    // Read to the end of the stream, because its checksum comes after all bytes of the object.
    while (!inflater.isDone() && produced <= sizeBytes) {
      const piece = (await load(at, FEED_BYTES)).slice();
      if (piece.length === 0)
        throw new GitPackError("malformed", "The git pack ends inside an object", offset);
      at += await inflater.feed(piece);
      for (const plain of ready.splice(0)) {
        produced += plain.length;
        yield plain;
      }
    }
    const failure = inflater.failure();
    if (failure !== null || produced !== sizeBytes)
      throw new GitPackError("malformed", "The compressed bytes of an object are damaged", offset, failure);
  } finally {
    inflater.close();
  }
}

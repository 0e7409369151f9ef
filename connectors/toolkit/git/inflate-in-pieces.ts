import { createInflate } from "node:zlib";
import { GitPackError } from "./git-pack-error.ts";

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
  const inflater = openInflater();
  let at = 0;
  let produced = 0;
  try {
    // Read to the end of the stream, because its checksum comes after all bytes of the object.
    while (!inflater.isDone() && produced <= sizeBytes) {
      const piece = (await load(at, FEED_BYTES)).slice();
      if (piece.length === 0)
        throw new GitPackError("malformed", "The git pack ends inside an object", offset);
      at += piece.length;
      for (const bytes of await inflater.feed(piece)) {
        produced += bytes.length;
        yield bytes;
      }
    }
    const failure = inflater.failure();
    if (failure !== null || produced !== sizeBytes)
      throw new GitPackError("malformed", "The compressed bytes of an object are damaged", offset, failure);
  } finally {
    inflater.close();
  }
}

/** Wraps Node's inflater for input in pieces. */
function openInflater() {
  const inflater = createInflate();
  const ready: Uint8Array[] = [];
  let isEnded = false;
  let failure: unknown = null;
  let giveUp: () => void = () => undefined;
  inflater.on("data", (piece: Uint8Array) => ready.push(piece));
  inflater.on("error", (cause) => {
    failure ??= cause;
    giveUp();
  });
  return {
    isDone: () => isEnded || failure !== null,
    failure: () => failure,
    close: () => inflater.destroy(),
    /** Inflates one more piece and returns the output. */
    async feed(piece: Uint8Array): Promise<Uint8Array[]> {
      const before = inflater.bytesWritten;
      await new Promise<void>((resolve) => {
        giveUp = resolve;
        inflater.write(piece, () => resolve());
      });
      // Node emits the output in a later turn of the event loop.
      await new Promise<void>((resolve) => setImmediate(resolve));
      // Input that is left over comes after the end of the stream. In a pack, the trailer always does.
      isEnded = inflater.bytesWritten - before < piece.length;
      return ready.splice(0);
    },
  };
}

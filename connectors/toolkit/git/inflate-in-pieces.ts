import { createInflate } from "node:zlib";
import { GitPackError } from "./git-pack-error.ts";

/** Fed to the inflater at once, so that what comes out is at most about a thousand times as much. */
const FEED_BYTES = 4 * 1024;

/** The compressed bytes of an object that is no delta. */
export type Compressed = {
  /** Answers bytes from a place in them; none behind the end of the pack. */
  load(at: number, length: number): Promise<Uint8Array>;
  /** What they must inflate to. */
  sizeBytes: number;
  /** Where the object begins in its pack, for messages. */
  offset: number;
};

/**
 * Inflates an object of any size without holding more of it than a few pieces.
 * @throws GitPackError `malformed` when the bytes end early, are damaged, or are not as many as the pack says
 */
export async function* inflateInPieces(object: Compressed): AsyncGenerator<Uint8Array, void> {
  const { load, sizeBytes, offset } = object;
  const inflater = openInflater();
  let at = 0;
  let produced = 0;
  try {
    while (!inflater.isDone() && produced < sizeBytes) {
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

/** Node's inflater, asked piece by piece. */
function openInflater() {
  const inflater = createInflate();
  const ready: Uint8Array[] = [];
  let isEnded = false;
  let failure: unknown = null;
  let giveUp: () => void = () => undefined;
  inflater.on("data", (piece: Uint8Array) => ready.push(piece));
  inflater.on("end", () => {
    isEnded = true;
  });
  inflater.on("error", (cause) => {
    failure ??= cause;
    giveUp();
  });
  return {
    isDone: () => isEnded || failure !== null,
    failure: () => failure,
    close: () => inflater.destroy(),
    /** Returns what came out for one more piece. */
    async feed(piece: Uint8Array): Promise<Uint8Array[]> {
      await new Promise<void>((resolve) => {
        giveUp = resolve;
        inflater.write(piece, () => resolve());
      });
      // What was inflated is handed out in a later turn.
      await new Promise<void>((resolve) => setImmediate(resolve));
      return ready.splice(0);
    },
  };
}

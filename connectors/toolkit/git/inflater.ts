import { createInflate } from "node:zlib";

/** Bytes that one step of the inflater produces at most. */
const OUTPUT_BYTES = 64 * 1024;
/** How long a stream that accepts no more input may take to signal its end or failure. */
const LAST_WORD_MS = 10_000;

/** Inflates a zlib stream that arrives in pieces. Close it, also after a failure. */
type Inflater = {
  /** True when the stream ended, with its checksum, or failed. */
  isDone(): boolean;
  /** Why it failed; null = it did not. */
  failure(): unknown;
  /**
   * Inflates one more piece and returns how many of its bytes belong to the stream. Fewer than all means that the stream
   * is done. An empty piece means that there is no more input. A piece must not change until the call returns.
   */
  feed(piece: Uint8Array): Promise<number>;
  close(): void;
};

/** Opens an inflater. `take` receives the plain bytes in order; the last of them before `feed` reports the end. */
export function openInflater(take: (plain: Uint8Array) => void): Inflater {
  const stream = createInflate({ chunkSize: OUTPUT_BYTES });
  let isEnded = false;
  let failure: unknown = null;
  // A failing stream never calls back its pending write, so its waiter is resolved here.
  let giveUp: () => void = () => undefined;
  stream.on("data", take);
  stream.on("end", () => {
    isEnded = true;
  });
  stream.on("error", (cause) => {
    failure ??= cause;
    giveUp();
  });
  const isDone = () => isEnded || failure !== null;
  return {
    isDone,
    failure: () => failure,
    close: () => void stream.destroy(),
    async feed(piece) {
      const before = stream.bytesWritten;
      if (piece.length === 0) stream.end();
      else {
        await new Promise<void>((resolve) => {
          giveUp = resolve;
          stream.write(piece, () => resolve());
        });
      }
      const used = stream.bytesWritten - before;
      // A stream that leaves input, or has none, has ended or failed; it signals which in a later turn.
      if ((used < piece.length || piece.length === 0) && !isDone()) {
        await lastWord(stream);
        if (!isDone()) failure = new Error("The stream neither ended nor failed.");
      }
      return used;
    },
  };
}

/** Resolves when the stream has ended or failed, or after a timeout. */
function lastWord(stream: { once(event: "end" | "error", listener: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => {
    const silence = setTimeout(resolve, LAST_WORD_MS);
    const heard = () => {
      clearTimeout(silence);
      resolve();
    };
    stream.once("end", heard);
    stream.once("error", heard);
  });
}

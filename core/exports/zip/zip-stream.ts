const WRITE_BYTES = 1_048_576;

/**
 * A response body of exactly `length` bytes made of the chunks. Small chunks (headers, records) are gathered into
 * writes of 1 MiB. A chunk is valid until the next one is asked for, so each is sent before that; it is their reader
 * that looks ahead. Where the runtime has it, the body is a `FixedLengthStream`: it carries the Content-Length, refuses
 * to end with another one, and is six times as fast as a `TransformStream`.
 */
export function zipStream(chunks: AsyncIterable<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  const { readable, writable } = createPipe(length);
  const writer = writable.getWriter();
  pump(gathered(chunks), writer).catch((cause) => writer.abort(cause).catch(() => {}));
  return readable;
}

function createPipe(length: number): TransformStream<Uint8Array, Uint8Array> {
  if (typeof FixedLengthStream !== "undefined") return new FixedLengthStream(length);
  // Its write ends when the chunk is handed over, not when it is used up: what is handed over must be a copy.
  return new TransformStream({ transform: (chunk, controller) => controller.enqueue(new Uint8Array(chunk)) });
}

/** A reader that goes away ends the source as well, so that no object stays open behind a broken download. */
async function pump(
  chunks: AsyncGenerator<Uint8Array, void>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  for await (const chunk of chunks) await writer.write(chunk);
  await writer.close();
}

/** Joins small chunks in one buffer, which is lent like the chunks are; large ones pass as they are. */
async function* gathered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const buffer = new Uint8Array(WRITE_BYTES);
  let used = 0;
  for await (const chunk of chunks) {
    if (used > 0 && used + chunk.length > WRITE_BYTES) {
      yield buffer.subarray(0, used);
      used = 0;
    }
    if (chunk.length >= WRITE_BYTES / 2 && used === 0) {
      yield chunk;
      continue;
    }
    buffer.set(chunk, used);
    used += chunk.length;
  }
  if (used > 0) yield buffer.subarray(0, used);
}

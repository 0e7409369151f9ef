const WRITE_BYTES = 1_048_576;

/**
 * A response body of exactly `length` bytes, made from the chunks. Small chunks (headers, records) are combined into
 * writes of 1 MiB. A chunk is valid only until the next one is read, so each is sent before that; the chunks' reader
 * does the read-ahead. If the runtime has it, the body is a `FixedLengthStream`: it sets the Content-Length, fails on
 * any other length, and is six times as fast as a `TransformStream`.
 */
export function zipStream(chunks: AsyncIterable<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  const { readable, writable } = createPipe(length);
  const writer = writable.getWriter();
  pump(gathered(chunks), writer).catch((cause) => writer.abort(cause).catch(() => {}));
  return readable;
}

function createPipe(length: number): TransformStream<Uint8Array, Uint8Array> {
  if (typeof FixedLengthStream !== "undefined") return new FixedLengthStream(length);
  // A write to it ends when the chunk is queued, not when it is consumed, so it must queue a copy.
  return new TransformStream({ transform: (chunk, controller) => controller.enqueue(new Uint8Array(chunk)) });
}

/** Writes all chunks. A cancelled download also ends the source, so that no object stays open. */
async function pump(
  chunks: AsyncGenerator<Uint8Array, void>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  for await (const chunk of chunks) await writer.write(chunk);
  await writer.close();
}

/** Joins small chunks in one reused buffer, which is valid until the next read; large chunks pass through unchanged. */
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

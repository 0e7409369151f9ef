const WRITE_BYTES = 1_048_576;

/**
 * A response body of exactly `length` bytes made of the chunks. Small chunks (headers, records) are gathered into
 * writes of 1 MiB, and the next chunk is prepared while the last one is sent. Where the runtime has it, the body is
 * a `FixedLengthStream`: it carries the Content-Length and is six times as fast as a `TransformStream`.
 */
export function zipStream(chunks: AsyncIterable<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  const { readable, writable } = createPipe(length);
  const writer = writable.getWriter();
  pump(gathered(chunks), writer).catch((cause) => writer.abort(cause).catch(() => {}));
  return readable;
}

function createPipe(length: number): TransformStream<Uint8Array, Uint8Array> {
  return typeof FixedLengthStream === "undefined" ? new TransformStream() : new FixedLengthStream(length);
}

/** A reader that goes away ends the source as well, so that no object stays open behind a broken download. */
async function pump(
  chunks: AsyncGenerator<Uint8Array, void>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  let pending = chunks.next();
  try {
    for (;;) {
      const { value, done } = await pending;
      if (done) break;
      pending = chunks.next();
      pending.catch(() => {});
      await writer.write(value);
    }
  } finally {
    await pending.catch(() => {});
    await chunks.return();
  }
  await writer.close();
}

/** Joins small chunks; large ones pass as they are. */
async function* gathered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let buffer = new Uint8Array(WRITE_BYTES);
  let used = 0;
  for await (const chunk of chunks) {
    if (used > 0 && used + chunk.length > WRITE_BYTES) {
      yield buffer.subarray(0, used);
      buffer = new Uint8Array(WRITE_BYTES);
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

/** The body of a request while its bytes are still being read. */
export type UploadBody = {
  body: ReadableStream<Uint8Array>;
  /** The error of the byte source; null = none. More specific than the error of the request. */
  failure(): unknown;
};

/** The workerd runtime sends a Content-Length for a body from a FixedLengthStream. */
type FixedLengthStreams = {
  FixedLengthStream?: new (
    length: number,
  ) => { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> };
};

/**
 * Creates a request body of known length from chunks, one at a time: a chunk need only be valid until the next one is
 * requested.
 *
 * @param length Total number of bytes; the source throws when it has another number.
 */
export function openUploadBody(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  length: number,
): UploadBody {
  let failure: unknown = null;
  const { FixedLengthStream } = globalThis as FixedLengthStreams;
  if (FixedLengthStream !== undefined) {
    const { readable, writable } = new FixedLengthStream(length);
    pump(chunks, writable).catch((cause: unknown) => {
      failure = cause;
    });
    return { body: readable, failure: () => failure };
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value)); // copied: the next pull may come before this chunk is sent
      } catch (cause) {
        failure = cause;
        controller.error(cause);
      }
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  return { body, failure: () => failure };
}

async function pump(chunks: AsyncIterable<Uint8Array>, writable: WritableStream<Uint8Array>): Promise<void> {
  const writer = writable.getWriter();
  let isBroken = false;
  // A server that refuses early closes the connection: report its response, not the broken pipe.
  writer.closed.catch(() => {
    isBroken = true;
  });
  try {
    for await (const chunk of chunks) {
      try {
        await writer.write(chunk); // await delivery: the chunk becomes invalid with the next one
      } catch {
        return;
      }
    }
    if (!isBroken) await writer.close().catch(() => undefined);
  } catch (cause) {
    await writer.abort(cause).catch(() => undefined);
    throw cause;
  }
}

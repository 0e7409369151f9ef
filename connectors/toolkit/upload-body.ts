/** The body of a request while its bytes are still being read. */
export type UploadBody = {
  body: ReadableStream<Uint8Array>;
  /** Why the source of the bytes broke off; null when it did not. It says more than the request's own failure. */
  failure(): unknown;
};

/** The workerd runtime sends a Content-Length when a body comes out of a stream of fixed length. */
type FixedLengthStreams = {
  FixedLengthStream?: new (
    length: number,
  ) => { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> };
};

/**
 * Bytes of a known length as the body of a request, one chunk at a time: a chunk need only be valid until the next one is
 * asked for.
 *
 * @param length Bytes in all; the source throws when it has another number of them.
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
        else controller.enqueue(new Uint8Array(value)); // the next pull may come before this one was sent
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
  // A server that refuses early closes the connection: its answer says why, not the broken pipe.
  writer.closed.catch(() => {
    isBroken = true;
  });
  try {
    for await (const chunk of chunks) {
      try {
        await writer.write(chunk); // until it was taken: it is gone when the next is asked for
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

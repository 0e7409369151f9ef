import { ConnectorError } from "#connectors/contract/connector-error.ts";

/** Size of the buffer that a body is read into, in bytes. */
const READ_BUFFER_BYTES = 256 * 1024;

/** Pulls the bytes of an HTTP body, and gives up when they stop coming. */
export type BodyReader = {
  /** The next bytes, or null at the end. The view is overwritten by the next `read`. @throws ConnectorError */
  read(): Promise<Uint8Array | null>;
  /**
   * Asks for so many bytes per stall time, and for reads of that size where the runtime can. 1 at the beginning,
   * since a server that counts objects sends only a keep-alive now and then.
   */
  expectProgress(bytes: number): void;
  /** Lets go of the connection. */
  cancel(): Promise<void>;
};

type AtLeastReader = {
  readAtLeast(minimum: number, view: Uint8Array): Promise<{ done: boolean; value?: Uint8Array }>;
};

/**
 * Reads a body in large pieces. workerd hands out 4 KiB at a time unless asked with `readAtLeast`; elsewhere the
 * stream's own pieces are taken. Without `expectProgress` bytes in `stallMs` the server counts as stalled.
 */
export function createBodyReader(body: ReadableStream<Uint8Array>, stallMs: number): BodyReader {
  const { pull, cancel } = openPull(body);
  let minimum = 1;
  let pending = 0;
  let deadline: Deadline | null = null;

  return {
    async read() {
      deadline ??= startDeadline(stallMs);
      let chunk: Uint8Array | null;
      try {
        chunk = await Promise.race([pull(minimum), deadline.expired]);
      } catch (cause) {
        deadline.stop();
        await cancel().catch(() => undefined);
        if (cause instanceof ConnectorError) throw cause;
        throw new ConnectorError("unavailable", "The connection to the git server broke.", { cause });
      }
      pending += chunk?.length ?? 0;
      if (chunk === null || pending >= minimum) {
        deadline.stop();
        deadline = null;
        pending = 0;
      }
      return chunk;
    },
    expectProgress(bytes) {
      minimum = bytes;
    },
    async cancel() {
      deadline?.stop();
      await cancel().catch(() => undefined);
    },
  };
}

type Pull = (minimum: number) => Promise<Uint8Array | null>;

function openPull(body: ReadableStream<Uint8Array>): { pull: Pull; cancel: () => Promise<void> } {
  const byob = openAtLeastReader(body);
  if (byob === null) {
    const reader = body.getReader();
    const pull = async () => {
      const { done, value } = await reader.read();
      return done ? null : value;
    };
    return { pull, cancel: () => reader.cancel() };
  }
  // The runtime takes the buffer for the time of the read and hands it back in the answer.
  let buffer: ArrayBufferLike = new ArrayBuffer(READ_BUFFER_BYTES);
  const pull = async (minimum: number) => {
    const { done, value } = await byob.readAtLeast(minimum, new Uint8Array(buffer));
    if (value !== undefined && value.buffer.byteLength === READ_BUFFER_BYTES) buffer = value.buffer;
    else buffer = new ArrayBuffer(READ_BUFFER_BYTES);
    if (value === undefined || value.length === 0) return done ? null : new Uint8Array(0);
    return value;
  };
  return { pull, cancel: () => byob.cancel() };
}

function openAtLeastReader(
  body: ReadableStream<Uint8Array>,
): (AtLeastReader & { cancel(): Promise<void> }) | null {
  const hasAtLeast =
    typeof ReadableStreamBYOBReader !== "undefined" && "readAtLeast" in ReadableStreamBYOBReader.prototype;
  if (!hasAtLeast) return null;
  try {
    return body.getReader({ mode: "byob" }) as unknown as AtLeastReader & { cancel(): Promise<void> };
  } catch {
    return null; // a stream made in JavaScript without byte support
  }
}

/** A time limit whose promise only ever rejects. */
export type Deadline = { expired: Promise<never>; stop(): void; restart(): void };

/** Starts the wait for a sign of life. */
export function startDeadline(stallMs: number): Deadline {
  let reject: (cause: ConnectorError) => void = () => undefined;
  const expired = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  // The race may be over before the time is: an expiry nobody waits for is no error.
  expired.catch(() => undefined);
  const expire = () =>
    reject(
      new ConnectorError("unavailable", `The git server sent nothing for ${Math.ceil(stallMs / 1000)} s.`),
    );
  let timer = setTimeout(expire, stallMs);
  return {
    expired,
    stop: () => clearTimeout(timer),
    restart() {
      clearTimeout(timer);
      timer = setTimeout(expire, stallMs);
    },
  };
}

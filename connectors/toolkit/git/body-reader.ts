import { ConnectorError } from "#connectors/contract/connector-error.ts";

/** Size of the read buffer, in bytes. */
const READ_BUFFER_BYTES = 256 * 1024;

/** Reads an HTTP body and throws when it stalls. */
export type BodyReader = {
  /** Reads the next bytes; null = the end. The next `read` overwrites the view. @throws ConnectorError */
  read(): Promise<Uint8Array | null>;
  /**
   * Requires this many bytes per stall time, and reads that many at once if the runtime supports it. Initially 1,
   * because a server that is counting objects only sends occasional keep-alives.
   */
  expectProgress(bytes: number): void;
  /** Releases the connection. */
  cancel(): Promise<void>;
};

type AtLeastReader = {
  readAtLeast(minimum: number, view: Uint8Array): Promise<{ done: boolean; value?: Uint8Array }>;
};

/**
 * Reads a body in large pieces. workerd returns 4 KiB at a time unless `readAtLeast` is used; other runtimes use the
 * stream's own pieces. The server counts as stalled when fewer bytes than `expectProgress` arrive in `stallMs`.
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
  // The runtime takes ownership of the buffer during a read and returns it with the result.
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
    return null; // a JavaScript stream without byte support
  }
}

/** A timeout whose promise never resolves, only rejects. */
export type Deadline = { expired: Promise<never>; stop(): void; restart(): void };

/** Starts a timeout for the next bytes. */
export function startDeadline(stallMs: number): Deadline {
  let reject: (cause: ConnectorError) => void = () => undefined;
  const expired = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  // The race may end before the timeout: a late expiry must not be an unhandled rejection.
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

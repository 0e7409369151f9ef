import { VaultError } from "./vault-error.ts";

/** A stored body, read in pieces. */
export type ByteSource = {
  /** Fills the first `length` bytes of the buffer and detaches it. Returns a view of its successor. */
  readExactly(buffer: Uint8Array<ArrayBuffer>, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends a body that was read completely. */
  end(): Promise<void>;
  /** Cancels a body before its end. */
  cancel(): Promise<void>;
};

/**
 * Reads a body in large pieces: a default reader returns 4 KiB chunks, which alone would halve the speed of a download.
 * `readAtLeast` is the runtime's own call, `min` the standard's.
 * @param name for messages
 */
export function openByteReader(body: ReadableStream, name: string): ByteSource {
  const reader = body.getReader({ mode: "byob" }) as unknown as LargeReader;
  return {
    async readExactly(buffer, length) {
      const view = buffer.subarray(0, length);
      const { value } = await (reader.readAtLeast
        ? reader.readAtLeast(length, view)
        : reader.read(view, { min: length }));
      if (!value || value.byteLength < length) throw new VaultError("truncated", `${name} ends too early`);
      return value;
    },
    async end() {
      const { done } = await reader.read(new Uint8Array(1), { min: 1 });
      if (!done) await reader.cancel();
    },
    cancel: () => reader.cancel().catch(() => {}),
  };
}

/** The calls of both runtimes for reading large pieces. */
type LargeReader = {
  readAtLeast?(length: number, view: Uint8Array): Promise<{ value?: Uint8Array<ArrayBuffer> }>;
  read(
    view: Uint8Array,
    options: { min: number },
  ): Promise<{ value?: Uint8Array<ArrayBuffer>; done: boolean }>;
  cancel(): Promise<void>;
};

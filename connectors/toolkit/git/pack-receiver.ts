import { createHash } from "node:crypto";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { ByteSink } from "#connectors/contract/snapshot-view.ts";
import { concatBytes, equalBytes, toHex } from "#core/kernel/crypto.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";
import { cutOff } from "./pkt-stream.ts";

/** Facts about a completely received pack. */
export type ReceivedPack = {
  /** Number of objects in its header. */
  objects: number;
  bytes: number;
  /** It contains no objects, which is legal; it need not be kept. */
  empty: boolean;
  /** The hash in its trailer, hexadecimal; git names its file after it. */
  hash: string;
};

/** Collects small pieces of a pack into large ones and checks its trailer. */
export type PackReceiver = {
  /** Copies `bytes` from `start` on. False = the buffer is nearly full: await `flush` next. */
  take(bytes: Uint8Array, start: number): boolean;
  /** Passes the buffer to the sink; returns while the sink is still processing it. */
  flush(): Promise<void>;
  received(): number;
  /** Ends the pack. @throws ConnectorError when it is truncated or its trailer does not match */
  finish(): Promise<ReceivedPack>;
};

const BUFFER_BYTES = 512 * 1024;
/** Leaves room for one more pkt-line after the buffer counts as full. */
const FULL_AT_BYTES = BUFFER_BYTES - 65_536;
const HEADER_BYTES = 12;

/**
 * Uses two buffers in turn: one fills from the network while the sink processes the other. The last bytes are held
 * back from the hash, because only the end of the stream shows which ones are the trailer.
 */
export function createPackReceiver(format: ObjectFormat, sink: ByteSink): PackReceiver {
  const trailerLength = oidLength(format);
  const hash = createHash(format);
  let filling = new Uint8Array(BUFFER_BYTES);
  let resting = new Uint8Array(BUFFER_BYTES);
  let filled = 0;
  let total = 0;
  let objects = 0;
  let tail: Uint8Array = new Uint8Array(0);
  let writing: Promise<void> | void;

  function digest(chunk: Uint8Array): void {
    if (chunk.length >= trailerLength) {
      hash.update(tail);
      hash.update(chunk.subarray(0, chunk.length - trailerLength));
      tail = chunk.slice(chunk.length - trailerLength);
    } else {
      const joined = concatBytes(tail, chunk);
      const known = Math.max(0, joined.length - trailerLength);
      hash.update(joined.subarray(0, known));
      tail = joined.slice(known);
    }
  }

  async function flush(): Promise<void> {
    if (filled === 0) return;
    const chunk = filling.subarray(0, filled);
    if (total === 0) objects = readPackHeader(chunk);
    total += filled;
    digest(chunk);
    await writing;
    writing = sink.write(chunk);
    // The next await handles the failure; until then it must not be an unhandled rejection.
    writing?.catch(() => undefined);
    [filling, resting] = [resting, filling];
    filled = 0;
  }

  return {
    take(bytes, start) {
      filling.set(start === 0 ? bytes : bytes.subarray(start), filled);
      filled += bytes.length - start;
      return filled < FULL_AT_BYTES;
    },
    flush,
    received: () => total + filled,
    async finish() {
      if (total === 0 && filled < HEADER_BYTES) throw cutOff();
      await flush();
      await writing;
      if (total < HEADER_BYTES + trailerLength) throw cutOff();
      if (!equalBytes(hash.digest(), tail)) {
        throw new ConnectorError(
          "malformed",
          "The pack from the git server does not match its own checksum.",
        );
      }
      return { objects, bytes: total, empty: objects === 0, hash: toHex(tail) };
    },
  };
}

/** The number of objects in a pack's header. @throws ConnectorError when it is not a pack header */
function readPackHeader(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES) throw cutOff();
  const version = view.getUint32(4);
  if (view.getUint32(0) !== 0x5041434b || (version !== 2 && version !== 3)) {
    throw new ConnectorError("malformed", "The git server sent something that is no pack.");
  }
  return view.getUint32(8);
}

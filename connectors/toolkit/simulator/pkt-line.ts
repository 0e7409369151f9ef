/**
 * Splits a byte stream into pkt-lines (gitprotocol-common). Handles only the framing; special packets (`0000` flush,
 * `0001` delimiter, `0002` end) are returned as their four bytes.
 */
export type PktSplitter = (chunk: Uint8Array) => Buffer[];

/** Creates a splitter that returns every packet completed by a chunk, including its length prefix. */
export function createPktSplitter(): PktSplitter {
  let buffered: Buffer = Buffer.alloc(0);
  return (chunk) => {
    buffered = buffered.length === 0 ? Buffer.from(chunk) : Buffer.concat([buffered, chunk]);
    const packets: Buffer[] = [];
    while (buffered.length >= 4) {
      const declared = Number.parseInt(buffered.toString("latin1", 0, 4), 16);
      // Special packets declare fewer than their own four bytes; anything that is not a packet passes through whole.
      const length = Number.isNaN(declared) ? buffered.length : Math.max(declared, 4);
      if (buffered.length < length) break;
      packets.push(buffered.subarray(0, length));
      buffered = buffered.subarray(length);
    }
    return packets;
  };
}

/** Maximum content of a packet, in bytes. */
const LONGEST_CONTENT = 65_516;

/** Frames bytes as one packet. @throws RangeError when they exceed one packet */
export function pktLine(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  if (bytes.length > LONGEST_CONTENT) throw new RangeError(`${bytes.length} bytes are too many for a packet`);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

/** Frames bytes of any length as packets of one side-band. */
export function* bandLines(band: 1 | 2 | 3, bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += LONGEST_CONTENT - 1) {
    yield pktLine(Buffer.concat([Buffer.from([band]), bytes.subarray(at, at + LONGEST_CONTENT - 1)]));
  }
}

/** The flush packet. */
export const FLUSH = Buffer.from("0000");

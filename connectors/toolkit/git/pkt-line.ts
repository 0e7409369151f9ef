import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { utf8 } from "#core/kernel/crypto.ts";

/** Maximum length of a pkt-line, including its four length digits (git: gitprotocol-common). */
export const MAX_PKT_LENGTH = 65_520;
const MAX_PKT_PAYLOAD = MAX_PKT_LENGTH - 4;

export const FLUSH_PKT = utf8("0000");
export const DELIM_PKT = utf8("0001");

/** A pkt-line. `bytes` is a view that stays valid until the next `push`. */
export type Pkt =
  | { type: "data"; bytes: Uint8Array }
  | { type: "flush" }
  | { type: "delim" }
  | { type: "response-end" };

const FLUSH: Pkt = { type: "flush" };
const DELIM: Pkt = { type: "delim" };
const RESPONSE_END: Pkt = { type: "response-end" };

/** Wraps a line or bytes into one pkt-line. @throws RangeError when they are empty or too long. */
export function encodePkt(payload: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof payload === "string" ? utf8(payload) : payload;
  if (bytes.length === 0 || bytes.length > MAX_PKT_PAYLOAD) {
    throw new RangeError(`A pkt-line carries 1 to ${MAX_PKT_PAYLOAD} bytes, not ${bytes.length}`);
  }
  const pkt = new Uint8Array(bytes.length + 4);
  pkt.set(utf8((bytes.length + 4).toString(16).padStart(4, "0")));
  pkt.set(bytes, 4);
  return pkt;
}

/** Parses a byte stream, in pieces of any size, into pkt-lines. */
export type PktParser = {
  /** Adds the next piece; only allowed after `next` has returned null. The bytes are not copied. */
  push(chunk: Uint8Array): void;
  /** Returns the next complete pkt-line; null = more bytes are needed. @throws ConnectorError `malformed` */
  next(): Pkt | null;
  /** Whether an incomplete pkt-line is pending: if the stream ends here, it is truncated. */
  isMidPkt(): boolean;
};

/** Parses without copying, except for a pkt-line that spans two pieces: the cost is per pkt-line, not per byte. */
export function createPktParser(): PktParser {
  let chunk = new Uint8Array(0);
  let position = 0;
  /** The start of a pkt-line that ends in a later piece. */
  const carry = new Uint8Array(MAX_PKT_LENGTH);
  let carried = 0;

  function nextFromCarry(): Pkt | null {
    if (carried < 4 && !fillCarry(4)) return null;
    const length = pktLength(carry, 0);
    if (length < 4) {
      carried = 0;
      return special(length);
    }
    if (carried < length && !fillCarry(length)) return null;
    carried = 0;
    return { type: "data", bytes: carry.subarray(4, length) };
  }

  function fillCarry(wanted: number): boolean {
    const taken = Math.min(wanted - carried, chunk.length - position);
    carry.set(chunk.subarray(position, position + taken), carried);
    carried += taken;
    position += taken;
    return carried === wanted;
  }

  return {
    push(bytes) {
      chunk = bytes as Uint8Array<ArrayBuffer>;
      position = 0;
    },
    next() {
      if (carried > 0) return nextFromCarry();
      const available = chunk.length - position;
      if (available === 0) return null;
      const length = available >= 4 ? pktLength(chunk, position) : MAX_PKT_LENGTH;
      if (length < 4) {
        position += 4;
        return special(length);
      }
      if (available < length) return nextFromCarry();
      const start = position + 4;
      position += length;
      return { type: "data", bytes: chunk.subarray(start, position) };
    },
    isMidPkt: () => carried > 0 || position < chunk.length,
  };
}

function pktLength(bytes: Uint8Array, at: number): number {
  let length = 0;
  for (let i = at; i < at + 4; i++) {
    const digit = hexDigit(bytes[i]!);
    if (digit < 0)
      throw new ConnectorError("malformed", "The git server sent a line without a valid length.");
    length = length * 16 + digit;
  }
  if (length > MAX_PKT_LENGTH || length === 3) {
    throw new ConnectorError("malformed", `The git server sent a line of impossible length ${length}.`);
  }
  return length;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function special(length: number): Pkt {
  if (length === 0) return FLUSH;
  return length === 1 ? DELIM : RESPONSE_END;
}

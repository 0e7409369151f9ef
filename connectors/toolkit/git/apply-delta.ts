import { GitPackError } from "./git-pack-error.ts";

/** Shorter copies are faster byte by byte than with a call. */
const SHORT_COPY = 48;

/** The sizes at the start of a delta. */
export type DeltaHeader = { baseSize: number; resultSize: number; length: number };

/** Reads the two sizes at the start of a delta. @throws GitPackError */
export function readDeltaHeader(delta: Uint8Array, offset: number): DeltaHeader {
  let at = 0;
  const size = (): number => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = delta[at++];
      if (byte === undefined || at > 20) throw broken(offset);
      value += (byte & 0x7f) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw broken(offset);
      if ((byte & 0x80) === 0) return value;
      factor *= 128;
    }
  };
  return { baseSize: size(), resultSize: size(), length: at };
}

/**
 * Applies a delta to its base (git: gitformat-pack, "Deltified representation").
 * @throws GitPackError when the delta does not match its base or its own sizes
 */
export function applyDelta(
  base: Uint8Array,
  delta: Uint8Array,
  header: DeltaHeader,
  offset: number,
): Uint8Array {
  const result = new Uint8Array(header.resultSize);
  let to = 0;
  runDelta(base, delta, header, offset, (source, start, length) => {
    copy(source, start, result, to, length);
    to += length;
  });
  return result;
}

/**
 * Emits the pieces of the object that a delta describes, in order, without building the object.
 * @throws GitPackError when the delta does not match its base or its own sizes
 */
export function runDelta(
  base: Uint8Array,
  delta: Uint8Array,
  header: DeltaHeader,
  offset: number,
  emit: (source: Uint8Array, start: number, length: number) => void,
): void {
  if (header.baseSize !== base.length) throw broken(offset);
  let from = header.length;
  let to = 0;
  while (from < delta.length) {
    const command = delta[from++]!;
    if (command & 0x80) {
      let start = 0;
      let length = 0;
      if (command & 0x01) start = delta[from++]!;
      if (command & 0x02) start |= delta[from++]! << 8;
      if (command & 0x04) start |= delta[from++]! << 16;
      if (command & 0x08) start += delta[from++]! * 0x1000000;
      if (command & 0x10) length = delta[from++]!;
      if (command & 0x20) length |= delta[from++]! << 8;
      if (command & 0x40) length |= delta[from++]! << 16;
      if (length === 0) length = 0x10000;
      // A missing last byte makes a number NaN or moves the position past the end: the check fails either way.
      if (!(from <= delta.length && start + length <= base.length && to + length <= header.resultSize))
        throw broken(offset);
      emit(base, start, length);
      to += length;
    } else {
      if (command === 0 || from + command > delta.length || to + command > header.resultSize)
        throw broken(offset);
      emit(delta, from, command);
      from += command;
      to += command;
    }
  }
  if (to !== header.resultSize) throw broken(offset);
}

function copy(source: Uint8Array, start: number, target: Uint8Array, at: number, length: number): void {
  if (length < SHORT_COPY) for (let i = 0; i < length; i++) target[at + i] = source[start + i]!;
  else target.set(source.subarray(start, start + length), at);
}

function broken(offset: number): GitPackError {
  return new GitPackError("malformed", "A delta does not fit its base or its declared size", offset);
}

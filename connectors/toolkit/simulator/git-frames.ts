/** The frames between `git-process.ts` and `git-launcher.ts`: a type byte, four bytes for the length, the bytes. */

import type { EventEmitter } from "node:events";

/** Which git command to run. */
export type GitOrder = { args: string[]; env: Record<string, string>; cwd?: string };

/** `end` contains git's exit code as JSON; null when git could not start or was ended by a signal. */
export type Frame = { type: "order" | "in" | "out" | "error" | "end"; bytes: Uint8Array };

const TYPES: readonly Frame["type"][] = ["order", "in", "out", "error", "end"];
const HEAD_BYTES = 5;

/** Writes a frame. @returns the result of the last write: false = wait for "drain" */
export function writeFrame(
  target: { write: (bytes: Uint8Array) => boolean },
  { type, bytes }: Frame,
): boolean {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(TYPES.indexOf(type), 0);
  head.writeUInt32BE(bytes.length, 1);
  const isFree = target.write(head);
  return bytes.length === 0 ? isFree : target.write(bytes);
}

/** Waits until a stream accepts more, or has closed. */
export function untilFree(stream: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stream.off("drain", settle).off("close", settle);
      resolve();
    };
    stream.on("drain", settle).on("close", settle);
  });
}

/** The frames of a stream. @throws Error when it ends within one */
export async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  let held: Buffer = Buffer.alloc(0);
  for await (const part of source) {
    held = held.length === 0 ? Buffer.from(part) : Buffer.concat([held, part]);
    for (let frame = firstFrame(held); frame !== null; frame = firstFrame(held)) {
      held = held.subarray(HEAD_BYTES + frame.bytes.length);
      yield frame;
    }
  }
  if (held.length > 0) throw new Error("a frame is cut off");
}

/** Reads one frame from a function that returns exactly the requested number of bytes. */
export function readFrame(take: (bytes: number) => Buffer): Frame {
  const head = take(HEAD_BYTES);
  return { type: typeOf(head), bytes: take(head.readUInt32BE(1)) };
}

function firstFrame(held: Buffer): Frame | null {
  if (held.length < HEAD_BYTES) return null;
  const end = HEAD_BYTES + held.readUInt32BE(1);
  return held.length < end ? null : { type: typeOf(held), bytes: held.subarray(HEAD_BYTES, end) };
}

function typeOf(head: Buffer): Frame["type"] {
  const type = TYPES[head.readUInt8(0)];
  if (type === undefined) throw new Error("a frame of no known type");
  return type;
}

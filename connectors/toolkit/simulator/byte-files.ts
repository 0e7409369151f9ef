import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, truncate } from "node:fs/promises";
import { Readable } from "node:stream";

/** How a request's body ended. */
export type TakenBody = { bytes: number; end: "whole" | "cut" | "too-large" };

/**
 * Writes a body to a file at an offset and truncates the rest. Keeps what arrived of an interrupted body; stops
 * reading a body beyond `mostBytes`.
 */
export async function takeBody(
  body: ReadableStream<Uint8Array> | null,
  file: string,
  { offset = 0, mostBytes = Number.POSITIVE_INFINITY }: { offset?: number; mostBytes?: number } = {},
): Promise<TakenBody> {
  const handle = await open(file, "a").then(async (created) => {
    await created.close();
    await truncate(file, offset);
    return open(file, "r+");
  });
  let bytes = 0;
  try {
    const reader = body?.getReader();
    for (;;) {
      const next = await reader?.read().catch(() => "cut" as const);
      if (next === "cut") return { bytes, end: "cut" };
      if (next === undefined || next.done) return { bytes, end: "whole" };
      if (bytes + next.value.length > mostBytes) {
        await reader?.cancel().catch(() => undefined);
        return { bytes, end: "too-large" };
      }
      await handle.write(next.value, 0, next.value.length, offset + bytes);
      bytes += next.value.length;
    }
  } finally {
    await handle.close();
  }
}

/** A file's bytes from `first` to `last` inclusive; without a range, all bytes. */
export function streamFile(file: string, range?: { first: number; last: number }): ReadableStream {
  const { first: start, last: end } = range ?? {};
  return Readable.toWeb(createReadStream(file, { start, end })) as ReadableStream;
}

const READ_BYTES = 1024 * 1024;

type Algorithm = "md5" | "sha1" | "sha256";

/** Hex digest of a file. */
export async function digestFile(file: string, algorithm: Algorithm): Promise<string> {
  return (await digestsOfFile(file, [algorithm]))[0] ?? "";
}

/** Hex digests of a file, which is read only once. */
export async function digestsOfFile(file: string, algorithms: readonly Algorithm[]): Promise<string[]> {
  const hashes = algorithms.map((algorithm) => createHash(algorithm));
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
    for (const hash of hashes) hash.update(chunk as Buffer);
  }
  return hashes.map((hash) => hash.digest("hex"));
}

/** Parses a Range header: null = the whole file, "unsatisfiable" = the range starts after the end. */
export function readRange(
  header: string | undefined,
  sizeBytes: number,
): { first: number; last: number } | "unsatisfiable" | null {
  const match = /^bytes=(\d+)-(\d*)$/.exec(header ?? "");
  if (match === null) return null;
  const first = Number(match[1]);
  const last = Math.min(match[2] === "" ? sizeBytes - 1 : Number(match[2]), sizeBytes - 1);
  return first > last ? "unsatisfiable" : { first, last };
}

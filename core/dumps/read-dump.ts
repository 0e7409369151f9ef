import { createHash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import { openPiece } from "./seal-piece.ts";

/** The plain content of a piece. `previous` is the key of the piece before; `at` is when it was written. */
export type DumpPiece = { previous: string | null; at: number } & (
  | { kind: "rows"; table: string; rows: Record<string, unknown>[] }
  | { kind: "index"; tables: string[]; rows: number }
);

/**
 * Reads a dump backwards from its index, so memory holds one piece. Yields pages of rows.
 *
 * @param read Returns the bytes of an object, or null.
 * @throws Error naming the piece that is missing, changed or for another key, and when rows are missing
 */
export async function* readDump(
  read: (key: string) => Promise<Uint8Array | null>,
  { privateKey, indexKey }: { privateKey: string; indexKey: string },
): AsyncGenerator<{ table: string; rows: Record<string, unknown>[] }, void> {
  const index = await open(read, privateKey, indexKey);
  if (index.kind !== "index") throw new Error(`${indexKey} is not the index of a dump.`);
  let rows = 0;
  for (let key = index.previous; key !== null; ) {
    const piece = await open(read, privateKey, key);
    if (piece.kind !== "rows") throw new Error(`${key} is an index in the middle of a dump.`);
    rows += piece.rows.length;
    yield piece;
    key = piece.previous;
  }
  if (rows !== index.rows) throw new Error(`The dump has ${rows} rows instead of ${index.rows}.`);
}

async function open(
  read: (key: string) => Promise<Uint8Array | null>,
  privateKey: string,
  key: string,
): Promise<DumpPiece> {
  const bytes = await read(key);
  if (!bytes) throw new Error(`${key} is missing.`);
  if (!key.endsWith(createHash("sha256").update(bytes).digest("hex"))) throw new Error(`${key} was changed.`);
  return JSON.parse(fromUtf8(inflateRawSync(await openPiece(privateKey, bytes)))) as DumpPiece;
}

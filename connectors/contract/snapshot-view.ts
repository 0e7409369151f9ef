import type { Json } from "#core/kernel/canonical-json.ts";

/** An entry of a snapshot, as a connector sees it. */
export type EntryInfo = {
  /** Unique inside the snapshot, `/`-separated, e.g. `git/packs/0001.pack`. */
  path: string;
  /** Kind of entry, e.g. `git-pack`, `repository`, `issue`. */
  kind: string;
  /** `record` = canonical JSON; `stream` = bytes of unknown size. */
  type: "record" | "stream";
  title?: string;
  parent?: string;
  /** Plain size in bytes. */
  sizeBytes: number;
  /** SHA-256 of the plain bytes, hexadecimal. */
  hash: string;
};

/**
 * Read access to one snapshot. Equal snapshots give equal results, in path order.
 *
 * A chunk is valid only until the next one is requested. Then its memory is reused and its length becomes 0: copy a
 * chunk to keep it, and await its delivery before requesting the next one. Do not read ahead: the reader already
 * does. A consumer that knows the length of what it reads checks it.
 */
export interface SnapshotView {
  /** Finds one entry, or null. */
  find(path: string): Promise<EntryInfo | null>;
  /** Number of entries by kind, without reading any. */
  counts(): Readonly<Record<string, number>>;
  /**
   * Entries whose path begins with the prefix, in ascending path order (by UTF-8 bytes). With `after`, starts behind
   * that path without reading what comes before.
   */
  list(prefix?: string, after?: string): AsyncIterable<EntryInfo>;
  /** The same in descending path order. With `before`, starts before that path without reading what comes after it. */
  listBack(prefix?: string, before?: string): AsyncIterable<EntryInfo>;
  /** Returns the parsed record. @throws when the path is not a record or its bytes fail the hash */
  readRecord(path: string): Promise<Json>;
  /**
   * Plain bytes of an entry in chunks of at most 1 MiB, optionally only `[offset, offset + length)`. Every frame is
   * authenticated. A full read also checks the hash at the end and throws on a mismatch.
   */
  read(path: string, range?: { offset: number; length: number }): AsyncIterable<Uint8Array>;
  /** Finds a file derived from an entry after the backup, e.g. the `.idx` of a git pack; null = not derived yet. */
  findCompanion(path: string, name: string): Promise<{ sizeBytes: number; hash: string } | null>;
  /** Plain bytes of a companion. */
  readCompanion(
    path: string,
    name: string,
    range?: { offset: number; length: number },
  ): AsyncIterable<Uint8Array>;
}

/** Receives the bytes of a stream. `write` may return before the bytes are stored; await it for back-pressure. */
export interface ByteSink {
  /** Takes the bytes; the caller must not change them until the promise resolves. */
  write(chunk: Uint8Array): Promise<void> | void;
}

import type { Json } from "#core/kernel/canonical-json.ts";

/** One thing inside a snapshot, as a connector sees it. */
export type EntryInfo = {
  /** Unique inside the snapshot, `/`-separated, e.g. `git/packs/0001.pack`. */
  path: string;
  /** What it is in the platform's words, e.g. `git-pack`, `repository`, `issue`. */
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
 * Read access to one snapshot. Equal snapshots give equal answers, in path order.
 *
 * Chunks are lent: a chunk is valid until the next one is asked for. Then its memory is given back and its length
 * becomes 0, so whoever keeps a chunk copies it, and whoever passes it on waits until it was taken before asking for
 * more. There is nothing to win by reading ahead: the reader does so itself. A consumer that knows the length of what
 * it reads checks it.
 */
export interface SnapshotView {
  /** Finds one entry, or null. */
  find(path: string): Promise<EntryInfo | null>;
  /** Entries per kind; known without reading any. */
  counts(): Readonly<Record<string, number>>;
  /**
   * Entries whose path begins with the prefix, in ascending path order (by UTF-8 bytes); those behind `after` only. What
   * lies before is not read.
   */
  list(prefix?: string, after?: string): AsyncIterable<EntryInfo>;
  /** The parsed record. @throws when the path is no record or its bytes fail their hash. */
  readRecord(path: string): Promise<Json>;
  /**
   * Plain bytes of an entry in chunks of at most 1 MiB, optionally only `[offset, offset + length)`.
   * Every frame is authenticated; a full read also checks the hash at its end and throws when it differs.
   */
  read(path: string, range?: { offset: number; length: number }): AsyncIterable<Uint8Array>;
  /** A file derived from an entry after the backup, e.g. the `.idx` of a git pack; null when there is none yet. */
  findCompanion(path: string, name: string): Promise<{ sizeBytes: number; hash: string } | null>;
  /** Plain bytes of a companion. */
  readCompanion(
    path: string,
    name: string,
    range?: { offset: number; length: number },
  ): AsyncIterable<Uint8Array>;
}

/** Where bytes of a stream are pushed. `write` may return before the bytes are stored; await it for back-pressure. */
export interface ByteSink {
  /** Takes the bytes; the caller must not change them until the promise resolves. */
  write(chunk: Uint8Array): Promise<void> | void;
}

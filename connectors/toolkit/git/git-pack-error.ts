/**
 * What is wrong with a pack. `malformed`: its bytes break the format; `checksum`: a hash does not agree;
 * `missing-base`: a delta leans on an object nobody has; `too-large`: sound as far as seen, but past a limit
 * of memory or work, so it stays stored without an index.
 */
export type GitPackErrorCode = "malformed" | "checksum" | "missing-base" | "too-large";

/** Thrown for every pack, index or saved state that cannot be read; never anything else for bad bytes. */
export class GitPackError extends Error {
  override name = "GitPackError";
  readonly code: GitPackErrorCode;
  /** Where in the file, in bytes, when that is known. */
  readonly offset: number | null;

  constructor(code: GitPackErrorCode, message: string, offset: number | null = null, cause?: unknown) {
    super(
      offset === null ? message : `${message} (at byte ${offset})`,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.offset = offset;
  }
}

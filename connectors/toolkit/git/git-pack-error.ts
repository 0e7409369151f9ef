/**
 * What is wrong with a pack. `malformed`: its bytes violate the format; `checksum`: a hash does not match;
 * `missing-base`: a delta's base is missing; `too-large`: valid as far as checked, but beyond a limit of memory or
 * work, so it is stored without an index.
 */
export type GitPackErrorCode = "malformed" | "checksum" | "missing-base" | "too-large";

/** Thrown for every unreadable pack, index or saved state; bad bytes never cause another error. */
export class GitPackError extends Error {
  override name = "GitPackError";
  readonly code: GitPackErrorCode;
  /** Byte offset in the file, if known. */
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

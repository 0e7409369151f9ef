/**
 * What can be wrong with stored bytes.
 * - `missing`: the object, entry or record is not there.
 * - `tampered`: the bytes are not those that were written.
 * - `truncated`: bytes are missing at the end.
 * - `wrong-key`: the object was written under another key, or for another organisation, item, id or kind.
 * - `mismatch`: bytes that arrive from a source are not those the source promised.
 */
export type VaultErrorKind = "missing" | "tampered" | "truncated" | "wrong-key" | "mismatch";

/** Thrown when the vault cannot give back, or must not take, the exact bytes it was asked for. */
export class VaultError extends Error {
  override name = "VaultError";
  readonly kind: VaultErrorKind;

  constructor(kind: VaultErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
  }
}

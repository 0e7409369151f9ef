/**
 * The ways in which stored bytes can be wrong.
 * - `missing`: the object, entry or record does not exist.
 * - `tampered`: the bytes differ from those that were written.
 * - `truncated`: bytes are missing at the end.
 * - `wrong-key`: the object was written under another key, or for another organisation, item, id or kind.
 * - `mismatch`: incoming bytes differ from what their source announced.
 */
export type VaultErrorKind = "missing" | "tampered" | "truncated" | "wrong-key" | "mismatch";

/** Thrown when the vault cannot return, or must not store, exactly the expected bytes. */
export class VaultError extends Error {
  override name = "VaultError";
  readonly kind: VaultErrorKind;

  constructor(kind: VaultErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
  }
}

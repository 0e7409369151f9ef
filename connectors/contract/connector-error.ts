/** Why a platform did not do what we asked; the engine decides by this word alone what happens next. */
export type ConnectorErrorKind =
  | "unauthorized" // the grant was revoked or has expired for good: the connection needs its owner
  | "forbidden" // the grant lives but does not reach this thing
  | "gone" // the thing was deleted at the platform
  | "rate-limited" // wait until `retryAt`
  | "unavailable" // a passing fault: retry with delay
  | "full" // no room is left there; only its owner can make some
  | "unsupported" // the platform or this connector cannot do it, ever
  | "malformed"; // the answer breaks the platform's own contract

/**
 * A failure of an outside system. Only the queue consumer turns a kind into ack, delay or failure, so connectors
 * throw this and nothing else for what the platform did.
 */
export class ConnectorError extends Error {
  override name = "ConnectorError";
  readonly kind: ConnectorErrorKind;
  /** Epoch milliseconds before which no request may be made; only with `rate-limited`. */
  readonly retryAt: number | null;
  /** HTTP status that the platform answered with, when it answered. */
  readonly status: number | null;

  /** The platform's app was removed from the account; only with `unauthorized`. */
  readonly isAppMissing: boolean;
  /** Less may be asked for: the answer is longer than we take in at once, or the platform gave up over it. */
  readonly isTooMuch: boolean;

  /** @param message A sentence for the user: what happened, with the platform's own answer. Never a secret. */
  constructor(
    kind: ConnectorErrorKind,
    message: string,
    options: {
      retryAt?: number;
      status?: number;
      isAppMissing?: boolean;
      isTooMuch?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.retryAt = options.retryAt ?? null;
    this.status = options.status ?? null;
    this.isAppMissing = options.isAppMissing ?? false;
    this.isTooMuch = options.isTooMuch ?? false;
  }
}

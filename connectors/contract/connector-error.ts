/** Why a platform refused or failed a request. The engine decides by this kind alone what to do next. */
export type ConnectorErrorKind =
  | "unauthorized" // the grant was revoked or has expired for good: the owner must connect again
  | "forbidden" // the grant is valid but does not cover this thing
  | "gone" // deleted at the platform
  | "rate-limited" // wait until `retryAt`
  | "unavailable" // temporary failure: retry with a delay
  | "full" // no space left; only the owner can free some
  | "unsupported" // the platform or this connector can never do it
  | "malformed"; // the response violates the platform's own contract

/**
 * A failure of an external system. For anything the platform does wrong, connectors throw only this. Only the queue
 * consumer turns a kind into an ack, a delay or a failure.
 */
export class ConnectorError extends Error {
  override name = "ConnectorError";
  readonly kind: ConnectorErrorKind;
  /** Epoch milliseconds before which no request may be made; only with `rate-limited` and `unavailable`. */
  readonly retryAt: number | null;
  /** HTTP status of the platform's response, if there was one. */
  readonly status: number | null;

  /** The platform's app is no longer installed on the account; only with `unauthorized`. */
  readonly isAppMissing: boolean;
  /** The method whose credential was refused; only with `unauthorized`. Null = the account as a whole. */
  readonly authMethod: string | null;
  /** A smaller request may succeed: the response exceeds our limit, or the platform gave up on producing it. */
  readonly isTooMuch: boolean;

  /** @param message A sentence for the user: what happened, including the platform's response. Never a secret. */
  constructor(
    kind: ConnectorErrorKind,
    message: string,
    options: {
      retryAt?: number;
      status?: number;
      isAppMissing?: boolean;
      isTooMuch?: boolean;
      authMethod?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.retryAt = options.retryAt ?? null;
    this.status = options.status ?? null;
    this.isAppMissing = options.isAppMissing ?? false;
    this.isTooMuch = options.isTooMuch ?? false;
    this.authMethod = options.authMethod ?? null;
  }
}

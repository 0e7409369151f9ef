import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";

/**
 * An error to show to the user. Status and sentence come from the catalogue. `message` replaces the sentence with a
 * more exact one; `details` carries machine-readable extras such as the time a window opens again.
 */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;

  constructor(
    code: ErrorCode,
    options: {
      message?: string;
      details?: Record<string, string | number | boolean | null>;
      cause?: unknown;
    } = {},
  ) {
    super(
      options.message ?? ERROR_CODES[code].message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.status = ERROR_CODES[code].status;
    this.details = options.details ?? {};
  }
}

import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { AppError } from "#core/kernel/app-error.ts";

/** Translates a platform failure into an error for the waiting user. Other errors pass through unchanged. */
export function translateFailure(cause: unknown): unknown {
  if (!(cause instanceof ConnectorError)) return cause;
  switch (cause.kind) {
    case "unauthorized":
      return new AppError(cause.isAppMissing ? "err.app.missing" : "err.connection.unauthorized", { cause });
    case "forbidden":
    case "gone":
    case "full":
    case "unsupported":
      return new AppError("err.not.found", { message: cause.message, cause });
    case "rate-limited":
      return new AppError("err.platform.limited", { details: { retryAt: cause.retryAt }, cause });
    case "unavailable":
    case "malformed":
      return new AppError("err.platform.unavailable", { message: cause.message, cause });
    default:
      return cause.kind satisfies never;
  }
}

import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError } from "#core/kernel/app-error.ts";
import { loggedPath, logger } from "#core/kernel/logger.ts";
import { isMovingError } from "#core/moves/index.ts";
import type { ApiEnv } from "../api-env.ts";
import { errorEnvelope } from "../envelope.ts";

/**
 * Turns a thrown error into an answer. An `AppError` is shown as it is; any other error becomes a plain 500 with a
 * request id that can be found in the log. Internal details are never exposed.
 */
export function answerError(error: Error, c: Context<ApiEnv>): Response {
  const shown = toAppError(error);
  const log = logger("api");
  // Not `code`: fields of that name may hold a one-time code and are redacted in the log.
  const facts = {
    requestId: c.var.requestId,
    method: c.req.method,
    path: loggedPath(c.req.path),
    errorCode: shown.code,
  };
  if (shown.status >= 500 && shown.code === "err.internal")
    log.error("{method} {path} failed", { ...facts, error });
  else log.info("{method} {path} was refused with {errorCode}", facts);
  const envelope = errorEnvelope(shown);
  if (shown.code === "err.internal") envelope.result = { requestId: c.var.requestId ?? null };
  return c.json(envelope, shown.status as ContentfulStatusCode);
}

function toAppError(error: Error): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException && error.status < 500) {
    return new AppError("err.request.invalid", { cause: error });
  }
  // For some minutes its data can only be read.
  if (isMovingError(error)) return new AppError("err.maintenance", { cause: error });
  return new AppError("err.internal", { cause: error });
}

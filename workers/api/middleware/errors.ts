import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError } from "#core/kernel/app-error.ts";
import { loggedPath, logger } from "#core/kernel/logger.ts";
import type { ApiEnv } from "../api-env.ts";
import { errorEnvelope } from "../envelope.ts";

/**
 * Turns what was thrown into an answer: what the user must be told as it is, everything else as a plain 500 whose
 * request id leads to the log. Nothing of the inside goes out.
 */
export function answerError(error: Error, c: Context<ApiEnv>): Response {
  const told = toAppError(error);
  const log = logger("api");
  // Not `code`: a field of that name may hold a person's one-time code and is blanked in the log.
  const facts = {
    requestId: c.var.requestId,
    method: c.req.method,
    path: loggedPath(c.req.path),
    errorCode: told.code,
  };
  if (told.status >= 500 && told.code === "err.internal")
    log.error("{method} {path} failed", { ...facts, error });
  else log.info("{method} {path} was refused with {errorCode}", facts);
  const envelope = errorEnvelope(told);
  if (told.code === "err.internal") envelope.result = { requestId: c.var.requestId ?? null };
  return c.json(envelope, told.status as ContentfulStatusCode);
}

function toAppError(error: Error): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException && error.status < 500) {
    return new AppError("err.request.invalid", { cause: error });
  }
  return new AppError("err.internal", { cause: error });
}

import { type AppLoadContext, data } from "@remix-run/cloudflare";
import { AppError } from "#core/kernel/app-error.ts";
import type { Refusal } from "./refusal.ts";

/** Runs an action. Returns errors for the user as a value and rethrows all others. */
export async function orRefusal<T>(
  context: AppLoadContext,
  work: () => Promise<T>,
): Promise<{ ok: true; value: T } | Refusal> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof AppError) return refusalOf(error, context.requestId);
    throw error;
  }
}

/** Runs a loader. Errors for the user become the page's error screen with their message. */
export async function orFailure<T>(context: AppLoadContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) {
      throw data(refusalOf(error, context.requestId), { status: error.status });
    }
    throw error;
  }
}

function refusalOf(error: AppError, requestId: string): Refusal {
  return { ok: false, code: error.code, message: error.message, details: error.details, requestId };
}

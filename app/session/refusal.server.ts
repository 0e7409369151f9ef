import { type AppLoadContext, data } from "@remix-run/cloudflare";
import { AppError } from "#core/kernel/app-error.ts";
import type { Refusal } from "./refusal.ts";

/** Runs an action's work; what the user must be told comes back as a value, everything else is thrown on. */
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

/** Runs a loader's work; what the user must be told becomes the page's error screen with its sentence. */
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

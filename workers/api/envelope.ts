import type { AppError } from "#core/kernel/app-error.ts";

/** The format of every API answer (spec part 2 section 7). Lists add members beside `result`. */
export type Envelope = {
  /** "warning" means that a different plan would allow the call (spec part 2 section 8). */
  status: "success" | "failure" | "warning";
  message: string | null;
  result: unknown;
  code: string | null;
};

/** A handler's answer: the result, an optional message, and members beside the result. */
export type Answer = { result: unknown; message?: string; beside?: Readonly<Record<string, unknown>> };

/** Wraps a successful answer. */
export function successEnvelope({ result, message, beside }: Answer): Envelope {
  return { ...beside, status: "success", message: message ?? null, result, code: null };
}

const WARNINGS: ReadonlySet<string> = new Set(["err.item.limit"]);

/** Wraps an error for the user. `result` carries the machine-readable details. */
export function errorEnvelope(error: AppError): Envelope {
  const result = Object.keys(error.details).length > 0 ? error.details : null;
  const status = WARNINGS.has(error.code) ? "warning" : "failure";
  return { status, message: error.message, result, code: error.code };
}

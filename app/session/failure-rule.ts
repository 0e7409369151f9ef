import type { ApiError } from "#app/api/call-api.ts";
import { isServerFailure, isSessionOver } from "#app/api/error-text.ts";
import { SCRIPT_MISSING } from "#app/api/load-for-action.ts";
import { failureNotices } from "#app/copy/failures.ts";
import type { Notice } from "./notice.ts";

/** The page-wide effect of a failed call, in addition to what the calling screen does. */
export type FailureRule =
  | { kind: "none" }
  | { kind: "popup"; notice: Notice }
  /** The session is over: clear the storage and go to the sign-in page. */
  | { kind: "leave"; notice: Notice | null };

/**
 * The global rules (spec ): 401 and 423 end the session, 401 with a popup. A lost connection and every
 * 5xx of ours show the server popup. The identity service's "not signed in" messages count as 401, whatever their
 * status (spec ). Other failures are left to the screen.
 */
export function failureRule({
  status,
  code,
  message,
}: Pick<ApiError, "status" | "code" | "message">): FailureRule {
  if (status === 401 || isSessionOver(message)) return { kind: "leave", notice: failureNotices.unauthorized };
  if (status === 423) return { kind: "leave", notice: null };
  if (code === "err.maintenance") return { kind: "popup", notice: failureNotices.maintenance };
  if (code === SCRIPT_MISSING) return { kind: "popup", notice: failureNotices.script };
  return isServerFailure({ status, code })
    ? { kind: "popup", notice: failureNotices.server }
    : { kind: "none" };
}

import type { ApiError } from "#app/api/call-api.ts";
import { isSessionOver } from "#app/api/error-text.ts";
import { failureNotices } from "#app/copy/failures.ts";
import type { Notice } from "./notice.ts";

/** What a failed call means for the whole page, whatever the screen that made it does about it. */
export type FailureRule =
  | { kind: "none" }
  | { kind: "popup"; notice: Notice }
  /** The session is over: storage is cleared and the sign-in page follows. */
  | { kind: "leave"; notice: Notice | null };

/**
 * A platform that fails or asks us to wait is no fault of the server, and its answer says more than the popup would.
 */
const PLATFORM_FAILURES = new Set(["err.platform.unavailable", "err.platform.limited"]);

/**
 * The global rules (spec ): 401 and 423 end the session, 401 with a popup; a lost connection and every
 * 5xx of ours show the server's popup. The identity service's word that nobody is signed in counts as 401, whatever
 * status it comes with (spec ). All else is left to the screen.
 */
export function failureRule({
  status,
  code,
  message,
}: Pick<ApiError, "status" | "code" | "message">): FailureRule {
  if (status === 401 || isSessionOver(message)) return { kind: "leave", notice: failureNotices.unauthorized };
  if (status === 423) return { kind: "leave", notice: null };
  if (code === "err.maintenance") return { kind: "popup", notice: failureNotices.maintenance };
  if (PLATFORM_FAILURES.has(code)) return { kind: "none" };
  if (status === 0 || status >= 500) return { kind: "popup", notice: failureNotices.server };
  return { kind: "none" };
}

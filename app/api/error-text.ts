/**
 * The identity service's messages, and the text shown for them (spec part 1 section 8). Other messages are shown
 * unchanged.
 */
const SHOWN: Readonly<Record<string, string>> = {
  "User email verification check failed":
    "If this email has an account, you will now be sent a recovery link to your inbox",
  "SignUp verification failed": "This verification link has already been used",
  "Code mismatch": "Code is invalid, please check your authenticator",
  "Invalid code received for user": "Code is invalid, please check your authenticator",
  "Invalid session for the user, session is expired": "Code has expired, please check your authenticator",
  "Your software token has already been used once": "Please wait for your app to refresh a new code",
};

/** The identity service returns this error although the request succeeded (spec ). */
const DONE_ALL_THE_SAME = "Invalid lambda function output";

/** Messages for a session that the identity service no longer accepts (spec ). */
const SESSION_OVER = new Set(["The incoming token has expired", "The user is not authenticated"]);

/**
 * The user-facing text of an error: in plain words, without the trailing period (spec ).
 */
export function errorText(message: string): string {
  const bare = withoutPeriod(message);
  return SHOWN[bare] ?? bare;
}

/** True for the error that means success: the recovery step was completed. */
export function isDoneAllTheSame(message: string): boolean {
  return withoutPeriod(message) === DONE_ALL_THE_SAME;
}

/** True when the message means that the session is over and the user must sign in again. */
export function isSessionOver(message: string): boolean {
  return SESSION_OVER.has(withoutPeriod(message));
}

/** A platform's outage or rate limit is not our server's fault, and its message says more than the popup. */
const PLATFORM_FAILURES = new Set(["err.platform.unavailable", "err.platform.limited"]);

/** Whether any page shows a popup for the failure: our server failed, or could not be reached (spec ). */
export function isServerFailure({ status, code }: { status: number; code: string }): boolean {
  return (status === 0 || status >= 500) && !PLATFORM_FAILURES.has(code);
}

function withoutPeriod(message: string): string {
  return message.trim().replace(/\.$/, "");
}

import { ApiError, callApi } from "#app/api/call-api.ts";

/**
 * The state of this browser's session: it belongs to `sub`, it is over, it belongs to another user, or the server did
 * not answer.
 */
export type SessionAnswer = "alive" | "over" | "other" | "unknown";

/** Asks the server for the session's state. Like any call, this keeps the session alive. Never throws. */
export async function askSession(sub: string | null = null): Promise<SessionAnswer> {
  try {
    const { result } = await callApi("GET user/get-user-start-info", {}, { isQuiet: true });
    return sub === null || result.sub === sub ? "alive" : "other";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 401 || error.status === 423 ? "over" : "unknown";
  }
}

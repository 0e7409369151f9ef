import { ApiError, type CallApi } from "#app/api/call-api.ts";
import { isDoneAllTheSame } from "#app/api/error-text.ts";

/** Sends a code. The answer does not reveal whether the address is known. */
export function sendCode(call: CallApi, email: string): Promise<void> {
  return done(call("POST identity/forgot-password", { email }));
}

/** Sets the new password with the code. Ends all sessions of the user. */
export function changePassword(
  call: CallApi,
  { email, code, password }: { email: string; code: string; password: string },
): Promise<void> {
  return done(call("POST identity/confirm-password", { email, code, new_password: password }));
}

/** One error of the identity service means success (spec ). */
async function done(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && isDoneAllTheSame(error.message))) throw error;
  }
}

import { ApiError, type callApi } from "#app/api/call-api.ts";
import { isDoneAllTheSame } from "#app/api/error-text.ts";

type Call = typeof callApi;

/** Has a code sent; the answer is the same whether the address is known or not. */
export function sendCode(call: Call, email: string): Promise<void> {
  return done(call("identity/forgot-password", { method: "POST", body: { email } }));
}

/** Sets the new password for whoever holds the code; all sessions of the person end. */
export function changePassword(
  call: Call,
  { email, code, password }: { email: string; code: string; password: string },
): Promise<void> {
  const body = { email, code, new_password: password };
  return done(call("identity/confirm-password", { method: "POST", body }));
}

/** One failure of the identity service is none (spec ). */
async function done(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && isDoneAllTheSame(error.message))) throw error;
  }
}

import { errorText } from "#app/api/error-text.ts";
import { ERROR_CODES, type ErrorCode } from "#core/kernel/error-codes.ts";

/** The error that is shown at the company domain instead of above the form. */
export const DOMAIN_FAILURE = "err.federation.domain" satisfies ErrorCode;

/** The message for an error code in the URL. Unknown codes get the message for a failed federated sign-in. */
export function failureText(code: string): string {
  const known = Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : "err.federation.failed";
  return errorText(ERROR_CODES[known].message);
}

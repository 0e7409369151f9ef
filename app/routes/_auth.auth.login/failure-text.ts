import { errorText } from "#app/api/error-text.ts";
import { ERROR_CODES, type ErrorCode } from "#core/kernel/error-codes.ts";

/** The failure that is told beside the company domain instead of above the form. */
export const DOMAIN_FAILURE = "err.federation.domain" satisfies ErrorCode;

/** The sentence of a failure that came back in the address; for anything unknown that of a failed federated sign-in. */
export function failureText(code: string): string {
  const known = Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : "err.federation.failed";
  return errorText(ERROR_CODES[known].message);
}

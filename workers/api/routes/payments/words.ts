import type { ErrorCode } from "#core/kernel/error-codes.ts";

export const tag = "Payments";

/** Error codes of every call that asks the payment provider; only the owner may make them (spec part 3 section 6). */
export const BILLING: readonly ErrorCode[] = ["err.role.forbidden", "err.payment.unavailable"];

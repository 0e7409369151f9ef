import { checkoutCopy } from "#app/copy/checkout.ts";
import type { StripeError } from "./stripe-js.ts";

/** Failures that say nothing about the card. */
const ELSEWHERE = ["api_connection_error", "api_error", "rate_limit_error"];

/**
 * The notice when no payment method could be made of the form (spec B-212, B-273, B-276). The form marks the field that
 * is wrong. When the provider could not be asked, its own words are shown, because the card may be right.
 */
export function noCardText(error: StripeError | undefined): string {
  if (error?.message && ELSEWHERE.includes(error.type ?? "")) return error.message;
  return checkoutCopy.pay.incorrectCard;
}

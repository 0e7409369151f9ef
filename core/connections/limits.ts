import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";

/** How long a person may take on the provider's consent page. */
export const AUTHORISATION_MS = 15 * MINUTE_MS;
/** How long a person may take to choose among the accounts of an authorisation, and how many may be chosen at once. */
export const CHOICE_MS = 15 * MINUTE_MS;
export const CANDIDATES_AT_ONCE = 20;
/** Authorisations are deleted this long after they expired. */
export const AUTHORISATION_KEPT_MS = DAY_MS;
/** Digits of the code that confirms an account. */
export const CODE_DIGITS = 6;
/** How long a code is valid. */
export const CODE_MINUTES = 15;
/** Maximum tries per code. */
export const CODE_TRIES = 5;
/** Maximum codes per account within `CODE_WINDOW_MS`. */
export const CODES_PER_WINDOW = 5;
export const CODE_WINDOW_MS = HOUR_MS;
/** Removed connections that one sweep handles, and the age from which it does. */
export const SWEEP_REMOVED = 20;
export const REMOVED_LEFT_BEHIND_MS = 5 * MINUTE_MS;
/** Points of a platform's budget that a slice takes at once. */
export const LEASED_POINTS = 20;
/** A slice tells a budget at once that less than this many times what it holds is left. */
export const LEASES_OF_REST = 10;

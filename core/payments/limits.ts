import { countOrRefuse, type Limit, type Refund } from "#core/accounts/index.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import type { Uses } from "#core/services.ts";

/** Cards per organisation: stolen numbers are tried out where trying is free. */
const CARDS: Limit = { name: "cards", most: 10, windowMs: HOUR_MS, code: "err.attempts.limit" };
/** Coupon codes per organisation: short codes can be guessed. */
const CODES: Limit = { name: "coupon-codes", most: 20, windowMs: HOUR_MS, code: "err.attempts.limit" };

/**
 * Readings of the provider that members ask for, per organisation. A screen that waits polls twenty times in three
 * minutes (spec B-188); the provider's own limit is shared by all organisations.
 */
const REFRESHES: Limit = {
  name: "payment-refreshes",
  most: 60,
  windowMs: 5 * MINUTE_MS,
  code: "err.attempts.limit",
};

/** @throws AppError `err.attempts.limit` */
export async function countRefresh(deps: Uses<"clock" | "control">, organisationId: string): Promise<void> {
  await countOrRefuse(deps, REFRESHES, organisationId);
}

/** @throws AppError `err.attempts.limit` */
export async function countCard(deps: Uses<"clock" | "control">, organisationId: string): Promise<void> {
  await countOrRefuse(deps, CARDS, organisationId);
}

/** Counts a code before it is looked up. A code that is valid is no guess: take it back. @throws AppError `err.attempts.limit` */
export async function countCode(deps: Uses<"clock" | "control">, organisationId: string): Promise<Refund> {
  return countOrRefuse(deps, CODES, organisationId);
}

import { countOrRefuse, type Limit, type Refund } from "#core/accounts/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import type { Uses } from "#core/services.ts";

/** Cards per organisation: stolen numbers are tried out where trying is free. */
const CARDS: Limit = { name: "cards", most: 10, windowMs: HOUR_MS, code: "err.attempts.limit" };
/** Coupon codes per organisation: short codes can be guessed. */
const CODES: Limit = { name: "coupon-codes", most: 20, windowMs: HOUR_MS, code: "err.attempts.limit" };

/** @throws AppError `err.attempts.limit` */
export async function countCard(deps: Uses<"clock" | "control">, organisationId: string): Promise<void> {
  await countOrRefuse(deps, CARDS, organisationId);
}

/** Counts a code before it is looked up. A code that is valid is no guess: take it back. @throws AppError `err.attempts.limit` */
export async function countCode(deps: Uses<"clock" | "control">, organisationId: string): Promise<Refund> {
  return countOrRefuse(deps, CODES, organisationId);
}

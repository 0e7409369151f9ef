import type { HostLicence } from "#connectors/contract/host-app.ts";
import { DAY_MS } from "#core/kernel/clock.ts";

/**
 * How long an active licence is believed that names no end, or one that is past although it is active, as while the
 * marketplace waits for a payment. The host states it again every hour.
 */
export const BELIEVED_MS = 3 * DAY_MS;

/** What a marketplace's licence gives. Times in epoch ms. */
export type LicensedRight = { plan: "trial" | "essential" | "pro"; endsAt: number };

/**
 * The right that a licence stands for: the larger edition is Pro, the other one Essential, an evaluation the trial. The
 * marketplace counts the users and is paid for them, so no number of ours limits it. A licence that is not active is over.
 */
export function rightOfLicence(licence: HostLicence, now: number): LicensedRight {
  const paid = licence.isAdvanced ? "pro" : "essential";
  const plan = licence.isTrial ? "trial" : paid;
  const isAhead = licence.endsAt !== null && licence.endsAt > now;
  const endsAt = isAhead ? (licence.endsAt ?? now) : now + BELIEVED_MS;
  return { plan, endsAt: licence.isActive ? endsAt : now };
}

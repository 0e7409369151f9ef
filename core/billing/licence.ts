import type { HostLicence } from "#connectors/contract/host-app.ts";

/** What a marketplace's licence gives, and until when it is paid. Times in epoch ms, null when the host names none. */
export type LicensedRight = { plan: "trial" | "essential" | "pro"; paidUntil: number | null };

/**
 * The right that a licence stands for: the larger edition is Pro, the other one Essential, an evaluation the trial. Null when
 * it is not active. The marketplace counts the users and is paid for them, so no number of ours limits it. It renews itself,
 * so only an evaluation has an end that is known ahead.
 */
export function rightOfLicence({ isActive, isTrial, isAdvanced, endsAt }: HostLicence): LicensedRight | null {
  if (!isActive) return null;
  const paid = isAdvanced ? "pro" : "essential";
  return { plan: isTrial ? "trial" : paid, paidUntil: endsAt };
}

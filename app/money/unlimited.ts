import { unitWords } from "#app/copy/checkout.ts";

/** Where users are counted, this quantity stands for no limit (spec P-456, B-285). */
const UNLIMITED = 2_002;

/** True where the plan counts users, so that any number of items can be protected. */
export const countsUsers = (platform: string): boolean => unitWords(platform)[0] === "user";

/** True for a plan that includes any number of users. */
export function isUnlimited(platform: string, planQuantity: number): boolean {
  return planQuantity === UNLIMITED && countsUsers(platform);
}

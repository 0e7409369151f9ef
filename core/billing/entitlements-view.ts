/** What an organisation may do on one platform now (spec part 2 section 6, part 3). */
export type Entitlements = {
  plan: "trial" | "essential" | "pro" | "none";
  /** A trial or subscription that has not ended. */
  isActive: boolean;
  endsAt: number | null;
  /** What was bought: items, or users where the plan counts people. */
  quantity: number;
  /** Items that may be protected. */
  itemLimit: number;
  retentionDays: number;
  periodMs: number;
  /** Pro or running trial: Backup now, (de)activate, places, bulk restore of more than one, external storage. */
  hasProFeatures: boolean;
};

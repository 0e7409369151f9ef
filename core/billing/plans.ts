import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";

/** What a plan includes on its platform (spec parts 2 and 3; DECISIONS.md settles ambiguities). */
export type Plan = {
  /** How long versions are kept. */
  retentionDays: number;
  /** Time between two scheduled backups. */
  periodMs: number;
  /** Backup now, switching items on and off, places, bulk restore of more than one, external storage. */
  hasProFeatures: boolean;
};

/** Plans by name. The subscription's quantity sets the number of items. */
export const PLANS = {
  trial: { retentionDays: 30, periodMs: 24 * HOUR_MS, hasProFeatures: true },
  essential: { retentionDays: 30, periodMs: 24 * HOUR_MS, hasProFeatures: false },
  pro: { retentionDays: 90, periodMs: 12 * HOUR_MS, hasProFeatures: true },
} as const satisfies Record<string, Plan>;

/** The longest that any plan keeps versions. */
export const LONGEST_RETENTION_DAYS = Math.max(
  ...Object.values(PLANS).map(({ retentionDays }) => retentionDays),
);

export type PlanName = keyof typeof PLANS;

/** Length of the free trial, which begins when the platform is connected (spec part 3 section 1). */
export const TRIAL_MS = 14 * DAY_MS;

/** Items a trial includes (spec/README B-130). */
export const TRIAL_ITEMS = 10;

/** The quantity that stands for no limit where users are counted (spec P-456, B-131, B-285). */
export const UNLIMITED_ITEMS = 2_002;

/** Stands for no limit of items, where the plan counts people: more than any account has. */
export const MOST_ITEMS = 1_000_000;

/**
 * After a plan ends, the platform's backups are paused for this long before they may be removed (spec B-111 to B-113).
 */
export const GRACE_MS = 30 * DAY_MS;

/**
 * The longest that a removal is late, because its warnings were. What is older is left to people: nobody was warned in all
 * that time.
 */
export const LATEST_REMOVAL_MS = 90 * DAY_MS;

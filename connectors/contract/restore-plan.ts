/** What a restore of a version will do, computed before it starts. */
export type RestorePlan = {
  /** What will be created, by the kinds of the restore's report, in display order. */
  creates: PlannedKind[];
  /** True = the version is too large to read every record, so some numbers are estimated from a sample. */
  isEstimate: boolean;
  /** What will be restored in another form. */
  changed: PlanLine[];
  /** What cannot be restored on the platform, and why. */
  impossible: PlanLine[];
  /** What the version is known to lack, so that the restore will be incomplete. */
  missing: PlanLine[];
  cost: RestoreCost;
  /** The cost if the platform allows less than it documents; null = nothing of the kind is known. */
  slower: { reason: string; cost: RestoreCost } | null;
};

/** The number of things of one kind that will be created. */
export type PlannedKind = { kind: string; count: number; one: string; many: string };

/** A line of a plan, worded as in the report. */
export type PlanLine = { what: string; reason: string };

/** What a restore costs at the platform. Times are derived from it and from the account's remaining quota. */
export type RestoreCost = {
  /** API calls that only read. */
  reads: number;
  /** API calls that change something. Git and LFS transfers do not count. */
  writes: number;
  /** Of `writes`, those that create content; platforms limit them separately. */
  creations: number;
  /** Pauses that the restore makes between its calls, in ms. */
  waitMs: number;
  /** Bytes to send. */
  bytes: number;
  /** The platform's limits for one account. */
  limits: readonly CallLimit[];
};

/** At most `most` calls or creations in a period. */
export type CallLimit = {
  of: "calls" | "creations";
  /** The quota's name in the platform's rate-limit reports; null = the platform does not report it. */
  resource: string | null;
  most: number;
  periodMs: number;
};

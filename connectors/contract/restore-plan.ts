/** What a restore of a version will do, told before it is started. */
export type RestorePlan = {
  /** What will be created, by the kinds of the restore's report and in the order in which people read it. */
  creates: PlannedKind[];
  /** True = the version is too large to look at each thing, so that some numbers come from a sample. */
  isEstimate: boolean;
  /** What will come back in another form. */
  changed: PlanLine[];
  /** What the platform has no way to take back, and why. */
  impossible: PlanLine[];
  /** What the version is known to lack: the restore will be incomplete without it. */
  missing: PlanLine[];
  cost: RestoreCost;
  /** What it costs where the platform allows less than it promises; null = nothing of the kind is known. */
  slower: { reason: string; cost: RestoreCost } | null;
};

/** How many of a kind will be created. */
export type PlannedKind = { kind: string; count: number; one: string; many: string };

/** A line of a plan, as the report will say it. */
export type PlanLine = { what: string; reason: string };

/** What a restore asks of the platform. Times follow from it and from what is left of the account's quota. */
export type RestoreCost = {
  /** Calls of the API that only read. */
  reads: number;
  /** Calls of the API that change something; git and its large files do not count as calls. */
  writes: number;
  /** Of the writes, those that create content: platforms limit them apart. */
  creations: number;
  /** Pauses that the restore itself makes between its calls, in ms. */
  waitMs: number;
  /** Bytes that are sent. */
  bytes: number;
  /** What the platform lets one account do. */
  limits: readonly CallLimit[];
};

/** At most so many calls, or creations, in a period. */
export type CallLimit = {
  of: "calls" | "creations";
  /** The platform's name of the quota, under which it tells what is left; null = it does not tell. */
  resource: string | null;
  most: number;
  periodMs: number;
};

import type { RunProgress } from "#core/inventory/views.ts";

/** What became of an item in the round. */
export type CellState =
  /** Backed up. */
  | "good"
  /** Backed up after a retry, or after an earlier failure of the day. */
  | "retried"
  | "failed"
  | "running"
  /** At work, but the provider asked us to wait. */
  | "waiting"
  /** Queued: not started yet, or a fault is retried later. */
  | "queued"
  /** Its next scheduled backup is due today. */
  | "due";

/** One item of the round. */
export type RoundCell = {
  itemId: string;
  platform: string;
  name: string;
  state: CellState;
  /** When it ended, started, was queued or is due, epoch ms. */
  at: number;
  /** The backup that the cell shows; null = it has not been queued. */
  runId: string | null;
  /** Why it failed, as a sentence. */
  errorText: string | null;
};

/** How many items of the round are in each state. */
export type RoundCounts = Record<CellState, number>;

export type Round = {
  counts: RoundCounts;
  /** When the last scheduled backup of today is due, epoch ms; null = none is left. */
  lastDueAt: number | null;
  /** In the order of the round. Null = too many to draw. */
  cells: RoundCell[] | null;
};

/** The kinds of runs that people ask for, or that make versions. */
export type ShownKind = "backup" | "restore" | "export";

/** A run that is queued or at work. */
export type OpenRun = {
  itemId: string;
  platform: string;
  connectionId: string;
  name: string;
  progress: RunProgress & { kind: ShownKind };
  createdAt: number;
  trigger: "schedule" | "user" | "system";
  /** The reader asked for it. */
  isOwn: boolean;
  /** The item has no version yet. */
  isFirst: boolean;
  /** It waits because its account has as many runs at work as allowed. */
  waitsTurn: boolean;
  /** The retry that comes next, and how many there are; null = the last attempt did not fail. */
  retry: { next: number; most: number } | null;
};

/** A run that ended today. */
export type DoneRun = {
  runId: string;
  itemId: string;
  platform: string;
  name: string;
  kind: ShownKind;
  isFailed: boolean;
  finishedAt: number;
  /** From its start to its end; null = it never started. */
  tookMs: number | null;
  /** Bytes of its version that no earlier one had; null = it made no version, or the version is gone. */
  newBytes: number | null;
  /** What a backup had to leave out. */
  skipped: number;
  /** Lines of a restore's report; null for other kinds. */
  outcome: { missing: number; notes: number } | null;
  errorText: string | null;
};

/** What an account may still ask of its provider. */
export type ProviderLimit = {
  platform: string;
  connectionId: string;
  /** The account's name; null = the platform has one account only. */
  account: string | null;
  /** The provider asked us to pause until then, epoch ms; null = it did not. */
  pausedUntil: number | null;
  quotas: {
    name: string;
    left: number;
    /** How many calls there are in all; null = not known. */
    of: number | null;
    /** When the quota is full again, epoch ms; null = it slides. */
    opensAt: number | null;
    /** The length of a sliding quota, ms; null = it opens at a time. */
    perMs: number | null;
  }[];
};

/** The runs of today, as the page shows them. All times are epoch ms. */
export type RunsView = {
  /** When the view was read. */
  readAt: number;
  round: Round;
  /** How many backups of one account may be at work at the same time. */
  placesOfAccount: number;
  /** At work, the oldest first. */
  running: OpenRun[];
  /** In the order in which they start, as far as that is known. */
  queue: OpenRun[];
  /** How many wait, also those that `queue` leaves out. */
  queueTotal: number;
  /** Scheduled backups of today that come after the queue. */
  due: RoundCell[];
  /** One page of the runs that ended today, newest first. */
  done: DoneRun[];
  doneTotal: number;
  limits: ProviderLimit[];
  /** When the next scheduled backup is due, on any day; null = none is planned. */
  nextDueAt: number | null;
};

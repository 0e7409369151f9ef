import { z } from "zod";
import { isShard, regionOf, type Shard } from "#core/database/shards.ts";

/**
 * All queue messages. A message carries ids and is only a hint: the run row in the ledger is the truth (design, engine
 * 1), so a lost message delays work and a repeated one changes nothing. A payload that changes gets a new message name.
 */
const region = z.enum(["US", "DE", "UK", "AP"]);
const runOrder = z.object({
  region,
  /** Empty in a message of a release that had one ledger per region. */
  organisationId: z.string().default(""),
  runId: z.string(),
  epoch: z.number().int(),
});
const shard = z.custom<Shard>(isShard);

/** Duties for each ledger of each region, every minute and every hour. */
export const MINUTE_DUTIES = ["schedule", "requests", "sweep", "copies"] as const;
export const HOUR_DUTIES = ["expire", "prune", "check-again", "repack", "silence", "forget-runs"] as const;
const DUTIES = [...MINUTE_DUTIES, ...HOUR_DUTIES] as const;

export const jobs = {
  /**
   * Performs one duty for one ledger. A lost message delays it to the next tick. `since`: when the first message of its
   * chain was sent.
   */
  "tend-ledger": {
    queue: "BACKUPS",
    payload: z.object({
      region,
      /** Absent = the region's first. */
      shard: shard.optional(),
      duty: z.enum(DUTIES),
      since: z.number().optional(),
    }),
  },
  "back-up-item": { queue: "BACKUPS", payload: runOrder },
  "verify-snapshot": { queue: "BACKUPS", payload: runOrder },
  "delete-item": { queue: "BACKUPS", payload: runOrder },
  "repack-item": { queue: "BACKUPS", payload: runOrder },
  /** A lost message delays the look by an hour, until the next tick. */
  "look-for-new-items": {
    queue: "BACKUPS",
    payload: z.object({ organisationId: z.string(), connectionId: z.string() }),
  },
  /** A lost message delays the count by a day. */
  "count-seats": {
    queue: "BACKUPS",
    payload: z.object({ organisationId: z.string(), connectionId: z.string() }),
  },
  /**
   * A lost message delays the report by a day. Of a chain that gathers people: when it began, the last item whose version
   * it has read, and whether it could read all so far.
   */
  "report-people": {
    queue: "BACKUPS",
    payload: z.object({
      organisationId: z.string(),
      connectionId: z.string(),
      since: z.number().optional(),
      after: z.string().optional(),
      isWhole: z.boolean().optional(),
    }),
  },
  /** A lost message delays the deletion by an hour, until the next tick. */
  "empty-removed-connection": {
    queue: "BACKUPS",
    payload: z.object({ organisationId: z.string(), connectionId: z.string() }),
  },
  /** A lost message delays it by a minute, until the next tick. */
  "fit-plan": {
    queue: "BACKUPS",
    payload: z.object({ organisationId: z.string(), platform: z.string() }),
  },
  /** A lost message delays the removal by an hour, until the next tick. */
  "remove-lapsed": { queue: "BACKUPS", payload: z.object({ removalId: z.string() }) },
  /** A lost message delays the removal by an hour, until the next tick. */
  "remove-closed": { queue: "BACKUPS", payload: z.object({ closureId: z.string() }) },
  /** A lost message delays the day's dump by an hour: the next tick begins it anew. */
  "dump-control": {
    queue: "BACKUPS",
    payload: z.object({
      date: z.iso.date(),
      table: z.string(),
      after: z.number(),
      previous: z.string().nullable(),
      rows: z.number(),
    }),
  },
  "restore-item": { queue: "RESTORES", payload: runOrder },
  "build-export": { queue: "EXPORTS", payload: runOrder },
  "replicate-version": { queue: "EXPORTS", payload: runOrder },
  /** A lost message delays the removal by an hour, until the next tick. */
  "remove-copies": { queue: "EXPORTS", payload: z.object({ region, organisationId: z.string() }) },
  "send-mail": { queue: "MAIL", payload: z.object({ mailId: z.string() }) },
  /** A lost message delays the report by an hour: the next tick of the same local day queues it again. */
  "build-report": { queue: "MAIL", payload: z.object({ userId: z.string(), date: z.iso.date() }) },
  /** A lost message loses only a request that the person can repeat. The address is sealed. */
  "write-account-mail": {
    queue: "MAIL",
    payload: z.object({
      kind: z.enum(["recovery-code", "verify-email"]),
      requestId: z.string(),
      sealedEmail: z.string(),
      requestedAt: z.number(),
    }),
  },
} as const satisfies Record<string, { queue: QueueName; payload: z.ZodType }>;

export type QueueName = "BACKUPS" | "RESTORES" | "EXPORTS" | "MAIL";
export type JobName = keyof typeof jobs;
export type JobPayload<N extends JobName> = z.infer<(typeof jobs)[N]["payload"]>;
export type JobMessage = { [N in JobName]: { job: N; payload: JobPayload<N> } }[JobName];

/** What tells a ledger's duty where it is done: a region's first ledger needs no name. */
export function placeOf(shard: Shard): Pick<JobPayload<"tend-ledger">, "region" | "shard"> {
  const region = regionOf(shard);
  return shard === region ? { region } : { region, shard };
}

/** Sends jobs. A failed send loses nothing: the sweep finds the run and sends again. */
export interface JobQueue {
  send(messages: readonly JobMessage[], options?: { delaySeconds?: number }): Promise<void>;
}

/** Parses a queue message. Returns null when it is not one of ours. */
export function parseJob(body: unknown): JobMessage | null {
  const shape = z
    .object({ job: z.enum(Object.keys(jobs) as [JobName, ...JobName[]]), payload: z.unknown() })
    .safeParse(body);
  if (!shape.success) return null;
  const payload = jobs[shape.data.job].payload.safeParse(shape.data.payload);
  return payload.success ? ({ job: shape.data.job, payload: payload.data } as JobMessage) : null;
}

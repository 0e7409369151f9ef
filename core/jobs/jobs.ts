import { z } from "zod";

/**
 * Every queue message. A message carries ids and is only a hint: losing one delays, repeating one changes nothing,
 * because the run row in the ledger is the truth (design, engine 1). Payloads are versioned by their name.
 */
const region = z.enum(["US", "DE", "UK", "AP"]);
const runOrder = z.object({ region, runId: z.string(), epoch: z.number().int() });

/** What each ledger is looked at for, every minute and every hour. */
export const MINUTE_DUTIES = ["schedule", "requests", "sweep", "copies"] as const;
export const HOUR_DUTIES = ["expire", "prune", "check-again", "repack", "silence"] as const;
const DUTIES = [...MINUTE_DUTIES, ...HOUR_DUTIES] as const;

export const jobs = {
  /** The clock's look at one ledger; losing one delays it to the next tick. `since`: when the first look of its chain began. */
  "tend-ledger": {
    queue: "BACKUPS",
    payload: z.object({ region, duty: z.enum(DUTIES), since: z.number().optional() }),
  },
  "back-up-item": { queue: "BACKUPS", payload: runOrder },
  "verify-snapshot": { queue: "BACKUPS", payload: runOrder },
  "delete-item": { queue: "BACKUPS", payload: runOrder },
  "repack-item": { queue: "BACKUPS", payload: runOrder },
  /** Losing one delays the look by an hour: the clock asks again. */
  "look-for-new-items": {
    queue: "BACKUPS",
    payload: z.object({ organisationId: z.string(), connectionId: z.string() }),
  },
  "restore-item": { queue: "RESTORES", payload: runOrder },
  "build-export": { queue: "EXPORTS", payload: runOrder },
  "replicate-version": { queue: "EXPORTS", payload: runOrder },
  /** Losing one delays the removal by an hour: the clock asks again. */
  "remove-copies": { queue: "EXPORTS", payload: z.object({ region, organisationId: z.string() }) },
  "send-mail": { queue: "MAIL", payload: z.object({ mailId: z.string() }) },
  /** Losing one delays the report by an hour: the next tick of the same local day queues it again. */
  "build-report": { queue: "MAIL", payload: z.object({ userId: z.string(), date: z.iso.date() }) },
  /** Losing one loses nothing but a request that anybody may make again; the address is sealed. */
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

/** Sends jobs. Failing to send loses nothing: the sweep finds the run and sends again. */
export interface JobQueue {
  send(messages: readonly JobMessage[], options?: { delaySeconds?: number }): Promise<void>;
}

/** Reads a message from a queue; null when it is none of ours. */
export function parseJob(body: unknown): JobMessage | null {
  const shape = z
    .object({ job: z.enum(Object.keys(jobs) as [JobName, ...JobName[]]), payload: z.unknown() })
    .safeParse(body);
  if (!shape.success) return null;
  const payload = jobs[shape.data.job].payload.safeParse(shape.data.payload);
  return payload.success ? ({ job: shape.data.job, payload: payload.data } as JobMessage) : null;
}

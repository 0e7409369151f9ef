import { z } from "zod";

/** The answer about the runs of today. Times are epoch ms. */
const progress = z.object({
  runId: z.string(),
  kind: z.enum(["backup", "restore", "export"]),
  status: z.enum(["queued", "running"]),
  phase: z.string().nullable(),
  done: z.number(),
  total: z.number().nullable(),
  unit: z.string().nullable(),
  bytesRead: z.number(),
  startedAt: z.number().nullable(),
  expectedEndAt: z.number().nullable(),
  waitingUntil: z.number().nullable(),
  fault: z.string().nullable(),
});

const item = { itemId: z.string(), platform: z.string(), name: z.string() };

const cell = z.object({
  ...item,
  state: z.enum(["good", "retried", "failed", "running", "waiting", "queued", "due"]),
  at: z.number(),
  runId: z.string().nullable(),
  errorText: z.string().nullable(),
});

const count = z.int().min(0);

const openRun = z.object({
  ...item,
  connectionId: z.string(),
  progress,
  createdAt: z.number(),
  trigger: z.enum(["schedule", "user", "system"]),
  isOwn: z.boolean(),
  isFirst: z.boolean(),
  waitsTurn: z.boolean(),
  retry: z.object({ next: z.int(), most: z.int() }).nullable(),
});

const doneRun = z.object({
  ...item,
  runId: z.string(),
  kind: z.enum(["backup", "restore", "export"]),
  isFailed: z.boolean(),
  finishedAt: z.number(),
  tookMs: z.number().nullable(),
  newBytes: z.number().nullable(),
  skipped: count,
  outcome: z.object({ missing: count, notes: count }).nullable(),
  errorText: z.string().nullable(),
});

const limit = z.object({
  platform: z.string(),
  connectionId: z.string(),
  account: z.string().nullable(),
  pausedUntil: z.number().nullable(),
  quotas: z.array(
    z.object({
      name: z.string(),
      left: z.number(),
      of: z.number().nullable(),
      opensAt: z.number().nullable(),
      perMs: z.number().nullable(),
    }),
  ),
});

export const runsAnswer = z.object({
  readAt: z.number(),
  round: z.object({
    counts: z.object({
      good: count,
      retried: count,
      failed: count,
      running: count,
      waiting: count,
      queued: count,
      due: count,
    }),
    lastDueAt: z.number().nullable(),
    cells: z.array(cell).nullable(),
  }),
  placesOfAccount: count,
  running: z.array(openRun),
  queue: z.array(openRun),
  queueTotal: count,
  due: z.array(cell),
  done: z.array(doneRun),
  doneTotal: count,
  limits: z.array(limit),
  nextDueAt: z.number().nullable(),
});

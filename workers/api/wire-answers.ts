import { z } from "zod";
import type { PlatformRowFacts } from "#connectors/contract/row-facts.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";

/** Row schemas for the OpenAPI document; `wire-rows.ts` builds the rows. Times are epoch ms, sizes bytes. */

const text = z.string();
const textOrNull = z.string().nullable();
const count = z.int().min(0);
const time = z.int();
const timeOrNull = z.int().nullable();
const flag = z.boolean();
const marks = {
  tags: z.array(z.object({ label: text, meaning: text })),
  isOpen: flag,
  typeKey: text.optional(),
  blocked: text.optional(),
};
const action = z.enum(["backing_up_process", "restoring_process"]).nullable();
const verifyState = z.enum(["queued", "verified", "intact", "failed"]);

/** A running run. */
const progress = z.object({
  runId: text,
  kind: z.enum(["backup", "restore", "export", "verify", "delete", "repack", "replicate"]),
  status: z.enum(["queued", "running"]),
  phase: textOrNull,
  done: count,
  total: count.nullable(),
  unit: textOrNull,
  bytesRead: count,
  startedAt: timeOrNull,
  expectedEndAt: timeOrNull,
  waitingUntil: timeOrNull,
  fault: textOrNull,
});

const ribbonDay = z.object({
  date: z.string().meta({ format: "date" }),
  state: z.enum(["good", "retried", "failed", "missed", "paused", "none", "running", "expired"]),
  versions: count,
  isRestored: flag,
});

const item = z.object({
  id: text,
  platform: text,
  kind: text,
  connectionId: text,
  placeId: textOrNull,
  externalId: text,
  name: text,
  fullName: text,
  description: textOrNull,
  ...marks,
  status: z.enum(["initialized", "backuped", "deleted"]),
  isDaily: flag,
  lastBackupAt: timeOrNull,
  sizeBytes: count,
  activeRun: progress.nullable(),
  nextDueAt: timeOrNull,
  lastError: z.object({ text, at: time }).nullable(),
  alarm: textOrNull,
  backupNowOpensAt: timeOrNull,
  versionCount: count,
  ribbon: z.array(ribbonDay),
  webUrl: text,
  createdAt: time,
});

/** A backup item row (spec part 2 section 3). */
const itemRowAnswer = z.object({
  id: text,
  name: text,
  size: count,
  lastBackup: z.union([time, z.literal("-")]),
  type: text,
  isActive: flag,
  is_daily_backed_up: flag,
  isDailyActive: flag,
  actionProcess: action,
  status: z.enum(["initialized", "backuped", "deleted"]),
  isRepo: flag,
  description: textOrNull,
  externalId: text,
  organizationName: textOrNull,
  connection_id: text,
  view: item,
});

/** Data beside the rows of an item list. */
export const listFactsAnswer = z.object({
  counts: z.object({
    all: count,
    failed: count,
    alarm: count,
    stale: count,
    never: count,
    paused: count,
    deleted: count,
  }),
  holdings: z.array(z.object({ kind: text, placeId: textOrNull, count })),
  canUserBackup: flag,
  isTokenValid: flag,
  hasUserAnyActiveApp: flag,
  quota: z.object({ used: count, limit: count }),
  backupNowOpensAt: timeOrNull,
  keys: z.object({ first: text, last: text }).nullable(),
  totalItemsNumber: count,
});

/** An item that can be added. */
const availableItemRowAnswer = z.object({
  id: text,
  name: text,
  description: textOrNull,
  isAdded: flag,
  view: z.object({
    externalId: text,
    name: text,
    fullName: text,
    description: textOrNull,
    ...marks,
    sizeHintBytes: count.nullable(),
    isAdded: flag,
  }),
});

/** An added place. */
export const placeRowAnswer = z.object({
  id: text,
  name: text,
  type: text,
  connection_id: text,
  view: z.object({
    id: text,
    connectionId: text,
    externalId: text,
    name: text,
    type: text,
    isOwn: flag,
    restores: z.enum(["partly", "no"]).optional(),
    facts: z.record(z.string(), z.unknown()),
  }),
});

/** A place that can be added. */
const availablePlaceRowAnswer = z.object({
  id: text,
  name: text,
  type: text,
});

/** A platform account. */
const connectionRowAnswer = z.object({
  id: text,
  username: text,
  user_name: text,
  full_name: textOrNull,
  isConfirmed: flag,
  auto_add: flag,
  owner_id: text,
  view: z.object({
    id: text,
    platform: text,
    externalId: text,
    name: text,
    fullName: textOrNull,
    accountType: text,
    region: z.enum(REGIONS),
    status: z.enum(["active", "revoked"]),
    lostReason: z.enum(["token", "app"]).nullable(),
    isAutoAdd: flag,
    isConfirmed: flag,
    grantName: text,
    createdAt: time,
    seats: z
      .object({ count: count.nullable(), readAt: time.nullable(), problem: textOrNull })
      .optional()
      .describe("The people whom the platform's plan counts; only where it does"),
    peopleProblem: textOrNull
      .optional()
      .describe(
        "Why we could not report whose names the backups hold; only where the platform wants a report",
      ),
    credentials: z.array(z.object({ authMethod: text, isWorking: flag })),
  }),
});

/**
 * Schemas of a platform's rows: the shared members and the platform's own.
 * @throws InvariantError when a member of its own has the name of a shared one
 */
export function rowAnswersOf({ account, place, item }: PlatformRowFacts = {}) {
  return {
    account: withFacts(connectionRowAnswer, account),
    place: withFacts(placeRowAnswer, place),
    availablePlace: withFacts(availablePlaceRowAnswer, place),
    item: withFacts(itemRowAnswer, item),
    availableItem: withFacts(availableItemRowAnswer, item),
  };
}

function withFacts<Shape extends z.core.$ZodLooseShape>(
  shared: z.ZodObject<Shape>,
  facts: { schema: z.ZodObject } | undefined,
) {
  const own = facts?.schema.shape ?? {};
  for (const name of Object.keys(own))
    invariant(!(name in shared.shape), `a platform's rows have the shared member ${name} once`);
  return shared.extend(own);
}

export type RowAnswers = ReturnType<typeof rowAnswersOf>;

const lineOfReport = z.object({ what: text, reason: text });

const history = {
  key: text,
  type: z.enum(["backup", "restore"]),
  status: z.enum(["success", "failed", "running", "queued"]),
  date: time,
};

const historyView = z.object({
  ...history,
  sizeBytes: count.nullable(),
  newBytes: count.nullable(),
  snapshotId: textOrNull,
  errorText: textOrNull,
  trigger: z.enum(["schedule", "user", "system"]),
  skipped: z.array(z.object({ path: text, kind: text, reason: text })),
  skippedCount: count,
  canRestore: flag,
  restoreObstacle: textOrNull,
  unreachable: z.object({ objects: count, bytes: count.nullable() }).nullable(),
  verify: z.object({ state: verifyState, at: timeOrNull, text: textOrNull }).nullable(),
  erasedAt: timeOrNull,
  keptUntil: timeOrNull,
  copy: z
    .object({
      kind: text,
      status: z.enum(["waiting", "copying", "stored", "failed"]),
      path: textOrNull,
      sizeBytes: count.nullable(),
      storedAt: timeOrNull,
      text: textOrNull,
      nextTryAt: timeOrNull,
    })
    .nullable(),
  zip: z.object({
    status: z.enum(["none", "pending", "ready", "expired", "failed"]),
    url: textOrNull,
    expiresAt: timeOrNull,
  }),
  restoredTo: z.object({ name: text, url: textOrNull }).nullable(),
  outcome: z.object({ missing: count, notes: count }).nullable(),
  report: z
    .object({
      restored: z.record(text, count),
      changed: z.array(lineOfReport),
      impossible: z.array(lineOfReport),
      missing: z.array(lineOfReport),
      mapped: z.array(z.object({ kind: text, from: text, to: text, url: textOrNull })),
      mappedCount: count,
    })
    .nullable(),
  progress: progress.nullable(),
  itemId: text.optional(),
  itemName: text.optional(),
});

/** A backup history row (spec part 2 section 3). */
export const historyRowAnswer = z.object({
  ...history,
  size: count.nullable(),
  sizeSub: count.nullable(),
  data_size: count,
  versions: textOrNull,
  versionid: textOrNull,
  action_process: action,
  error_message: textOrNull,
  download_zip_url: textOrNull,
  zip_status: z.enum(["none", "pending", "ready", "expired", "failed"]),
  expire_date_zip_url: timeOrNull,
  canRestore: flag,
  userCanRestore: flag,
  extra_fields: z.object({
    fullBackupSize: count.nullable(),
    get_zip: textOrNull,
    scopeVersionId: textOrNull,
  }),
  view: historyView,
});

/** A version that can be selected in a bulk restore. */
export const restorePointRowAnswer = z.object({
  version: text,
  versionid: text,
  date: time,
  size: count,
  verify: verifyState,
});

import * as z from "zod/mini";
import { ApiError, callApi } from "#app/api/call-api.ts";
import type { HistoryRow, HistoryView } from "#core/backups/views.ts";

/** Rows per page of the history (spec part 2 section 9). */
export const HISTORY_PER_PAGE = 10;

/**
 * Fetches one page of an item's history, newest first. `page` starts at 0.
 *
 * @throws {ApiError} also when a row does not match the spec
 */
export async function fetchHistory(request: {
  itemId: string;
  page: number;
  perPage?: number;
  signal?: AbortSignal;
  fetch?: typeof fetch;
}): Promise<HistoryView> {
  const { result, body } = await callApi("user/get-items-backups", {
    method: "POST",
    body: { itemId: request.itemId, perPage: request.perPage ?? HISTORY_PER_PAGE, page: request.page },
    schema: z.array(wireRowSchema),
    signal: request.signal,
    fetch: request.fetch,
  });
  const total = z.number().safeParse(body.totalItemsNumber);
  if (!total.success)
    throw new ApiError("Error on data load. Try later", { code: "err.internal", status: 200 });
  return { rows: result.map(rowFromWire), total: total.data };
}

const nullable = <T extends z.core.$ZodType>(schema: T) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? null),
  );
const outcomeSchema = z.array(z.object({ what: z.string(), reason: z.string() }));

/** Fields beyond the spec's; the API returns them under `view`. */
const extrasSchema = z.object({
  trigger: z.catch(z.enum(["schedule", "user", "system"]), "system"),
  skipped: z.catch(z.array(z.object({ path: z.string(), kind: z.string(), reason: z.string() })), []),
  skippedCount: z.catch(z.number(), 0),
  verify: nullable(
    z.object({
      state: z.enum(["queued", "verified", "intact", "failed"]),
      at: nullable(z.number()),
      text: nullable(z.string()),
    }),
  ),
  keptUntil: nullable(z.number()),
  copy: nullable(
    z.object({
      kind: z.string(),
      status: z.enum(["waiting", "copying", "stored", "failed"]),
      path: nullable(z.string()),
      sizeBytes: nullable(z.number()),
      storedAt: nullable(z.number()),
      text: nullable(z.string()),
      nextTryAt: nullable(z.number()),
    }),
  ),
  restoredTo: nullable(z.object({ name: z.string(), url: nullable(z.string()) })),
  outcome: nullable(z.object({ missing: z.number(), notes: z.number() })),
  report: nullable(
    z.object({
      restored: z.record(z.string(), z.number()),
      changed: outcomeSchema,
      impossible: outcomeSchema,
      missing: z.catch(outcomeSchema, []),
      mapped: z.catch(
        z.array(z.object({ kind: z.string(), from: z.string(), to: z.string(), url: nullable(z.string()) })),
        [],
      ),
      mappedCount: z.catch(z.number(), 0),
    }),
  ),
  progress: nullable(
    z.object({
      runId: z.string(),
      kind: z.enum(["backup", "restore", "export", "verify", "delete", "repack", "replicate"]),
      status: z.enum(["queued", "running"]),
      phase: nullable(z.string()),
      done: z.number(),
      total: nullable(z.number()),
      unit: nullable(z.string()),
      bytesRead: z.number(),
      startedAt: nullable(z.number()),
      expectedEndAt: nullable(z.number()),
      waitingUntil: nullable(z.number()),
      fault: nullable(z.string()),
    }),
  ),
});

/** A history row as returned by the API, in the spec's names (part 2 section 3). */
const wireRowSchema = z.object({
  key: z.string(),
  date: z.number(),
  type: z.string(),
  status: z.string(),
  size: nullable(z.number()),
  sizeSub: nullable(z.number()),
  versionid: nullable(z.string()),
  error_message: nullable(z.string()),
  download_zip_url: nullable(z.string()),
  zip_status: nullable(z.enum(["none", "pending", "ready", "expired", "failed"])),
  expire_date_zip_url: nullable(z.number()),
  canRestore: z.boolean(),
  view: extrasSchema,
});

type WireRow = z.output<typeof wireRowSchema>;

function rowFromWire(row: WireRow): HistoryRow {
  return {
    key: row.key,
    type: typeOf(row.type),
    status: statusOf(row),
    date: row.date,
    sizeBytes: row.size,
    newBytes: row.sizeSub,
    snapshotId: row.versionid,
    errorText: row.error_message,
    trigger: row.view.trigger,
    skipped: row.view.skipped,
    skippedCount: row.view.skippedCount,
    canRestore: row.canRestore,
    verify: row.view.verify,
    keptUntil: row.view.keptUntil,
    copy: row.view.copy,
    zip: {
      status: row.zip_status ?? "none",
      url: row.download_zip_url,
      expiresAt: row.expire_date_zip_url,
    },
    restoredTo: row.view.restoredTo,
    outcome: row.view.outcome,
    report: row.view.report,
    progress: row.view.progress,
  };
}

/** The spec's older names of the two types are synonyms (spec P-156, P-157). */
function typeOf(type: string): HistoryRow["type"] {
  return type === "restore" || type === "start_restore_unit" ? "restore" : "backup";
}

/** `error` and `failed` both mean a failure (spec P-158). */
function statusOf({ status, view: { progress } }: WireRow): HistoryRow["status"] {
  if (status === "success") return "success";
  if (status === "queued" || status === "running") return status;
  return progress === null ? "failed" : progress.status;
}

import type { Context } from "hono";
import { z } from "zod";
import { acknowledgeAlarms } from "#core/alarms/index.ts";
import {
  describeVersion,
  listEntries,
  openForReading,
  openPart,
  readable,
  readRecordPage,
} from "#core/browsing/index.ts";
import {
  compareFileOf,
  comparePartOf,
  compareRecordOf,
  compareRefOf,
  compareVersions,
} from "#core/comparisons/index.ts";
import { zipStream } from "#core/exports/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import {
  listRestoreTargets,
  planPartRestore,
  planRestore,
  requestPartRestore,
} from "#core/restores/index.ts";
import type { ApiEnv } from "../api-env.ts";
import { contentDisposition } from "../content-disposition.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { ASKS_PLATFORM, MANAGE } from "../platform-operation.ts";
import {
  comparisonAnswer,
  entriesAnswer,
  fileComparisonAnswer,
  partComparisonAnswer,
  planAnswer,
  READS_VERSION,
  recordAnswer,
  recordComparisonAnswer,
  refComparisonAnswer,
  targetsAnswer,
} from "../version-answers.ts";
import { optional, pathText, wireId, wireText } from "../wire-fields.ts";

const tag = "Versions";
const version = { itemId: wireId, snapshotId: wireId };
const both = { itemId: wireId, beforeId: wireId, afterId: wireId };
/** Choices of a restore that are switched on, by their names: `a,b`. */
const choices = wireText(500)
  .nullish()
  .transform((text) =>
    Object.fromEntries(
      (text ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [[name.trim(), true] as const])),
    ),
  );

/** Calls that look into a version: its entries, one record, how it differs from another, and its parts on their way out. */
export function mountVersions(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/versions/entries",
    summary: "What a version holds, by kind or search, page by page",
    tag,
    input: z.strictObject({
      ...version,
      kind: optional(wireText(50)),
      search: optional(wireText(100)),
      after: optional(pathText),
    }),
    result: entriesAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, { kind, search, after, ...order }) => {
      const open = await openForReading(s, m, order);
      const words = open.connector.entryKinds;
      const page = await readable(() => listEntries(open.view, words, { kind, search, after }));
      return { result: { ...describeVersion(open), ...page } };
    },
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/record",
    summary: "A record of a version with what belongs to it",
    tag,
    input: z.strictObject({ ...version, path: pathText, after: optional(pathText) }),
    result: recordAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, { path, after, ...order }) => {
      const { view, connector } = await openForReading(s, m, order);
      const words = connector.entryKinds;
      return { result: await readable(() => readRecordPage(view, words, { path, after })) };
    },
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare",
    summary: "What differs between two versions of an item",
    tag,
    input: z.strictObject(both),
    result: comparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, order) => ({ result: await compareVersions(s, m, order) }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare-record",
    summary: "How one record differs between two versions, field by field",
    tag,
    input: z.strictObject({ ...both, path: pathText }),
    result: recordComparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, order) => ({ result: await compareRecordOf(s, m, order) }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare-part",
    summary:
      "How one part of a view (a card, a thread, a page, a row) differs between two versions, field by field and comment by comment",
    tag,
    input: z.strictObject({ ...both, view: wireText(100), part: wireText(300) }),
    result: partComparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, { view, part, ...order }) => ({
      result: await comparePartOf(s, m, { ...order, viewId: view, partId: part }),
    }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/restore-plan",
    summary:
      "What a restore of a version would create, what it could not, and what it costs in calls and time",
    tag,
    input: z.strictObject({ ...version, options: choices, placeId: optional(wireText(200)) }),
    result: planAnswer,
    refuses: [...READS_VERSION, ...ASKS_PLATFORM, "err.snapshot.not.restorable"],
    handle: async (s, m, order) => ({ result: await planRestore(s, m, order) }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare-ref",
    summary: "How a branch or tag differs between two versions: commits and files",
    tag,
    input: z.strictObject({ ...both, tree: wireText(50), ref: pathText }),
    result: refComparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, order) => ({ result: await compareRefOf(s, m, order) }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare-file",
    summary: "How one file of a branch or tag differs between two versions, line by line",
    tag,
    input: z.strictObject({ ...both, tree: wireText(50), ref: pathText, path: pathText }),
    result: fileComparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, order) => ({ result: await compareFileOf(s, m, order) }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/restore-part-plan",
    summary:
      "What a restore of one card or column of a version would create, what it could not, and what it costs",
    tag,
    input: z.strictObject({
      ...version,
      path: pathText,
      /** `new` = into a new item. */
      into: z.enum(["new", "existing"]).default("existing"),
    }),
    result: planAnswer,
    refuses: [...READS_VERSION, ...ASKS_PLATFORM, "err.snapshot.not.restorable"],
    handle: async (s, m, { into, ...order }) => ({
      result: await planPartRestore(s, m, { ...order, isNew: into === "new" }),
    }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/restore-targets",
    summary: "Items of the account that a part of a version may be restored into, and places for a new one",
    tag,
    input: z.strictObject({
      itemId: wireId,
      name: optional(wireText(100)),
      page: z.coerce.number().int().min(0).max(1_000).default(0),
    }),
    result: targetsAnswer,
    refuses: [...MANAGE, ...ASKS_PLATFORM],
    handle: async (s, m, order) => ({ result: await listRestoreTargets(s, m, order) }),
  });
  mountRoute(api, {
    method: "POST",
    path: "/versions/restore-part",
    summary:
      "Restore one card or column of a version: into an item of the account, to which it is added, or into a new one",
    tag,
    input: z.strictObject({
      ...version,
      path: pathText,
      /** The platform's id of the target item; absent = a new item. */
      into: optional(wireId),
      name: optional(wireText(300)),
      /** The place of a new item. */
      place: optional(wireId),
      emails: z.array(wireText(254)).max(10).default([]),
    }),
    result: z.object({ runId: z.string() }),
    refuses: [
      ...MANAGE,
      ...READS_VERSION,
      ...ASKS_PLATFORM,
      "err.item.busy",
      "err.restore.name",
      "err.snapshot.not.restorable",
    ],
    handle: async (s, m, { into, name, place, ...wish }) => ({
      result: await requestPartRestore(s, m, {
        ...wish,
        name,
        into: into === null ? null : { externalId: into },
        place: place === null ? null : { externalId: place },
      }),
    }),
  });
  mountRoute(api, {
    method: "POST",
    path: "/user/acknowledge-alarms",
    summary: "Say that somebody has looked at the alarms of an item",
    tag,
    input: z.strictObject({ itemId: wireId }),
    result: z.object({ acknowledged: z.int().min(0) }),
    refuses: ["err.role.forbidden", "err.plan.required", "err.connection.missing", "err.not.found"],
    handle: async (s, m, input) => ({ result: await acknowledgeAlarms(s, m, input) }),
  });
  api.get("/versions/:item/:snapshot/part", sendPart);
}

const partQuery = z.object({
  path: pathText,
  tree: optional(wireText(50)),
  ref: optional(pathText),
  shown: optional(z.literal("1")),
});

/**
 * Sends one part of a version as a download, or as an image for a page. Headers prevent the browser from sniffing the
 * type, opening it as a page, or running scripts in it.
 */
async function sendPart(c: Context<ApiEnv>): Promise<Response> {
  const { services, member } = c.var;
  if (!member) throw new AppError("err.session.missing");
  const asked = partQuery.safeParse(c.req.query());
  if (!asked.success) throw new AppError("err.request.invalid");
  const { path, tree, ref, shown } = asked.data;
  const part = await openPart(services, member, {
    itemId: c.req.param("item") ?? "",
    snapshotId: c.req.param("snapshot") ?? "",
    path,
    tree,
    ref,
    isShown: shown === "1",
  });
  const headers = new Headers({
    "Content-Type": shown === "1" && part.mediaType ? part.mediaType : "application/octet-stream",
    "Content-Disposition": contentDisposition(part.name),
    "Content-Length": String(part.sizeBytes),
    "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "private, no-store",
  });
  if (c.req.method === "HEAD") return new Response(null, { headers });
  return new Response(zipStream(part.read(), part.sizeBytes), { headers });
}
